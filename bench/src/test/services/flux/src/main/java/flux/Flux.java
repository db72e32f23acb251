package flux;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** A service without a servlet container: Spring WebFlux on Netty. */
@SpringBootApplication
@RestController
public class Flux {

    public static void main(String[] args) {
        SpringApplication.run(Flux.class, args);
    }

    @GetMapping("/hello")
    public Mono<String> hello() {
        return Mono.just("world");
    }
}
