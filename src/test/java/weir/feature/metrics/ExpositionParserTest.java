package weir.feature.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weir.feature.metrics.ExpositionParser.Sample;

class ExpositionParserTest {
    private final List<Sample> samples = new ArrayList<>();

    private List<Sample> read(String text, int chunk) throws IOException {
        samples.clear();
        ExpositionParser parser = new ExpositionParser(name -> !name.equals("unwanted"), samples::add);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        for (int from = 0; from < bytes.length; from += chunk) {
            parser.take(ByteBuffer.wrap(bytes, from, Math.min(chunk, bytes.length - from)));
        }
        parser.end();
        return samples;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 10_000})
    void bothFormatsAreTheSameLineByLine(int chunk) throws IOException {
        String text = """
                # HELP a_total counts "things" {
                # TYPE a_total counter
                a_total 1027 1395066363000
                a_total{topic="x",} 1.0E9
                unwanted{this is="no \\ line at all
                b { quantile = "0.99" , request="Prod\\"uce\\\\\\n" }\tNaN\r

                c{} +Inf
                d -Inf
                e{le="1"} 0.5 # {trace_id="z"} 0.1 123
                {"f.g",label="Käse"} 7
                # EOF
                h 3""";
        assertThat(read(text, chunk))
                .containsExactly(
                        new Sample("a_total", Map.of(), 1027, true),
                        new Sample("a_total", Map.of("topic", "x"), 1e9, false),
                        new Sample("b", Map.of("quantile", "0.99", "request", "Prod\"uce\\\n"), Double.NaN, false),
                        new Sample("c", Map.of(), Double.POSITIVE_INFINITY, false),
                        new Sample("d", Map.of(), Double.NEGATIVE_INFINITY, false),
                        new Sample("e", Map.of("le", "1"), 0.5, false),
                        new Sample("f.g", Map.of("label", "Käse"), 7, false),
                        new Sample("h", Map.of(), 3, false));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<html>",
                "a",
                "a x",
                "a{",
                "a{b}",
                "a{b=}1",
                "a{b=\"",
                "a{b=\"c\\",
                "a{b=\"c\"d=\"e\"} 1",
                "{\"\"} 1",
                "{} 1",
                "a{b=\"c\""
            })
    void aLineThatIsNoneIsSaidWithItsNumber(String line) {
        assertThatThrownBy(() -> read("ok 1\n" + line + "\n", 3))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("line 2 is no metric: '");
    }

    @Test
    void aLineWithoutAnEndIsNotKept() {
        assertThatThrownBy(() -> read("a".repeat(100_000), 1000))
                .isInstanceOf(IOException.class)
                .hasMessage("line 1 has more than 65536 bytes");
    }
}
