package shop;

import jakarta.persistence.CascadeType;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

@Entity
class Purchase {

    @Id
    @GeneratedValue
    Long id;

    LocalDate bought;

    @ManyToOne
    Customer customer;

    @OneToMany(mappedBy = "purchase", cascade = CascadeType.ALL)
    List<Line> lines = new ArrayList<>();

    protected Purchase() {}

    Purchase(Customer customer, LocalDate bought) {
        this.customer = customer;
        this.bought = bought;
    }
}
