package weir.feature.imports;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weir.feature.imports.ImportedRun.Measured;
import weir.measure.Count;
import weir.measure.LatencyKind;
import weir.plan.syntax.Findings;
import weir.plan.syntax.Origin;
import weir.plan.syntax.Tree;
import weir.plan.syntax.YamlTree;
import weir.results.TrialFolder.Point;
import weir.results.value.Caveat;
import weir.results.value.Figures;
import weir.results.value.LatencyResult;

class OmbResultTest {
    private static final LatencyResult SERVICE =
            new LatencyResult(2.0, null, 12.25, 45.5, 101.0, 140.5, 2.75, 0, null, null);
    private static final LatencyResult E2E = new LatencyResult(4.0, null, 24.5, 91.0, 202.0, 281.0, 5.5, 0, null, null);

    private static ImportedRun run(OmbResults result) {
        String text = result.json();
        Tree tree = YamlTree.parse(Origin.Source.of("r.json", text), text, "file", new Findings())
                .orElseThrow();
        return new OmbResult((Tree.Section) tree).run("imported-file", 1);
    }

    private static Measured measured(OmbResults result) {
        return run(result).measured().get(0);
    }

    private static List<String> caveats(OmbResults result) {
        return measured(result).caveats().stream().map(Caveat::type).toList();
    }

    @Test
    void figuresAreThoseOfTheResult() {
        Figures figures = measured(OmbResults.kafka()).figures();
        assertThat(figures.ackedPerSecond()).isEqualTo(50_000);
        assertThat(figures.receivedPerSecond()).isEqualTo(50_000);
        assertThat(figures.latency(LatencyKind.SERVICE)).isEqualTo(SERVICE);
        assertThat(figures.e2e()).isEqualTo(E2E);
        assertThat(figures.count(Count.FAILED)).isZero();
        assertThat(measured(OmbResults.kafka()).seconds()).isEqualTo(30);
    }

    @Test
    void figuresThatTheResultDoesNotContainAreUnknown() {
        Figures figures = measured(OmbResults.kafka()).figures();
        assertThat(figures.response()).isEqualTo(LatencyResult.NONE);
        assertThat(figures.late()).isEqualTo(LatencyResult.NONE);
        assertThat(figures.offeredPerSecond()).isNull();
        assertThat(figures.mebibytesPerSecond()).isNull();
        assertThat(figures.counts()).containsOnly(entry(Count.FAILED, 0L));
        assertThat(figures.lag().max()).isNull();
        assertThat(figures.e2e().samples()).isNull();
    }

    @Test
    void zeroOfAnOlderVersionIsUnknown() {
        OmbResults old = OmbResults.kafka()
                .without("publishError")
                .without("publishDelay")
                .without("aggregatedPublishDelay")
                .with("messageSize", "0")
                .with("topics", "0")
                .with("producersPerTopic", "0")
                .with("consumeRate", "[ 0.0, 0.0, 0.0 ]")
                .with("endToEndLatencyMax", "[ 0.0, 0.0, 0.0 ]")
                .aggregates("aggregatedEndToEndLatency", 0);
        Figures figures = measured(old).figures();
        assertThat(figures.receivedPerSecond()).isNull();
        assertThat(figures.e2e()).isEqualTo(LatencyResult.NONE);
        assertThat(figures.count(Count.FAILED)).isNull();
        assertThat(run(old).settings()).containsOnly(entry("load.workload", "produce"));
        assertThat(run(old).facts()).doesNotContainKeys("messageSize", "topics", "producersPerTopic");
    }

    @Test
    void settingsAndFactsAreThoseOfTheResult() {
        assertThat(run(OmbResults.kafka()).settings())
                .containsOnly(
                        entry("load.workload", "deliver"),
                        entry("load.value.size", "1KiB"),
                        entry("load.producers", "4"));
        assertThat(run(OmbResults.kafka()).facts())
                .containsEntry("driver", "Kafka")
                .containsEntry("workload", "1 topic / 16 partitions / 1kb")
                .containsEntry("partitions", "16");
        assertThat(run(OmbResults.kafka().with("messageSize", "100")).settings())
                .containsEntry("load.value.size", "100B");
    }

    @Test
    void runHasTheNameOfItsWorkload() {
        assertThat(run(OmbResults.kafka()).name()).isEqualTo("imported-1-topic-16-partitions-1kb");
        assertThat(run(OmbResults.kafka().without("workload")).name()).isEqualTo("imported-file");
    }

    @Test
    void everyWeaknessOfTheResultIsACaveat() {
        assertThat(caveats(OmbResults.kafka()))
                .containsExactly("warm-up-unknown", "latency-from-send", "samples-unknown", "latency-rounded");
        assertThat(measured(OmbResults.kafka()).caveats().get(1).evidence())
                .isEqualTo("OpenMessaging Benchmark measures latency from the send of a message. At p99, a message was"
                        + " sent 1.23 ms after its due time. No latency includes this delay");
        assertThat(measured(OmbResults.kafka().without("aggregatedPublishDelay"))
                        .caveats()
                        .get(1)
                        .evidence())
                .endsWith("If a stall delays the send, no latency includes the delay");
    }

    @Test
    void percentilesOfPeriodsAreAveragedWithACaveat() {
        OmbResults periods = OmbResults.kafka().without("aggregatedPublishLatency");
        assertThat(measured(periods).figures().latency(LatencyKind.SERVICE))
                .isEqualTo(new LatencyResult(2.0, null, 10.0, 40.0, 80.0, 140.5, 2.5, 0, null, null));
        assertThat(measured(periods).figures().e2e()).isEqualTo(E2E);
        Caveat averaged = measured(periods).caveats().get(2);
        assertThat(averaged.type()).isEqualTo("percentiles-averaged");
        assertThat(averaged.evidence())
                .isEqualTo("each percentile of service is the mean of the percentiles of 3 periods");
        assertThat(averaged.weakens()).isEqualTo("every percentile of service");
    }

    @Test
    void failedSendsAreALossWithoutACount() {
        Measured failing = measured(OmbResults.kafka().with("publishErrorRate", "[ 0.0, 3.0, 0.0 ]"));
        assertThat(failing.figures().count(Count.FAILED)).isNull();
        assertThat(failing.losses()).containsExactly("OpenMessaging Benchmark counted 1/s failed sends.");
    }

    @Test
    void distributionIsThatOfTheResult() {
        assertThat(measured(OmbResults.kafka()).spectrum())
                .contains(new Point("service@2", 99.0, 12.25), new Point("e2e@2", 50.0, 4.0))
                .hasSize(6);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "publishRate | [ 0.0 ] | publishRate and consumeRate are 0, so nothing was measured",
                "publishRate | [ fast ] | publishRate must be a number of at least 0, found 'fast'",
                "publishRate | [ -5.0 ] | publishRate must be a number of at least 0, found '-5.0'",
                "aggregatedPublishLatencyMax | NaN | aggregatedPublishLatencyMax must be a number of at least 0, found 'NaN'",
                "aggregatedPublishLatencyQuantiles | { x: 1 } | aggregatedPublishLatencyQuantiles must be a number of at least 0, found 'x'",
            })
    void valueThatIsNoFigureIsRefused(String key, String value, String message) {
        OmbResults wrong = OmbResults.kafka().without("consumeRate").with(key, value);
        assertThatThrownBy(() -> run(wrong))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }
}
