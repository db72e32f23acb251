package org.servletbench.bench.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExtractTest {
    private static final String FORM =
            "<html><form><input name=user><input type=hidden name='_csrf' value='a&amp;b'></form><h1>Hi <b>you</b></h1>";
    private static final String JSON =
            "{\"token\": \"t-1\", \"user\": {\"roles\": [\"a\", {\"id\": 7}]}, \"none\": null}";

    private static Optional<String> found(String call, String body) {
        return Extract.parse("x", call).of(Map.of("X-Token", "h-1")::get, () -> body);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            css("input[name=_csrf]", "value") | a&b
            css('input[name=_csrf]','value')  | a&b
            css("h1")                         | Hi you
            css("input[name=_csrf]", "class") |
            css("h2")                         |
            """)
    void takesAValueOfAPage(String call, String value) {
        assertThat(found(call, FORM)).isEqualTo(Optional.ofNullable(value));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            json("$.token")            | t-1
            json("$.user.roles[0]")    | a
            json("$.user.roles[1].id") | 7
            json("$.user")             |
            json("$.none")             |
            json("$.nothing")          |
            """)
    void takesAValueOfJson(String call, String value) {
        assertThat(found(call, JSON)).isEqualTo(Optional.ofNullable(value));
    }

    @Test
    void otherTextHasNoValue() {
        assertThat(found("json(\"$.token\")", "<html>")).isEmpty();
        assertThat(found("css(\"h1\")", "")).isEmpty();
        assertThat(found("header(\"X-Token\")", "")).contains("h-1");
        assertThat(found("header(\"X-Other\")", "")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            xpath("//a")           | is not understood: give css(
            css(h1)                | is not understood: give css(
            css("h1[")             | 'h1[' is not a CSS selector
            css("")                | '' is not a CSS selector
            json("$..token")       | '$..token' is not a path such as $.user.roles[0]
            json("token")          | 'token' is not a path such as
            json("$.a", "b")       | json takes one value
            header("a b")          | 'a b' is not a header name
            """)
    void whatIsNotUnderstoodIsRejected(String call, String why) {
        assertThatThrownBy(() -> Extract.parse("x", call))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining(why);
    }
}
