package weir.feature.trend;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import weir.plan.Golden;

class TrendReportTest {
    private final SyntheticHistory history = new SyntheticHistory();

    private String html(boolean gate) {
        return TrendReport.html(TrendJudge.of("nightly", history.runs(), List.of(), List.of(), gate, ""), "1");
    }

    private static Stream<String> all(String pattern, String text) {
        return Pattern.compile(pattern).matcher(text).results().map(found -> found.group(1));
    }

    @Test
    void theTextIsAsItWas() {
        history.level("acked/s", 5000).fact("cpu.model", "Old 1").nights(2).fact("cpu.model", "Imaginary 9000");
        history.nights(15).level("response p99", 11).fact("kafka", "4.4.0").nights(8);
        history.level("response p99", 12.5)
                .setting("load.producer.linger.ms", "20")
                .nights(6);
        Golden.assertSame(
                "src/test/resources/weir/feature/trend/trend.txt",
                TrendReport.text(TrendJudge.of("nightly", history.runs(), List.of(), List.of(), true, "")));
    }

    @Test
    void everySeriesIsAChartWithATableAndEveryLinkLeadsSomewhere() {
        history.level("acked/s", 5000)
                .level("CPU per record", 30)
                .nights(15)
                .level("response p99", 13)
                .nights(6);
        String html = html(true);
        assertThat(all("<svg class=\"plot\"[^>]*aria-describedby=\"([^\"]*)\"", html))
                .hasSize(3)
                .allSatisfy(table -> assertThat(html).contains("<table id=\"" + table + "\""));
        List<String> ids = all(" id=\"([^\"]*)\"", html).toList();
        assertThat(ids).doesNotHaveDuplicates();
        assertThat(all("href=\"#([^\"]*)\"", html)).isNotEmpty().isSubsetOf(ids);
        assertThat(all("<h1>(.*?)</h1>", html).toList())
                .singleElement()
                .asString()
                .startsWith("Something is worse");
        assertThat(html).contains("badge invalid", ">+8", "since " + history.run(15));
        assertThat(all("<dt>([^<]*)</dt>", html))
                .contains("changed there", "found after", "level", "since", "worse", "response")
                .doesNotContain("request queue", "ghosts", "broken", "self");
    }

    /** The newest level is in the chart, however few runs have it. */
    @Test
    void everyLevelIsDrawnAtItsHeight() {
        history.nights(400).level("response p99", 18).nights(6);
        String html = html(false);
        List<String> heights = all("<path class=\"line level c2\" d=\"M[0-9.]+ ([0-9.]+)H", html)
                .toList();
        assertThat(heights).hasSize(2);
        // The top of the plot is at 34.
        assertThat(Double.parseDouble(heights.get(1))).isBetween(40.0, 100.0);
        assertThat(all("(class=\"beyond )", html)).isEmpty();
    }

    @Test
    void textOfTheUserIsNoMarkup() {
        history.nights(6).label("note", "<img src=x onerror=alert(1)>").nights(6);
        assertThat(html(false)).doesNotContain("<img").contains("&lt;img src=x");
    }

    @Test
    void manyRunsAreALineAndFewAreDots() {
        history.nights(40);
        assertThat(all("(<circle )", html(false))).hasSize(40);
        history.nights(260);
        assertThat(all("(<circle )", html(false))).isEmpty();
        assertThat(html(false)).contains("bound plain");
    }

    /** A page of so many runs has to open at once. */
    @Test
    void aThousandRunsAreAPageOfLessThanTwoMegabytes() {
        history.level("acked/s", 5000).nights(1000);
        assertThat(html(true).length()).isLessThan(2_000_000);
    }
}
