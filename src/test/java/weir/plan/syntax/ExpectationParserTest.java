package weir.plan.syntax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weir.plan.Expectation;
import weir.plan.Ratio;

class ExpectationParserTest {
    @Test
    void everyPartOfASentenceIsRead() {
        assertThat(ExpectationParser.parse("response p99.9 of new / old during 50000/s <= 1.5 for 95% of windows"))
                .isEqualTo(new Expectation(
                        Objects.requireNonNull(Glossary.metrics().get("response")),
                        "p99.9",
                        "new",
                        "old",
                        "50k/s",
                        Expectation.Operator.AT_MOST,
                        "1.5",
                        1.5,
                        Expectation.Unit.NUMBER,
                        new Ratio(0.95)));
    }

    @Test
    void valueIsReadInTheUnitOfItsMetric() {
        assertFigure("response p99 < 50ms", 0.05, Expectation.Unit.SECONDS);
        assertFigure("lag max < 200k", 200_000, Expectation.Unit.RECORDS);
        assertFigure("lag end < 10s", 10, Expectation.Unit.SECONDS);
        assertFigure("achieved >= 99.5%", 0.995, Expectation.Unit.SHARE);
        assertFigure("acked/s > 50k/s", 50_000, Expectation.Unit.PER_SECOND);
        assertFigure("capacity > 2GB/s", 2e9, Expectation.Unit.BYTES_PER_SECOND);
        assertFigure("MiB/s > 12.5", 12.5, Expectation.Unit.NUMBER);
        assertFigure("recovery during crash < 20s", 20, Expectation.Unit.SECONDS);
        assertFigure("response p50 of a / b same within 10%", 0.1, Expectation.Unit.SHARE);
        assertFigure("partitions <= 31", 31, Expectation.Unit.NUMBER);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "response p99.9 of new / old during 50k/s <= 1.5 for 95% of windows",
                "response p50 of a / b same within 10%",
                "lag max of a during measure < 200k",
                "lost == 0"
            })
    void theTextIsMadeFromTheValue(String text) {
        assertThat(ExpectationParser.parse(text).text()).isEqualTo(text);
    }

    @Test
    void renamingKeepsAllButTheVariants() {
        assertThat(ExpectationParser.parse("offsets p99 of of / a during measure < 2")
                        .with("a/x=1", "of")
                        .text())
                .isEqualTo("offsets p99 of a/x=1 / of during measure < 2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "response",
                "response p99",
                "response p99 <",
                "p99 < 5ms",
                "response p101 < 5ms",
                "response p0 < 5ms",
                "response p99 = 5ms",
                "lost p99 == 0",
                "lost == 0.5",
                "lost == 0ms",
                "response p99 < 5",
                "lag < 5",
                "response p99 of a / b < 5ms",
                "response p99 of a same within 10%",
                "response p99  < 5ms",
                "response p99 < 5ms for 101% of windows",
                "achieved > 5"
            })
    void whatIsNoExpectationIsRefused(String text) {
        assertThatThrownBy(() -> ExpectationParser.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    private static void assertFigure(String text, double value, Expectation.Unit unit) {
        Expectation expectation = ExpectationParser.parse(text);
        assertThat(expectation.value()).isEqualTo(value);
        assertThat(expectation.unit()).isEqualTo(unit);
    }
}
