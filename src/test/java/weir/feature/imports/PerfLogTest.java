package weir.feature.imports;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import weir.feature.imports.ImportedRun.Measured;
import weir.measure.Count;
import weir.measure.LatencyKind;
import weir.results.value.Caveat;
import weir.results.value.Figures;
import weir.results.value.LatencyResult;

/** The outputs of Kafka's performance tools: their figures are the figures of the run, and all others are unknown. */
class PerfLogTest {
    private static final String INTERVAL =
            "41000 records sent, 8200.0 records/sec (0.78 MB/sec), 3.3 ms avg latency, 310.0 ms max latency.\n";
    private static final String SUMMARY =
            "60000 records sent, 8192.000000 records/sec (0.80 MB/sec), 2.75 ms avg latency, 310.00 ms max latency,"
                    + " 1 ms 50th, 4 ms 95th, 38 ms 99th, 220 ms 99.9th.\n";
    private static final String HEADER = "start.time, end.time, data.consumed.in.MB, MB.sec, data.consumed.in.nMsg,"
            + " nMsg.sec, rebalance.time.ms, fetch.time.ms, fetch.MB.sec, fetch.nMsg.sec\n";
    private static final String READ = "2026-03-02 10:00:00:000, 2026-03-02 10:00:04:000, 38.1470, 9.5367, 400000,"
            + " 100000.0000, 500, 3500, 10.8991, 114285.7143\n";

    private static ImportedRun run(String text) {
        return new PerfLog(text, 1).run("imported-x");
    }

    private static Figures only(String text) {
        assertThat(run(text).measured()).hasSize(1);
        return run(text).measured().get(0).figures();
    }

    private static List<String> caveats(String text) {
        return run(text).measured().get(0).caveats().stream().map(Caveat::type).toList();
    }

    @Test
    void figuresOfAProducerAreThoseOfItsLastLine() {
        Figures figures = only(INTERVAL + INTERVAL + SUMMARY);
        assertThat(figures.ackedPerSecond()).isEqualTo(8192);
        assertThat(figures.mebibytesPerSecond()).isEqualTo(0.80);
        assertThat(figures.count(Count.SENT)).isEqualTo(60_000);
        assertThat(figures.latency(LatencyKind.SERVICE))
                .isEqualTo(new LatencyResult(1.0, null, 38.0, 220.0, null, 310.0, 2.75, 60_000, null, null));
        assertThat(run(SUMMARY).measured().get(0).seconds()).isEqualTo(60_000 / 8192.0);
        assertThat(run(SUMMARY).settings()).containsOnly(entry("load.workload", "produce"));
    }

    @Test
    void figuresThatAProducerDoesNotPrintAreUnknown() {
        Figures figures = only(SUMMARY);
        assertThat(figures.response()).isEqualTo(LatencyResult.NONE);
        assertThat(figures.offeredPerSecond()).isNull();
        assertThat(figures.receivedPerSecond()).isNull();
        assertThat(figures.count(Count.ACKED)).isNull();
        assertThat(figures.count(Count.FAILED)).isNull();
        assertThat(figures.count(Count.LOST)).isNull();
    }

    @Test
    void decimalCommaOfALocaleIsRead() {
        Figures figures = only("10 records sent, 1,081198 records/sec (0,25 MB/sec), 70,10 ms avg latency, 281,00 ms"
                + " max latency, 33 ms 50th, 281 ms 95th, 281 ms 99th, 281 ms 99.9th.\r\n");
        assertThat(figures.ackedPerSecond()).isEqualTo(1.081198);
        assertThat(figures.mebibytesPerSecond()).isEqualTo(0.25);
        assertThat(figures.latency(LatencyKind.SERVICE).mean()).isEqualTo(70.10);
        assertThat(only(READ.replaceAll("(?<=[0-9])\\.(?=[0-9])", ",")).receivedPerSecond())
                .isEqualTo(100_000);
    }

    @ParameterizedTest
    @CsvSource({"400000, 400000", "500000, 500000", "999999, 999999", "1000000, 500000", "10000000, 500000"})
    void percentilesOfManyRecordsComeFromEveryNthRecord(String records, long samples) {
        assertThat(only(SUMMARY.replace("60000", records))
                        .latency(LatencyKind.SERVICE)
                        .samples())
                .isEqualTo(samples);
    }

    @Test
    void steadyStateReplacesTheSummaryWithItsWarmUpAndRemovesTheCaveat() {
        String steady = "50000 steady state" + SUMMARY.substring(5).replace("8192", "9000");
        String text = "Warmup first 10000 records. Steady state results will print after the complete test summary.\n"
                + INTERVAL + SUMMARY + steady;
        assertThat(only(text).ackedPerSecond()).isEqualTo(9000);
        assertThat(only(text).count(Count.SENT)).isEqualTo(50_000);
        assertThat(caveats(text)).containsExactly("latency-from-send", "latency-rounded");
        assertThat(caveats(SUMMARY)).containsExactly("warm-up-unknown", "latency-from-send", "latency-rounded");
    }

    @Test
    void eachSummaryOfOneToolIsATrial() {
        List<Measured> measured = new PerfLog(SUMMARY + INTERVAL + SUMMARY.replace("8192", "8000"), 3)
                .run("imported-x")
                .measured();
        assertThat(measured.stream().map(one -> one.figures().ackedPerSecond())).containsExactly(8192.0, 8000.0);
        assertThat(measured.stream().map(one -> one.caveats().get(0).trial())).containsExactly(3, 4);
    }

    @Test
    void figuresOfAConsumerAreThoseOfTheWholeTime() {
        for (String text : List.of(HEADER + READ, READ)) {
            Figures figures = only(text);
            assertThat(figures.receivedPerSecond()).isEqualTo(100_000);
            assertThat(figures.mebibytesPerSecond()).isEqualTo(9.5367);
            assertThat(figures.count(Count.RECEIVED)).isEqualTo(400_000);
            assertThat(figures.ackedPerSecond()).isNull();
            assertThat(figures.latencies()).isEmpty();
            assertThat(run(text).measured().get(0).seconds()).isEqualTo(4);
        }
        assertThat(run(READ).measured().get(0).caveats().get(0).evidence())
                .isEqualTo("kafka-consumer-perf-test has no warm-up, so its figures include 500 ms in which the"
                        + " consumer joined its group");
    }

    @Test
    void timeOfDayInsteadOfTheRebalanceIsUnknown() {
        String broken =
                READ.replace("500, 3500, 10.8991, 114285.7143", "1610554583317, -1610554580894, -0.0000, -0.0001");
        assertThat(only(broken).receivedPerSecond()).isEqualTo(100_000);
        assertThat(run(broken).measured().get(0).caveats().get(0).evidence())
                .endsWith("include the time until the consumer joined its group");
    }

    @Test
    void consumerThatGaveUpIsInterrupted() {
        String text = HEADER
                + "WARNING: Exiting before consuming the expected number of messages: timeout (10000 ms) exceeded. You"
                + " can use the --timeout option to increase the timeout.\n" + READ;
        assertThat(caveats(text)).containsExactly("warm-up-unknown", "interrupted");
        assertThat(caveats(READ)).containsExactly("warm-up-unknown");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Avg latency: 1,4998 ms\n\n", "Avg latency: 1.4998 ms\n"})
    void endToEndLatencyIsThatOfAClosedLoopWithoutANumberOfSamples(String average) {
        String text = "0\t83.95\n1000\t1.69\n" + average + "Percentiles: 50th = 0, 99th = 6, 99.9th = 18\n";
        Figures figures = only(text);
        assertThat(figures.e2e()).isEqualTo(new LatencyResult(0.0, null, 6.0, 18.0, null, null, 1.4998, 0, null, null));
        assertThat(figures.e2e().samples()).isNull();
        assertThat(figures.rates()).isEmpty();
        assertThat(caveats(text))
                .containsExactly("warm-up-unknown", "latency-from-send", "samples-unknown", "latency-rounded");
        assertThat(run(text).settings()).containsEntry("load.rate", "one at a time");
    }

    @Test
    void outputWithoutItsEndIsRefused() {
        String interval =
                "2026-03-02 10:00:01:000, 0, 38.1470, 9.5367, 400000, 100000.0000, 0, 1000, 9.5367, 100000.0\n";
        for (String text : List.of(
                "",
                INTERVAL,
                SUMMARY.substring(0, 120),
                HEADER,
                HEADER + READ.substring(0, 70),
                interval,
                "Avg latency: 1.5 ms\n")) {
            assertThatThrownBy(() -> run(text))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("no summary line of kafka-producer-perf-test");
        }
    }

    @Test
    void outputsOfTwoToolsAreRefused() {
        assertThatThrownBy(() -> run(SUMMARY + HEADER + READ))
                .hasMessage("the output of kafka-consumer-perf-test and kafka-producer-perf-test; write one file for"
                        + " each tool");
    }

    @Test
    void summaryOfNoRecordIsRefused() {
        assertThatThrownBy(() -> run(READ.replace("400000, 100000.0000", "0, 0.0000")))
                .hasMessage("a summary of 0 records, so nothing was measured");
    }
}
