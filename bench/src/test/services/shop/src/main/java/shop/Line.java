package shop;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import java.math.BigDecimal;

@Entity
class Line {

    @Id
    @GeneratedValue
    Long id;

    String article;
    int pieces;
    BigDecimal price;

    @ManyToOne
    Purchase purchase;

    protected Line() {}

    Line(Purchase purchase, String article, int pieces, BigDecimal price) {
        this.purchase = purchase;
        this.article = article;
        this.pieces = pieces;
        this.price = price;
    }
}
