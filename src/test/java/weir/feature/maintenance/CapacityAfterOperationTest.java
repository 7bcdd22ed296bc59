package weir.feature.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.measure.Count;
import weir.plan.Plans;
import weir.plan.Variant;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.plan.trial.Estimate;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.results.TrialFolder;
import weir.results.value.CapacityResult;
import weir.results.value.ExpectResult;
import weir.run.FakeLab;
import weir.run.RunJudge;
import weir.run.RunOptions;

/** Searches for the capacity before and after an operation, on a fake cluster whose capacity the operation doubles. */
class CapacityAfterOperationTest {
    private static final String SEARCH = """
            search: { capacity: { of: each, limits: [response p99 < 100ms], from: 500/s, warmup: 1s, measure: 2s } }
            """;

    private static final String GROW = """
            cluster: { brokers: 2, fresh: trial }
            warmup: 1s
            measure: 3s
            """ + SEARCH + "during: { grow: { at: 1s, settle: 1s, add: { move: none } } }\n";

    /** The fake cluster lists no broker, so the added broker has the number 1. */
    private static final List<String> JOINED = List.of("RESTART 1");

    @TempDir
    Path dir;

    private final List<String> notes = new ArrayList<>();

    private FakeLab lab() {
        FakeLab lab = new FakeLab(dir.resolve("state"));
        lab.capacity = 4_000;
        lab.factor = variant -> variant.clusterChanged() && variant.during().isEmpty() ? 2 : 1;
        return lab;
    }

    @Test
    void operationIsCarriedOutOnceOnTheClusterOfBothSearches() throws IOException {
        FakeLab lab = lab();
        RunResult run = lab.run(
                dir, GROW + "expect: [capacity of base after grow / base > 1.5, capacity of base < 5k/s]\n", notes);
        List<CapacityResult> found = run.conclusion().found().capacities();
        assertThat(found).extracting(CapacityResult::of).containsExactly("base", "base after grow");
        assertThat(found.get(0).rate()).isBetween(3_500.0, 4_000.0);
        assertThat(found.get(1).rate()).isBetween(7_000.0, 8_000.0);
        assertThat(lab.clusterActs()).containsExactly(JOINED);
        assertThat(run.comparisons()).singleElement().satisfies(compared -> {
            assertThat(compared.pair()).isEqualTo("base after grow / base");
            assertThat(compared.ratio()).isBetween(1.8, 2.2);
        });
        assertThat(run.conclusion().answer()).startsWith("Sustains ").contains(" after grow: ", "×, ");
        assertThat(run.expect()).hasSize(2).allMatch(ExpectResult::passed);
        assertThat(run.trials()).isEmpty();
        assertThat(run.exit()).as("%s %s", run.caveats(), notes).isZero();
    }

    @Test
    void operationWithoutARateRunsAtHalfOfTheCapacity() throws IOException {
        RunResult run = lab().run(dir, GROW, notes);
        TrialFolder change = operations(run);
        assertThat(change.result().figures().count(Count.LOST)).isZero();
        double before = Objects.requireNonNull(
                run.conclusion().found().capacities().get(0).rate());
        assertThat(change.result().figures().offeredPerSecond()).isBetween(before / 2 - 1, before / 2 + 1);
        assertThat(change.path().resolve("events.csv")).content().contains("grow: addition of 1 broker");
    }

    private static TrialFolder operations(RunResult run) throws IOException {
        return RunFolder.open(Path.of(run.run())).searched().stream()
                .filter(trial -> trial.path().endsWith("00-base_after_grow-0"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void trialsOfTheFileGetClustersOfTheirOwn() throws IOException {
        FakeLab lab = lab();
        RunResult run = lab.run(dir, GROW + "load: { rate: 1k/s }\nrepeat: 2\n", notes);
        assertThat(run.trials()).hasSize(2);
        assertThat(lab.clusterActs()).containsExactly(JOINED, JOINED, JOINED);
        assertThat(operations(run).result().figures().offeredPerSecond()).isBetween(999.0, 1_001.0);
        assertThat(run.conclusion().details()).anyMatch(detail -> detail.contains(" after grow: "));
    }

    @Test
    void nextVariantIsSearchedOnANewCluster() throws IOException {
        FakeLab lab = lab();
        RunResult run = lab.run(dir, GROW + "variants: { a: {}, b: { during: { grow: null } } }\n", notes);
        assertThat(run.conclusion().found().capacities())
                .extracting(CapacityResult::of)
                .containsExactly("a", "a after grow", "b");
        assertThat(lab.clusterActs()).containsExactly(JOINED, List.of());
    }

    @Test
    void storedRunIsJudgedAlike() throws IOException {
        RunResult run = lab().run(dir, GROW, notes);
        RunOptions options = new RunOptions(dir, false, 0, 0, RunOptions.NEW, "test", "weir run e.yaml");
        RunResult again = new RunJudge(RunFolder.open(Path.of(run.run())))
                .judged(PlanReader.read(dir.resolve("e.yaml"), Overrides.NONE), options);
        assertThat(again.conclusion()).isEqualTo(run.conclusion());
        assertThat(again.comparisons()).isEqualTo(run.comparisons());
    }

    @Test
    void operationsWithoutCapacityAndRateAreSkipped() throws IOException {
        FakeLab lab = lab();
        lab.capacity = 10;
        RunResult run = lab.run(dir, GROW, notes);
        assertThat(notes).contains("the search found no capacity, so the operations have no rate and are skipped");
        assertThat(lab.clusterActs()).containsExactly(List.of());
        assertThat(run.exit()).isNotZero();
    }

    @Test
    void onlyOperationsThatChangeTheClusterAreFollowedByASearch() {
        String plan = "cluster: { kafka: 4.3.1, brokers: 4, fresh: trial }\nload: { rate: 1/s }\n" + SEARCH;
        Variant restarted =
                Plans.only(plan + "during: { x: { at: 1s, restart: {} }, y: { at: 2s, elect: preferred } }");
        assertThat(restarted.onChangedCluster()).isEmpty();
        Variant both = Plans.only(plan + "during: { b: { at: 1s, upgrade: { to: 4.4.0 } }, a: { at: 2s, add: {} } }");
        assertThat(both.onChangedCluster()).get().extracting(Variant::name).isEqualTo("base after b and a");
        assertThat(Variant.nameBefore("base after b and a")).isEqualTo("base");
    }

    @Test
    void estimateHasBothSearchesAndTheOperations() {
        Duration before = time(SEARCH);
        Duration both = time(SEARCH + "during: { grow: { at: 60s, add: {} } }\n");
        assertThat(both).isGreaterThan(before.multipliedBy(2).minusSeconds(15).plusSeconds(60));
    }

    private static Duration time(String rest) {
        return Estimate.of(Plans.read("cluster: { brokers: 2, fresh: trial }\nmeasure: 90s\n" + rest))
                .time();
    }
}
