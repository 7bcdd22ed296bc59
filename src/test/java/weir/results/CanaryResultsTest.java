package weir.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.measure.Canary;

class CanaryResultsTest {
    private static Canary of(String name, double... rounds) {
        return new Canary(
                name, "x/s", true, 0.1, java.util.Arrays.stream(rounds).boxed().toList());
    }

    @Test
    void onlyWhatWasDoneBothTimesCanDrift() {
        CanaryResults canaries = new CanaryResults(
                List.of(of("cpu", 100, 101, 99), of("memory", 10, 11, 9), of("gone", 1)),
                List.of(of("memory", 10, 12, 9), of("cpu", 70, 71, 69), of("new", 9)));
        assertThat(canaries.pairs()).hasSize(2);
        assertThat(canaries.drifted()).extracting(pair -> pair.before().name()).containsExactly("cpu");
        assertThat(CanaryResults.NONE.drifted()).isEmpty();
    }

    @Test
    void aChangeThatCountsWithOverlappingIntervalsIsNotCalledTheSame() {
        Canary before = of("cpu", 90, 100, 130);
        Canary after = of("cpu", 100, 117, 120);
        assertThat(after.counts(before)).isTrue();
        assertThat(new CanaryResults.Pair(before, after).verdict()).isEqualTo("not known: the intervals overlap");
        assertThat(new CanaryResults.Pair(before, of("cpu", 200, 200, 200)).verdict())
                .isEqualTo("another");
        assertThat(new CanaryResults.Pair(before, before).verdict()).isEqualTo("the same");
    }

    @Test
    void theyComeBackAsTheyWereWritten(@TempDir Path root) {
        RequestedExperiment asked = new RequestedExperiment(
                "1", "weir run x.yaml", "x", "", 1, false, List.of(), List.of(), new TreeMap<>(), List.of());
        RunFolder run = RunFolder.create(root, Instant.parse("2026-11-20T12:00:00Z"), "", asked, path -> {});
        assertThat(run.canaries()).isEqualTo(CanaryResults.NONE);
        CanaryResults canaries = new CanaryResults(List.of(of("cpu", 1, 2, 3)), List.of(of("cpu", 2, 3, 4)));
        run.canaries(canaries);
        assertThat(run.canaries()).isEqualTo(canaries);
    }
}
