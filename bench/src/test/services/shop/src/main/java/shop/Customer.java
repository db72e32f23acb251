package shop;

import jakarta.persistence.CascadeType;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.OneToMany;
import java.util.ArrayList;
import java.util.List;

@Entity
class Customer {

    @Id
    @GeneratedValue
    Long id;

    String name;
    String city;

    @OneToMany(mappedBy = "customer", cascade = CascadeType.ALL)
    List<Purchase> purchases = new ArrayList<>();

    protected Customer() {}

    Customer(String name, String city) {
        this.name = name;
        this.city = city;
    }
}
