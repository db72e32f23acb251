package shop;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/api/purchases")
class ShopController {

    record LineView(String article, int pieces, BigDecimal price) {}

    record PurchaseView(Long id, LocalDate bought, String customer, String city, BigDecimal total, List<LineView> lines) {

        static PurchaseView of(Purchase purchase) {
            List<LineView> lines = purchase.lines.stream()
                    .map(line -> new LineView(line.article, line.pieces, line.price))
                    .toList();
            BigDecimal total = lines.stream()
                    .map(line -> line.price().multiply(BigDecimal.valueOf(line.pieces())))
                    .reduce(BigDecimal.ZERO, BigDecimal::add);
            return new PurchaseView(
                    purchase.id, purchase.bought, purchase.customer.name, purchase.customer.city, total, lines);
        }
    }

    record NewPurchase(Long customer, LocalDate bought, List<LineView> lines) {}

    private final Purchases purchases;
    private final Customers customers;

    ShopController(Purchases purchases, Customers customers) {
        this.purchases = purchases;
        this.customers = customers;
    }

    @GetMapping
    @Transactional(readOnly = true)
    public List<PurchaseView> list(@RequestParam(defaultValue = "Bergen") String city) {
        return purchases.of(city).stream().map(PurchaseView::of).toList();
    }

    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    @Transactional
    public PurchaseView create(@RequestBody NewPurchase order) {
        Purchase made = new Purchase(customers.findById(order.customer()).orElseThrow(), order.bought());
        order.lines().forEach(line -> made.lines.add(new Line(made, line.article(), line.pieces(), line.price())));
        return PurchaseView.of(purchases.save(made));
    }
}
