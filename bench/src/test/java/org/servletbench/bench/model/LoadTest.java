package org.servletbench.bench.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoadTest {
    @Test
    void closedModel() {
        Load load = Load.parse("hello 1500 users");
        assertThat(load.workload()).isEqualTo("hello");
        assertThat(load.users()).isEqualTo(1500);
        assertThat(load.rate()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"20ms", "exponential 20ms", "up to 1s"})
    void usersWhoPause(String pause) {
        Load load = new Load("hello", 1500, 0, Pause.parse(pause));
        assertThat(load.name()).isEqualTo("hello 1500 users pausing " + pause);
        assertThat(load.words())
                .isEqualTo("hello at 1500 users pausing " + Pause.parse(pause).words());
        assertThat(Load.parse(load.name())).isEqualTo(load);
        assertThat(Load.parse(Load.again(load.name()))).isEqualTo(load);
        assertThat(Load.parse("b round 1 " + load.name()).pause()).isEqualTo(load.pause());
        assertThat(Load.parse(Load.step(load.name(), "cart")))
                .isEqualTo(new Load("hello / cart", 1500, 0, load.pause()));
        assertThat(Load.journey(Load.step(load.name(), "cart"))).contains(load.name());
        assertThat(Load.parse("hello 1500 users pausing long").users()).isZero();
    }

    @Test
    void openModel() {
        Load load = Load.parse("static file at 62.5/s");
        assertThat(load.workload()).isEqualTo("static file");
        assertThat(load.rate()).isEqualTo(62.5);
        assertThat(load.users()).isZero();
    }

    @Test
    void aRequestOfAJourney() {
        assertThat(Load.parse("shop 10 users / cart")).isEqualTo(new Load("shop / cart", 10, 0));
        assertThat(Load.journey("shop 10 users / cart")).contains("shop 10 users");
        assertThat(Load.journey("shop 10 users")).isEmpty();
        assertThat(Load.journey("outer / shop 10 users")).isEmpty();
    }

    @Test
    void anythingElseIsACellWithoutALoad() {
        for (String text : new String[] {
            "", "hello", "hello 0 users", "hello at 0/s", "hello at x/s", " 5 users", "hello 12345678901 users", "GET /"
        }) {
            assertThat(Load.parse(text).workload()).isEqualTo(text);
            assertThat(Load.parse(text).users()).isZero();
            assertThat(Load.parse(text).rate()).isZero();
        }
    }

    @Test
    void tiersSortAsNumbers() {
        assertThat(Stream.of("b 5 users", "a at 9/s", "a 1500 users", "a 200 users", "a")
                        .map(Load::parse)
                        .sorted()
                        .map(Load::name))
                .containsExactly("a 200 users", "a 1500 users", "a at 9/s", "a", "b 5 users");
    }
}
