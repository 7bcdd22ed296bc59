package weir.plan.syntax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import weir.plan.Problem;
import weir.plan.Problems;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;

class PageAddressTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {"http://kafka-1:9404/metrics", "https://10.0.0.7/metrics?name%5B%5D=kafka", "http://[::1]:9404"})
    void anAddressOfAPageIsTaken(String url) {
        assertThatCode(() -> ScalarType.URL.check(url)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({
        "kafka-1:9404, is no address of a page; write http://HOST:PORT/metrics",
        "ftp://kafka-1/metrics, is no address of a page; write http://HOST:PORT/metrics",
        "http:///metrics, is no address of a page; write http://HOST:PORT/metrics",
        "http://kafka 1/metrics, is no address of a page; write http://HOST:PORT/metrics",
        "http://kafka-1/metrics#x, is no address of a page; write http://HOST:PORT/metrics",
        "http://a:99999/, is no address of a page; write http://HOST:PORT/metrics",
        "http://a_b:99999999/, is no address of a page; write http://HOST:PORT/metrics",
    })
    void whatIsNoneIsSaid(String url, String why) {
        assertThatThrownBy(() -> ScalarType.URL.check(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'" + url + "' " + why);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://me:geheim@kafka-1:9404/metrics",
                "HTTP://me:geheim@kafka-1:9404/metrics",
                "http://me:gehe/geheim@kafka-1/metrics",
                "http://kafka-1:9404/metrics?a=b&access_token=geheim",
                "http://kafka-1:9404/metrics?sig=geheim",
                "http://kafka-1:9404/metrics?name%5B%5D=a&auth=geheim"
            })
    void whatMayBeASecretIsRefusedAndNotSaid(String url) throws IOException {
        Path file = Files.writeString(
                folder.resolve("e.yaml"), "name: e\ncluster:\n  bootstrap: \"a:1\"\n  metrics: [\"" + url + "\"]\n");
        assertThatThrownBy(() -> PlanReader.read(file, Overrides.NONE))
                .isInstanceOfSatisfying(
                        Problems.class,
                        problems -> assertThat(problems.list().stream()
                                        .map(Problem::text)
                                        .toList())
                                .anyMatch(text -> text.contains("cluster.metrics: an address of a page"))
                                .noneMatch(text -> text.contains("geheim")));
    }
}
