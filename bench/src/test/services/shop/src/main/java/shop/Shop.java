package shop;

import java.math.BigDecimal;
import java.time.LocalDate;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

@SpringBootApplication
public class Shop {

    static final String[] CITIES = {"Bergen", "Aarhus", "Turku", "Lund"};

    public static void main(String[] arguments) {
        SpringApplication.run(Shop.class, arguments);
    }

    /** Stocks the shop before it answers its first request: a CommandLineRunner runs after the server listens. */
    @Bean
    SmartInitializingSingleton stock(Customers customers) {
        return () -> {
            for (int i = 0; i < 20; i++) {
                Customer customer = new Customer("Customer " + i, CITIES[i % CITIES.length]);
                for (int j = 0; j < 3; j++) {
                    Purchase purchase = new Purchase(customer, LocalDate.of(2025, 1 + i % 12, 1 + j));
                    for (int k = 0; k < 3; k++) {
                        purchase.lines.add(
                                new Line(purchase, "Article " + (i + k), 1 + k, BigDecimal.valueOf(1099 + 100L * j, 2)));
                    }
                    customer.purchases.add(purchase);
                }
                customers.save(customer);
            }
        };
    }
}
