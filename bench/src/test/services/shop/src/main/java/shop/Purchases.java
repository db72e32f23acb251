package shop;

import java.util.List;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;

interface Purchases extends JpaRepository<Purchase, Long> {

    @Query("select distinct p from Purchase p join fetch p.customer c left join fetch p.lines where c.city = :city"
            + " order by p.id")
    List<Purchase> of(String city);
}
