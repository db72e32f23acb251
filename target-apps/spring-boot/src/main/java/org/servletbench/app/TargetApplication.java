package org.servletbench.app;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The server under test, with the same few responses on every container, connector and Spring Boot version. */
@SpringBootApplication
public class TargetApplication {

    public static void main(String[] args) {
        SpringApplication.run(TargetApplication.class, args);
    }
}
