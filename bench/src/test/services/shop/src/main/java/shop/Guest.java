package shop;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;

@Entity
class Guest {

    @Id
    @GeneratedValue
    Long id;

    @Column(unique = true)
    String name;

    protected Guest() {}

    Guest(String name) {
        this.name = name;
    }
}
