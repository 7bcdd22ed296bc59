package weir.feature.partitions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.feature.partitions.PartitionsResult.PartitionTrial;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.plan.syntax.CaveatType;
import weir.plan.trial.Trial;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.results.TrialFolder;
import weir.results.value.Attempt;
import weir.results.value.ExpectResult;
import weir.run.Exit;
import weir.run.FakeLab;
import weir.run.RunListener;
import weir.run.RunOptions;
import weir.run.Runner;

/** Searches for partitions on a cluster with a known rate of each partition. */
class PartitionsRunTest {
    private static final String PLAN = """
            load: { workload: produce }
            search: { partitions: { for: 12k/s } }
            """;

    @TempDir
    private Path dir;

    /** An undisturbed search, which several tests examine. */
    private static RunResult whole;

    private static List<Trial> triedInAll;

    private FakeLab lab;
    private @Nullable Runner runner;
    private final List<Trial> tried = new ArrayList<>();
    private final List<Integer> heated = new ArrayList<>();

    private final RunListener listener = new RunListener() {
        @Override
        public boolean agrees(String question) {
            return question.endsWith("at up to 12,000/s, the backlog, which is read without a rate limit. Continue?");
        }

        @Override
        public void warmsUp(Trial trial, double rate) {
            heated.add(trial.repeat());
        }

        @Override
        public void tried(Trial trial, Attempt attempt) {
            tried.add(trial);
        }
    };

    @BeforeAll
    static void searchUndisturbed(@TempDir Path dir) throws IOException {
        PartitionsRunTest search = new PartitionsRunTest();
        search.dir = dir;
        search.open();
        whole = search.run(PLAN + "expect: [partitions <= 3, partitions > 2, partitions > 3]\n");
        triedInAll = search.tried;
    }

    @BeforeEach
    void open() {
        lab = new FakeLab(dir.resolve("state"));
        lab.capacity = 5_000;
        lab.adding = 100;
    }

    private RunResult run(String plan, Path resume, double maxRate) throws IOException {
        Path file = Files.writeString(dir.resolve("e.yaml"), "name: e\n" + plan);
        RunOptions options = new RunOptions(dir.resolve("runs"), false, maxRate, 0, resume, "test", "weir run e.yaml");
        runner = new Runner(PlanReader.read(file, Overrides.NONE), options, listener, notes -> lab);
        return runner.run();
    }

    private RunResult run(String plan) throws IOException {
        return run(plan, RunOptions.NEW, 0);
    }

    private static PartitionsResult found(RunResult result) {
        assertThat(result.conclusion().found().of(PartitionsResult.class)).hasSize(1);
        return result.conclusion().found().of(PartitionsResult.class).get(0);
    }

    private static List<String> carrying(PartitionsResult found) {
        return found.carrying().stream()
                .map(trial -> trial.partitions() + (trial.sustained() ? " sustained" : " refused"))
                .toList();
    }

    @Test
    void smallestNumberThatSustainsTheRateIsFound() {
        PartitionsResult found = found(whole);
        assertThat(found.partitions()).isEqualTo(3);
        assertThat(found.low()).isEqualTo(3);
        assertThat(found.high()).isEqualTo(3);
        assertThat(found.producing().rate()).isBetween(4_700.0, 5_000.0);
        assertThat(found.consuming()).isBetween(990e3, 1_010e3);
        assertThat(found.reading())
                .as("one to warm, one that is far more than it takes")
                .hasSize(2);
        assertThat(found.adding()).extracting(PartitionTrial::partitions).containsExactly(1, 2, 4);
        assertThat(found.added(found.adding().get(2))).isBetween(0.95, 1.05);
        assertThat(carrying(found)).containsExactly("3 sustained", "2 refused", "2 refused");
        assertThat(found.share()).isEqualTo(1);
        assertThat(whole.trials()).as("the search is the whole experiment").isEmpty();
        assertThat(whole.expect()).extracting(ExpectResult::verdict).containsExactly("passed", "passed", "failed");
        assertThat(whole.conclusion().answer())
                .startsWith("12k/s needs 3 partitions [3, 3]; one partition accepts ")
                .contains(" 1 of 3 expectations failed: partitions > 3 ");
        assertThat(String.join(" ", whole.conclusion().details()))
                .contains("tried, 2 did not, 3 sustained it; with 2 achieved ")
                .contains("4 partitions carry 4.0");
        assertThat(whole.caveats()).noneMatch(caveat -> caveat.is(CaveatType.named("partitions-do-not-add")));
        assertThat(triedInAll).hasSize(found.tried().size());
        assertThat(triedInAll
                        .get(triedInAll.size() - 1)
                        .variant()
                        .load()
                        .producers()
                        .count())
                .as("a producer a partition")
                .isEqualTo(2);
    }

    @Test
    void slowConsumerDeterminesTheNumber() throws IOException {
        lab.reading = 1_700;
        PartitionsResult found = found(run(PLAN));
        assertThat(found.reading()).hasSize(5);
        assertThat(found.consumingHigh()).isCloseTo(1_700, within(20.0));
        assertThat(found.carrying().get(0).partitions()).isEqualTo(8);
        assertThat(found.high()).isEqualTo(8);
    }

    @Test
    void machineLimitIsTriedIfPartitionsDoNotScale() throws IOException {
        lab.adding = 2;
        RunResult result = run(PLAN.replace("12k/s", "1M/s") + "expect: [partitions < 300, partitions < 100]\n");
        PartitionsResult found = found(result);
        assertThat(found.partitions()).isBetween(200, 215);
        assertThat(found.adding()).extracting(PartitionTrial::partitions).containsExactly(1, 2, 4, 8);
        assertThat(found.share()).isBetween(0.008, 0.0095);
        assertThat(found.calculated()).isTrue();
        assertThat(result.expect()).extracting(ExpectResult::verdict).containsExactly("undecided", "undecided");
        assertThat(carrying(found)).containsExactly("2 sustained", "1 refused", "1 refused");
        assertThat(result.caveats()).anyMatch(caveat -> caveat.is(CaveatType.named("partitions-do-not-add")));
        assertThat(String.join(" ", result.conclusion().details()))
                .contains("tried at ")
                .contains(" of the rate that this machine carries: ")
                .contains("calculated only: this machine is the limit, 8 partitions carry 2.00× the rate of one.")
                .doesNotContain("At full speed");
    }

    @Test
    void onePartitionSufficesForARateThatItCarries() throws IOException {
        PartitionsResult found = found(run(PLAN.replace("12k/s", "400kB/s")));
        assertThat(found.partitions()).isEqualTo(1);
        assertThat(found.high()).isEqualTo(1);
        assertThat(found.adding()).isEmpty();
        assertThat(carrying(found)).containsExactly("1 sustained");
    }

    @Test
    void noNumberIsReportedIfOnePartitionSustainsNoRate() throws IOException {
        RunResult result = run(PLAN.replace("12k/s", "12k/s, limits: [response p99 < 1us]"));
        PartitionsResult found = found(result);
        assertThat(found.partitions()).isNull();
        assertThat(found.tried()).isNotEmpty();
        assertThat(result.conclusion().answer())
                .startsWith(
                        "Invalid (nothing-measured): The number of partitions that carries 12k/s is unknown: no rate is sustained");
    }

    @Test
    void partitionWithoutReadsGivesNoNumber() throws IOException {
        lab.reading = 0;
        RunResult result = run(PLAN);
        assertThat(found(result).partitions()).isNull();
        assertThat(found(result).reading()).hasSize(8);
        assertThat(result.conclusion().answer()).contains("is unknown: a consumer read no record of a partition in 8");
    }

    @Test
    void externalClusterIsNotLoadedAboveTheRate() throws IOException {
        RunResult result = run(PLAN + "cluster: { bootstrap: \"127.0.0.1:1\" }\n");
        assertThat(found(result).partitions()).isEqualTo(3);
        List<TrialFolder> searched = RunFolder.open(Path.of(result.run())).searched();
        assertThat(searched)
                .filteredOn(trial -> trial.result().figures().offeredPerSecond() != null)
                .allSatisfy(trial ->
                        assertThat(trial.result().figures().offeredPerSecond()).isLessThanOrEqualTo(12_001.0));
        assertThat(searched)
                .filteredOn(trial -> trial.result().figures().offeredPerSecond() == null)
                .as("what only reads has no rate")
                .hasSize(2);
    }

    @Test
    void boundBelowTheRateIsTriedAsAShare() throws IOException {
        PartitionsResult found = found(run(PLAN, RunOptions.NEW, 8_000));
        assertThat(found.partitions()).isEqualTo(3);
        assertThat(found.share()).isCloseTo(8.0 / 12, within(0.001));
        assertThat(carrying(found)).containsExactly("2 sustained", "1 refused", "1 refused");
    }

    @Test
    void resumedSearchWarmsUpNewBrokers() throws IOException {
        int one = found(whole).producing().tried().size();
        lab.in(one + 4, 2, () -> Objects.requireNonNull(runner).interrupt());
        RunResult half = run(PLAN);
        assertThat(heated).as("those of the search for what one takes").containsExactly(1, 2);
        assertThat(found(half).adding()).hasSize(1);
        run(PLAN, Path.of(half.run()), 0);
        assertThat(heated).containsExactly(1, 2, 1);
    }

    @Test
    @Tag("long")
    void interruptedSearchKeepsItsTrialsAndResumes() throws IOException {
        int all = found(whole).tried().size();
        int one = found(whole).producing().tried().size();
        // At the beginning, within the search for P, in the trials that read, and in the trials with the whole load.
        for (int cut : List.of(1, one / 2, one + 1, all - 1)) {
            open();
            // A trial that only reads has no second second.
            lab.in(
                    cut,
                    cut == one + 1 ? 1 : 2,
                    () -> Objects.requireNonNull(runner).interrupt());
            RunResult half = run(PLAN);
            assertThat(half.exit()).as("cut in %d", cut).isEqualTo(Exit.INTERRUPTED.code());
            assertThat(half.caveats()).anyMatch(caveat -> caveat.is(CaveatType.named("interrupted")));
            PartitionsResult before = found(half);
            assertThat(before.tried()).as("cut in %d", cut).hasSizeLessThan(all);
            RunResult rest = run(PLAN, Path.of(half.run()), 0);
            PartitionsResult after = found(rest);
            assertThat(after.tried().subList(0, before.producing().tried().size()))
                    .isEqualTo(before.producing().tried());
            assertThat(after.partitions()).isEqualTo(3);
            assertThat(rest.exit()).isZero();
        }
    }
}
