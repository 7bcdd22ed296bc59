package weir.feature.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.feature.tune.TuneResult.Finalist;
import weir.feature.tune.TuneResult.TuneTrial;
import weir.feature.tune.TuneResult.Verdict;
import weir.plan.Problems;
import weir.plan.Variant;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.plan.syntax.CaveatType;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.run.Exit;
import weir.run.FakeLab;
import weir.run.RunOptions;
import weir.run.Runner;

/** Searches for settings on a cluster where the effect of settings is known. */
class TuneRunTest {
    private static final String LINGER = "load.producer.linger.ms";
    private static final String BATCH = "load.producer.batch.size";
    private static final String PLAN = """
            load: { workload: produce, value: { size: 100B } }
            search:
              tune:
                space: { load.producer.batch.size: [16384, 65536, 131072], load.producer.linger.ms: [0, 5, 50] }
                budget: 6m
                warmup: 1s
                measure: 2s
            """;

    @TempDir
    private Path dir;

    /** A search without any effect, which several tests examine. */
    private static RunResult without;

    private static double secondsWithout;

    private FakeLab lab;
    private @Nullable Runner runner;

    private static String property(Variant variant, String name, String fallback) {
        return variant.load().producers().properties().getOrDefault(name, fallback);
    }

    /** A batch of 128 KiB carries three times as much, a batch of 64 KiB twice as much. The linger has no effect. */
    private static double batches(Variant variant) {
        return switch (property(variant, "batch.size", "16384")) {
            case "131072" -> 3;
            case "65536" -> 2;
            default -> 1;
        };
    }

    @BeforeAll
    static void searchWithout(@TempDir Path dir) throws IOException {
        TuneRunTest search = new TuneRunTest();
        search.dir = dir;
        search.open();
        long before = search.lab.nanos();
        without = search.run(PLAN);
        secondsWithout = (search.lab.nanos() - before) / 1e9;
    }

    @BeforeEach
    void open() {
        lab = new FakeLab(dir.resolve("state"));
        lab.capacity = 5_000;
    }

    private RunResult run(String plan, Path resume, double maxRate) throws IOException {
        Path file = Files.writeString(dir.resolve("e.yaml"), "name: e\n" + plan);
        RunOptions options = new RunOptions(dir.resolve("runs"), true, maxRate, 0, resume, "test", "weir run e.yaml");
        runner = new Runner(PlanReader.read(file, Overrides.NONE), options, question -> true, notes -> lab);
        return runner.run();
    }

    private RunResult run(String plan) throws IOException {
        return run(plan, RunOptions.NEW, 0);
    }

    private static TuneResult found(RunResult result) {
        assertThat(result.conclusion().found().of(TuneResult.class)).hasSize(1);
        return result.conclusion().found().of(TuneResult.class).get(0);
    }

    @Test
    void fasterSettingsAreFoundConfirmedAndReported() throws IOException {
        lab.factor = TuneRunTest::batches;
        RunResult result = run(PLAN);
        TuneResult found = found(result);
        assertThat(found.finalists().get(0).verdict()).isEqualTo(Verdict.DEFAULTS);
        assertThat(found.finalists().get(0).perSecond()).isCloseTo(5_000, within(100.0));
        Finalist best = found.better().get(0);
        assertThat(best.settings()).containsEntry(BATCH, "131072");
        assertThat(best.throughput().ratio()).isCloseTo(3, within(0.1));
        assertThat(best.trials()).isGreaterThanOrEqualTo(TuneBudget.ROUNDS);
        assertThat(found.at()).as("half of what the defaults carry").isCloseTo(2_500, within(50.0));
        assertThat(found.effects())
                .filteredOn(
                        effect -> effect.path().equals(BATCH) && effect.value().equals("65536"))
                .singleElement()
                .satisfies(effect -> assertThat(effect.throughput().ratio()).isCloseTo(2, within(0.1)));
        assertThat(result.trials()).as("the search is the whole experiment").isEmpty();
        assertThat(result.exit()).isZero();
        assertThat(result.conclusion().answer())
                .startsWith("batch.size=131072, linger.ms=")
                .contains(" beats the defaults: 3.0")
                .contains("their acked/s");
        assertThat(result.conclusion().scope())
                .contains("settings tried in " + found.trials().size() + " trials");
    }

    @Test
    void tuningWithoutEffectsNamesNoSetting() {
        assertThat(found(without).better()).isEmpty();
        assertThat(without.conclusion().answer())
                .startsWith("No tried settings beat the defaults in acked/s, response p99 at ");
    }

    @Test
    void trialsComeInPairsAndFinalistsTakeTurns() {
        TuneResult found = found(without);
        List<TuneTrial> trials = found.trials();
        for (int i = 0; i < trials.size(); i += 2) {
            assertThat(trials.get(i).paced()).isFalse();
            assertThat(trials.get(i + 1).paced()).isTrue();
            assertThat(trials.get(i + 1).settings()).isEqualTo(trials.get(i).settings());
        }
        List<TuneTrial> finals = trials.stream().filter(one -> one.round() > 0).toList();
        int finalists = found.finalists().size();
        int rounds = finals.get(finals.size() - 1).round();
        assertThat(rounds).isGreaterThanOrEqualTo(TuneBudget.ROUNDS);
        assertThat(finals).hasSize(2 * rounds * finalists);
        for (int round = 1; round <= rounds; round++) {
            int number = round;
            List<Object> once = new ArrayList<>();
            finals.stream()
                    .filter(one -> one.round() == number && one.paced())
                    .forEach(one -> once.add(one.settings()));
            assertThat(once).hasSize(finalists).doesNotHaveDuplicates();
        }
        assertThat(new HashSet<>(trials.subList(0, trials.size() - finals.size()).stream()
                        .map(TuneTrial::settings)
                        .toList()))
                .as("all nine points, and the defaults, which are one of them")
                .hasSize(10);
    }

    @Test
    void tuningKeepsItsBudget() {
        assertThat(secondsWithout).isLessThan(360 + 30);
        assertThat(found(without).trials().stream()
                        .mapToDouble(TuneTrial::seconds)
                        .sum())
                .isBetween(250.0, 360.0);
    }

    /** Trials may take longer than the check can know. Then the search exceeds its budget and still tries points. */
    @Test
    @Tag("long")
    void slowTrialsStillTryAFewPoints() throws IOException {
        lab.factor = TuneRunTest::batches;
        TuneResult found = found(run(PLAN.replace("budget: 6m", "budget: 220s")));
        assertThat(found.trials().stream()
                        .filter(one -> one.round() == 0)
                        .map(TuneTrial::settings)
                        .distinct()
                        .count())
                .isGreaterThanOrEqualTo(6);
    }

    @Test
    @Tag("long")
    void tuningAnExternalClusterRequiresAndKeepsAMaximumRate() throws IOException {
        String theirs = PLAN + "cluster: { bootstrap: \"127.0.0.1:1\" }\n";
        assertThatThrownBy(() -> run(theirs))
                .isInstanceOf(Problems.class)
                .hasMessageContaining("set an upper bound, as in --max-rate 50k/s");
        RunResult result = run(theirs, RunOptions.NEW, 2_000);
        assertThat(found(result).trials())
                .allSatisfy(one -> assertThat(one.perSecond()).isLessThanOrEqualTo(2_010.0));
    }

    @Test
    void rateAboveTheBoundIsRefused() {
        assertThatThrownBy(() -> run(
                        PLAN.replace("budget: 6m", "budget: 6m\n    at: 900k/s")
                                + "cluster: { bootstrap: \"127.0.0.1:1\" }\n",
                        RunOptions.NEW,
                        1_000))
                .isInstanceOf(Problems.class)
                .hasMessageContaining("search.tune.at: 900,000/s is above the highest allowed rate, which is 1,000/s");
    }

    @Test
    @Tag("long")
    void valuesThatAClientRefusesTogetherAreNeverTried() throws IOException {
        TuneResult found = found(
                run(
                        PLAN.replace(
                                "load.producer.linger.ms: [0, 5, 50]",
                                "load.producer.request.timeout.ms: [20000, 60000], load.producer.delivery.timeout.ms: [60000, 120000]")));
        assertThat(found.trials())
                .noneMatch(one -> "60000".equals(one.settings().get("load.producer.request.timeout.ms"))
                        && "60000".equals(one.settings().get("load.producer.delivery.timeout.ms")));
        assertThat(found.finalists()).isNotEmpty();
    }

    @Test
    @Tag("long")
    void interruptedTuningKeepsItsTrialsAndResumes() throws IOException {
        // Smaller than the other spaces, because the test searches it seven times.
        String small = PLAN.replace("[16384, 65536, 131072]", "[16384, 131072]")
                .replace("[0, 5, 50]", "[0, 50]")
                .replace("budget: 6m", "budget: 3m");
        lab.factor = TuneRunTest::batches;
        List<TuneTrial> whole = found(run(small)).trials();
        int all = whole.size();
        assertThat(whole.get(9).round())
                .as("the second of a pair of those that are proposed")
                .isZero();
        assertThat(whole.get(all - 12).round())
                .as("the first of a pair of the last dozen, which are measured again")
                .isPositive();
        for (int cut : List.of(1, 10, all - 11)) {
            open();
            lab.factor = TuneRunTest::batches;
            lab.in(cut, 2, () -> Objects.requireNonNull(runner).interrupt());
            RunResult half = run(small);
            assertThat(half.exit()).as("cut in %d", cut).isEqualTo(Exit.INTERRUPTED.code());
            assertThat(half.caveats()).anyMatch(caveat -> caveat.is(CaveatType.named("interrupted")));
            TuneResult before = found(half);
            assertThat(before.trials()).as("cut in %d", cut).hasSize(cut - 1);
            assertThat(half.conclusion().answer()).startsWith("The best settings are unknown: the search ended");
            RunResult rest = run(small, Path.of(half.run()), 0);
            TuneResult after = found(rest);
            assertThat(after.trials().subList(0, before.trials().size())).isEqualTo(before.trials());
            assertThat(after.trials()).as("cut in %d", cut).isEqualTo(whole);
            assertThat(rest.exit()).isZero();
            assertThat(RunFolder.open(Path.of(rest.run())).found().of(TuneResult.class))
                    .containsExactly(after);
        }
    }

    @Test
    @Tag("long")
    void theDefaultsNeedNotBeAPointOfTheSpace() throws IOException {
        TuneResult found = found(run(PLAN.replace("[0, 5, 50]", "[0, 50]")));
        assertThat(found.finalists().get(0).settings()).isEmpty();
        assertThat(found.effects())
                .filteredOn(effect -> effect.path().equals(LINGER))
                .allSatisfy(effect -> assertThat(effect.against()).isEqualTo("5"))
                .hasSize(2);
    }
}
