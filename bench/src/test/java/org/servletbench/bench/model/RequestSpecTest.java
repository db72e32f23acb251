package org.servletbench.bench.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RequestSpecTest {

    private static final RequestSpec FED = new RequestSpec(
            "POST",
            Map.of(),
            "{\"${name}\": \"${other}\"}",
            201,
            List.of(Map.of("name", "Zoë & $1"), Map.of("name", "b")));

    @Test
    void rowsTakeTurnsInPathAndBody() {
        assertThat(FED.path("/owners?name=${name}", 0)).isEqualTo("/owners?name=Zo%C3%AB%20%26%20%241");
        assertThat(FED.filled(0).body()).as("other names stay").isEqualTo("{\"Zoë & $1\": \"${other}\"}");
        assertThat(FED.filled(3)).isEqualTo(new RequestSpec("POST", Map.of(), "{\"b\": \"${other}\"}", 201));
        assertThat(FED.filled(4_000_000_000_000L)).isEqualTo(FED.filled(0));
    }

    /** A {@code &} in a value would end it. */
    @Test
    void inAFormValuesAreEscapedUnlessItIsNothingButOne() {
        Map<String, String> form = Map.of("content-type", "application/x-www-form-urlencoded;charset=UTF-8");
        List<Map<String, String>> rows = List.of(Map.of("name", "A & B", "whole", "a=1&b=2"));
        assertThat(new RequestSpec("POST", form, "name=${name}", 200, rows)
                        .filled(0)
                        .body())
                .isEqualTo("name=A%20%26%20B");
        assertThat(new RequestSpec("POST", form, "${whole}", 200, rows)
                        .filled(0)
                        .body())
                .isEqualTo("a=1&b=2");
        assertThat(new RequestSpec("POST", Map.of(), "name=${name}", 200, rows)
                        .filled(0)
                        .body())
                .isEqualTo("name=A & B");
        assertThat(new RequestSpec("POST", form, "home=${env:PATH}", 200)
                        .resolved()
                        .body())
                .isEqualTo("home=" + RequestSpec.escaped(System.getenv("PATH")));
    }

    @Test
    void withoutRowsNothingIsFilledIn() {
        RequestSpec plain = new RequestSpec("POST", Map.of(), "${name}", 200);
        assertThat(plain.filled(7)).isSameAs(plain);
        assertThat(plain.path("/${name}", 7)).isEqualTo("/${name}");
    }

    @Test
    void theRecordHasSumsInPlaceOfContents() {
        assertThat(FED.words())
                .startsWith("POST answered with 201, body SHA-256 ")
                .contains(", 2 rows, SHA-256 ");
        assertThat(RequestSpec.GET.words()).isEmpty();
    }
}
