package weir.plan.syntax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import weir.feature.NeedsFeature;
import weir.plan.ByteSize;
import weir.plan.Problem;
import weir.plan.Problems;
import weir.plan.Rate;
import weir.plan.Ratio;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;

class UnitsTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({"7,7", "10k,10000", "1.5M,1500000", "2G,2000000000", "0,0"})
    void countIsScaled(String text, long count) {
        assertThat(Units.count(text)).isEqualTo(count);
    }

    @ParameterizedTest
    @CsvSource({"250,250", "250B,250", "1kB,1000", "1KiB,1024", "1.5 KiB,1536", "10GB,10000000000", "1TiB,1099511627776"
    })
    void sizeIsInBytes(String text, long bytes) {
        assertThat(Units.size(text)).isEqualTo(new ByteSize(bytes));
    }

    @ParameterizedTest
    @CsvSource({"100ms,100", "10s,10000", "2m,120000", "1h,3600000", "1.5s,1500", "0s,0"})
    void durationNeedsAUnit(String text, long millis) {
        assertThat(Units.duration(text)).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @CsvSource({
        "500/s,500,OPERATIONS",
        "50k/s,50000,OPERATIONS",
        "1.5M/s,1500000,OPERATIONS",
        "2GB/s,2e9,BYTES",
        "1MiB/s,1048576,BYTES"
    })
    void rateCountsOperationsOrBytes(String text, double perSecond, Rate.Unit unit) {
        assertThat(Units.rate(text)).isEqualTo(new Rate(perSecond, unit));
    }

    @ParameterizedTest
    @CsvSource({"999,999/s", "1000,1000/s", "50000,50k/s", "1500000,1.5M/s", "12345678,12345678/s", "0,0/s", "0.5,0.5/s"
    })
    void rateIsWrittenAsItWouldBeRead(double perSecond, String text) {
        assertThat(Rate.of(perSecond).text()).isEqualTo(text);
        assertThat(Units.rate(text)).isEqualTo(Rate.of(perSecond));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "-1", "1e9", "1,000", "1_000", "1.5", "ten", "10 k", "99999999999999999999", "999999999999G"
            })
    void whatIsNoCountIsRefused(String text) {
        assertThatThrownBy(() -> Units.count(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1B", "1KB", "1kb", "1 Mb", "1.5B", "B", "9999999TiB", "1/s"})
    void whatIsNoSizeIsRefused(String text) {
        assertThatThrownBy(() -> Units.size(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "10", "-1s", "1 day", "1m30s", "9999999h", "s"})
    void whatIsNoDurationIsRefused(String text) {
        assertThatThrownBy(() -> Units.duration(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'");
    }

    /** The measured phase begins at a whole second, and a warm-up lasts until then. */
    @Test
    void aWarmUpOfAPartOfASecondIsRefused() {
        assertThatThrownBy(() -> ScalarType.SECONDS.check("1500ms"))
                .hasMessage("must be whole seconds, found '1500ms'; write 2s");
        assertThatThrownBy(() -> ScalarType.LENGTH.check("500ms"))
                .hasMessage("must be whole seconds, found '500ms'; write 1s");
        ScalarType.LENGTH.check("1000ms");
        ScalarType.LENGTH.check("none");
    }

    @Test
    void bareNumberIsRefusedWithASuggestedRate() {
        assertThatThrownBy(() -> Units.rate("1000")).hasMessage("'1000' is not a rate; write 1000/s");
        assertThatThrownBy(() -> PaceSyntax.pace("5k")).hasMessage("'5k' is not a rate; write 5k/s");
    }

    @Test
    void nothingIsMoreThanAllOfIt() {
        assertThat(Units.share("100%")).isEqualTo(new Ratio(1));
        assertThatThrownBy(() -> Units.share("101%")).hasMessageContaining("'");
        assertThat(Units.percent("150%")).isEqualTo(new Ratio(1.5));
    }

    @Test
    void hugeTextIsRefusedWithoutReadingIt() {
        assertThatThrownBy(() -> ScalarType.PACE.check("1,".repeat(1_000_000))).hasMessageContaining("4000 characters");
    }

    @Test
    void everySynonymLeadsToAKeyOrAMetric() {
        Synonyms.TABLE.section("keys").entries().forEach((word, written) -> {
            String path = written.line().replaceFirst(":.*", "").replace("*", "t");
            assertThat(Paths.split(path, Tree.Section.empty(Origin.unwritten(""))))
                    .as(word)
                    .isNotEmpty();
            assertThat(word).matches("[a-z]+");
        });
        Synonyms.TABLE
                .section("metrics")
                .entries()
                .forEach((word, written) -> assertThat(Glossary.metrics())
                        .as(word)
                        .containsKey(written.line().replaceFirst(" .*", "")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"http://kafka-1:9404/metrics", "https://10.0.0.7/metrics?name%5B%5D=kafka", "http://[::1]:9404"})
    void anAddressOfAPageIsTaken(String url) {
        assertThatCode(() -> ScalarType.URL.check(url)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({
        "kafka-1:9404, is not a page address; write http://HOST:PORT/metrics",
        "ftp://kafka-1/metrics, is not a page address; write http://HOST:PORT/metrics",
        "http:///metrics, is not a page address; write http://HOST:PORT/metrics",
        "http://kafka 1/metrics, is not a page address; write http://HOST:PORT/metrics",
        "http://kafka-1/metrics#x, is not a page address; write http://HOST:PORT/metrics",
        "http://a:99999/, is not a page address; write http://HOST:PORT/metrics",
        "http://a_b:99999999/, is not a page address; write http://HOST:PORT/metrics",
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
    @NeedsFeature("metrics")
    void whatMayBeASecretIsRefusedAndNotSaid(String url) throws IOException {
        Path file = Files.writeString(
                folder.resolve("e.yaml"), "name: e\ncluster:\n  bootstrap: \"a:1\"\n  metrics: [\"" + url + "\"]\n");
        assertThatThrownBy(() -> PlanReader.read(file, Overrides.NONE))
                .isInstanceOfSatisfying(
                        Problems.class,
                        problems -> assertThat(problems.list().stream()
                                        .map(Problem::text)
                                        .toList())
                                .anyMatch(text -> text.contains("cluster.metrics: "))
                                .noneMatch(text -> text.contains("geheim")));
    }
}
