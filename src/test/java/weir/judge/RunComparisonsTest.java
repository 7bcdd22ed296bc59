package weir.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.results.GateOutcome;
import weir.results.IncomparableRunsException;
import weir.results.RunComparison;
import weir.results.RunComparison.Difference;
import weir.results.RunFolder;
import weir.results.StoredRun;
import weir.results.UnreadableRunException;
import weir.results.value.ComparisonResult;

class RunComparisonsTest {
    private static final double[] STEADY = {10, 10.05, 9.95, 10, 10.02};
    private static final double[] SLOWER = {11, 11.05, 10.95, 11, 11.02};
    private static final double[] NOISY = {10, 13, 8, 11, 9};

    @TempDir
    Path root;

    private StoredRun run(double... p99s) {
        return new StoredRun(root, "x").variant("base", p99s);
    }

    private static GateOutcome gate(double tolerance, StoredRun... runs) {
        return Objects.requireNonNull(compared(tolerance, runs).gate()).outcome();
    }

    private static RunComparison compared(double tolerance, StoredRun... runs) {
        return RunComparisons.of(List.of(runs).stream().map(StoredRun::write).toList(), tolerance, false, false);
    }

    private static RunComparison anyway(double tolerance, StoredRun... runs) {
        return RunComparisons.of(List.of(runs).stream().map(StoredRun::write).toList(), tolerance, false, true);
    }

    private static RunComparison compared(StoredRun... runs) {
        return compared(Double.NaN, runs);
    }

    private static RunComparison strictly(double tolerance, StoredRun... runs) {
        return RunComparisons.of(List.of(runs).stream().map(StoredRun::write).toList(), tolerance, true, false);
    }

    @Test
    void shorterReleaseNameIsNoDifference() {
        assertThat(compared(run(STEADY), run(STEADY).fact("kafka", "4.3")).differences())
                .isEmpty();
        assertThat(compared(run(STEADY), run(STEADY).fact("kafka", "4.30")).differences())
                .extracting(Difference::kind)
                .containsExactly(Difference.Kind.KAFKA);
    }

    @Test
    void suspectRunIsLabelledAndFailsAStrictGate() {
        assertThat(compared(0.05, run(STEADY), run(STEADY).suspect()).runs())
                .extracting(RunComparison.Side::state)
                .containsExactly("valid", "suspect");
        assertThat(compared(0.05, run(STEADY), run(STEADY).suspect()).exit()).isZero();
        RunComparison strict = strictly(0.05, run(STEADY), run(STEADY).suspect());
        assertThat(strict.exit()).isEqualTo(4);
        assertThat(Objects.requireNonNull(strict.gate()).outcome()).isEqualTo(GateOutcome.BLIND);
        assertThat(strictly(Double.NaN, run(STEADY), run(STEADY).suspect()).exit())
                .isEqualTo(4);
        assertThat(strictly(0.05, run(STEADY), run(STEADY)).exit()).isZero();
    }

    @Test
    void runsAreComparedWithTheFirst() {
        RunComparison comparison = compared(run(STEADY), run(SLOWER).at(20));
        ComparisonResult p99 = comparison.comparisons().get(0);
        assertThat(p99.pair()).isEqualTo("B / A");
        assertThat(p99.metric()).isEqualTo("response p99");
        assertThat(p99.verdict()).isEqualTo(Comparisons.WORSE);
        assertThat(p99.ratio()).isBetween(1.09, 1.11);
        assertThat(comparison.differences()).isEmpty();
        assertThat(comparison.exit()).isZero();
        assertThat(comparison.doubts()).singleElement().asString().contains("not interleaved", "20 min apart");
    }

    @Test
    void machineVersionsSettingsAndEffectivePropertiesThatDifferAreListed() {
        RunComparison comparison = anyway(
                Double.NaN,
                run(STEADY),
                run(STEADY)
                        .fact("cpu.model", "Imaginary 10000")
                        .fact("memory.mib", "16100")
                        .fact("kernel", "6.2")
                        .fact("kafka", "4.4.0")
                        .setting("load.producer.acks", "1")
                        .setting("repeat", "9")
                        .linger("0"));
        assertThat(comparison.differences())
                .extracting(Difference::kind, Difference::name, Difference::values)
                .containsExactly(
                        tuple(Difference.Kind.MACHINE, "cpu.model", List.of("Imaginary 9000", "Imaginary 10000")),
                        tuple(Difference.Kind.SOFTWARE, "kernel", List.of("6.1", "6.2")),
                        tuple(Difference.Kind.KAFKA, "kafka", List.of("4.3.1", "4.4.0")),
                        tuple(Difference.Kind.SETTING, "load.producer.acks", List.of("–", "1")),
                        tuple(Difference.Kind.PROPERTY, "producer linger.ms", List.of("5", "0")));
        assertThat(comparison.doubts()).anyMatch(doubt -> doubt.contains("versions of Kafka (4.3.1, 4.4.0)"));
        assertThat(comparison.exit()).isZero();
    }

    @Test
    void runsWithDifferentKeysAreRefused() {
        assertThatThrownBy(() -> compared(run(STEADY), run(STEADY).setting("load.rate", "200/s")))
                .isInstanceOf(IncomparableRunsException.class)
                .hasMessageMatching(".*-x and .*-x cannot be compared: load differs \\(load.rate is '100/s' in one and"
                        + " '200/s' in the other\\); --anyway shows their figures without a ratio");
        assertThatThrownBy(() -> compared(run(STEADY), run(STEADY).setting("load.workload", "produce")))
                .isInstanceOf(IncomparableRunsException.class);
        RunFolder one = run(STEADY).write();
        assertThatThrownBy(() -> RunComparisons.of(List.of(one, one), Double.NaN, false, false))
                .isInstanceOf(IncomparableRunsException.class)
                .hasMessageContaining("--a-a");
        assertThatThrownBy(() -> RunComparisons.of(List.of(one), Double.NaN, false, false))
                .isInstanceOf(IncomparableRunsException.class)
                .hasMessageContaining("2 to 10 runs");
        assertThatThrownBy(() -> compared(run(STEADY), run()))
                .isInstanceOf(IncomparableRunsException.class)
                .hasMessageContaining("no finished trial");
    }

    @Test
    void runsWithDifferentKeysHaveFiguresButNoRatioAnyway() {
        RunComparison comparison = anyway(
                0.5,
                run(STEADY),
                run(SLOWER).at(1),
                run(SLOWER).at(2).setting("load.rate", "200/s").fact("cpu.cores", "8"));
        assertThat(comparison.comparisons()).extracting(ComparisonResult::pair).containsOnly("B / A");
        RunComparison.Apart apart = comparison.apart().get(0);
        assertThat(comparison.apart()).hasSize(1);
        assertThat(apart.text())
                .isEqualTo("C and A have no ratio: load differs (load.rate is '100/s' in A and '200/s' in C);"
                        + " machine differs (cpu.cores is '4' in A and '8' in C).");
        ComparisonResult p99 = apart.figures().get(0);
        assertThat(p99.metric()).isEqualTo("response p99");
        assertThat(p99.figureOfA()).isBetween(10.9, 11.1);
        assertThat(p99.figureOfB()).isBetween(9.9, 10.1);
        assertThat(p99.verdict()).isEqualTo(Comparisons.NO_VERDICT);
        assertThat(List.of(p99.writtenRatio(), p99.interval())).containsOnly("–");
        assertThat(comparison.exit()).isEqualTo(4);
        assertThat(Objects.requireNonNull(comparison.gate()).why()).containsExactly(apart.text());
    }

    @Test
    void variantsAreComparedWithThoseOfTheSameName() {
        StoredRun before = new StoredRun(root, "x").variant("lz4", STEADY).variant("zstd", SLOWER);
        StoredRun after = new StoredRun(root, "x").variant("zstd", SLOWER).variant("none", STEADY);
        assertThat(compared(before, after).comparisons())
                .extracting(ComparisonResult::pair)
                .containsOnly("B zstd / A zstd");
        assertThatThrownBy(() -> compared(
                        before, new StoredRun(root, "x").variant("a", STEADY).variant("b", STEADY)))
                .isInstanceOf(IncomparableRunsException.class)
                .hasMessageContaining("requires a common variant");
        // One variant each: whatever it is called.
        assertThat(compared(run(STEADY), new StoredRun(root, "y").variant("other", STEADY))
                        .comparisons())
                .isNotEmpty();
    }

    @Test
    void aGateFailsWhenTheWholeIntervalIsWorseThanTolerable() {
        assertThat(gate(0.05, run(STEADY), run(SLOWER))).isEqualTo(GateOutcome.REGRESSION);
        assertThat(compared(0.05, run(STEADY), run(SLOWER)).exit()).isEqualTo(98);
        assertThat(gate(0.12, run(STEADY), run(SLOWER))).isEqualTo(GateOutcome.OPEN);
        // Neither an improvement nor a smaller loss is a regression.
        assertThat(gate(0.05, run(SLOWER), run(STEADY))).isEqualTo(GateOutcome.OPEN);
        assertThat(compared(0.05, run(STEADY), run(STEADY).at(1)).exit()).isZero();
    }

    @Test
    void aGateThatCouldNotHaveSeenItIsBlindAndNotGreen() {
        RunComparison noisy = compared(0.05, run(NOISY), run(NOISY).at(1));
        assertThat(Objects.requireNonNull(noisy.gate()).outcome()).isEqualTo(GateOutcome.BLIND);
        assertThat(noisy.gate().why()).singleElement().asString().contains("repeat more often");
        assertThat(noisy.exit()).isEqualTo(4);
        assertThat(gate(0.05, run(10, 10, 10), run(10, 10, 10).at(1))).isEqualTo(GateOutcome.BLIND);
        assertThat(gate(0.9, run(NOISY), run(NOISY).at(1))).isEqualTo(GateOutcome.OPEN);
    }

    @Test
    void otherMachinesAndUnfitRunsBlindAGate() {
        assertThat(anyway(0.05, run(STEADY), run(STEADY).fact("cpu.cores", "2")).exit())
                .isEqualTo(4);
        assertThat(gate(0.05, run(STEADY), run(STEADY).unfinished())).isEqualTo(GateOutcome.BLIND);
        assertThat(gate(0.05, run(STEADY), run(STEADY).invalid())).isEqualTo(GateOutcome.BLIND);
        assertThat(compared(run(STEADY), run(STEADY).invalid()).exit()).isEqualTo(4);
        assertThat(compared(run(STEADY), run(STEADY).unfinished()).doubts())
                .anyMatch(d -> d.contains("B is unfinished"));
    }

    @Test
    void newLossIsARegressionAtAnyTolerance() {
        RunComparison loses = compared(0.5, run(STEADY), run(STEADY).lost(3));
        assertThat(loses.exit()).isEqualTo(98);
        assertThat(Objects.requireNonNull(loses.gate()).why()).containsExactly("B / A, lost: 3 against 0, worse");
    }

    @Test
    void aTimeThatWasChangedByHandIsNamed() throws Exception {
        RunFolder broken = run(STEADY).write();
        Path trial = broken.path().resolve("trials/01-base-1/trial.json");
        Files.writeString(trial, Files.readString(trial).replace("2026-11-20T06:00:00Z", "yesterday"));
        assertThatThrownBy(() -> RunComparisons.of(List.of(run(STEADY).write(), broken), Double.NaN, false, false))
                .isInstanceOf(UnreadableRunException.class)
                .hasMessageContaining("yesterday");
    }
}
