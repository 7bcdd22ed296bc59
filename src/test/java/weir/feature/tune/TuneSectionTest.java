package weir.feature.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.feature.tune.TuneResult.TuneTrial;
import weir.report.HtmlReport;
import weir.report.SyntheticRun;
import weir.report.TextReport;
import weir.results.RunFolder;
import weir.results.value.SearchResults;

class TuneSectionTest {
    private static final String LINGER = "load.producer.linger.ms";

    @TempDir
    private Path dir;

    private final List<TuneTrial> trials = new ArrayList<>();

    @BeforeEach
    void search() {
        pair("5", 0, 1_000, 10);
        pair("<50>", 0, 2_100, 10);
        for (int round = 1; round <= 4; round++) {
            pair("", round, 1_000 + round, 10 + round / 10.0);
            pair("<50>", round, 2_000 + round, 10 + round / 10.0);
        }
    }

    private void pair(String linger, int round, double rate, double millis) {
        SortedMap<String, String> settings = new TreeMap<>();
        if (!linger.isEmpty()) {
            settings.put(LINGER, linger);
        }
        trials.add(new TuneTrial(trials.size() + 1, settings, round, false, rate, 90.0, 2.5, 8));
        trials.add(new TuneTrial(trials.size() + 1, settings, round, true, 500.0, millis, 4.0, 8));
    }

    private RunFolder folder(boolean over) {
        Map<String, List<String>> space = Map.of(LINGER, List.of("5", "<50>"));
        TuneResult result = new TuneResult(
                "a",
                "acked/s",
                "response p99",
                space,
                500.0,
                trials,
                over ? TuneJudge.finalists(trials, settings -> new Durability(2, 1, true)) : List.of(),
                over ? EffectFit.of(space, new TreeMap<>(Map.of(LINGER, "5")), trials) : List.of(),
                over ? "" : "the search ended early, after 12 trials");
        RunFolder folder = new SyntheticRun(dir, List.of("a"), 1, new double[] {10_000}, 3)
                .killed()
                .write();
        folder.found(SearchResults.NONE.with(result));
        return folder;
    }

    @Test
    void theFrontTheFinalsAndTheEffectsAreShown() {
        String html = HtmlReport.of(folder(true));
        assertThat(html)
                .contains("linger.ms=&lt;50&gt; beats the defaults: 2.0")
                .doesNotContain("linger.ms=<50>")
                .contains("3 settings tried in 20 trials; latency at 500/s")
                .contains("acks all, at least 1 in sync, idempotent")
                .contains("Effect of each setting alone")
                .contains("2.5 µs");
        assertThat(TextReport.of(folder(true)))
                .contains("* linger.ms=<50>")
                .contains("the defaults")
                .contains("beats the defaults");
    }

    @Test
    void interruptedSearchShowsItsTrials() {
        assertThat(HtmlReport.of(folder(false)))
                .contains("The best settings are unknown: the search ended early, after 12 trials.")
                .contains("linger.ms=&lt;50&gt;")
                .doesNotContain("Effect of each setting alone");
    }

    @Test
    void lessDurableSettingsAreReportedAsSuch() {
        TuneResult result = new TuneResult(
                "a",
                "acked/s",
                "response p99",
                Map.of(LINGER, List.of("5", "<50>")),
                500.0,
                trials,
                TuneJudge.finalists(
                        trials,
                        settings -> settings.isEmpty() ? new Durability(2, 2, true) : new Durability(1, 1, false)),
                List.of(),
                "");
        assertThat(String.join(
                        "; ",
                        new TuneKind()
                                .sentences(new SearchResults(List.of(result)))
                                .get(0)))
                .startsWith("No tried settings beat the defaults in acked/s, response p99 at 500/s or durability")
                .contains("linger.ms=<50> trades: 2.0")
                .contains("and less durability (the leader alone instead of acks all, at least 2 in sync, idempotent)");
    }
}
