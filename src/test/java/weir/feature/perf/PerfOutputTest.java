package weir.feature.perf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import weir.measure.LatencyKind;
import weir.measure.Reading;
import weir.measure.Recorder;
import weir.measure.Steps;

/** The output lines, which equal those of Kafka's tools, and their figures, which equal the records of the test. */
class PerfOutputTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final long BEGAN = 1_700_000_000_000L;
    private static final Duration TWO_SECONDS = Duration.ofSeconds(2);

    private final Locale before = Locale.getDefault();
    private final StringWriter text = new StringWriter();
    private final PrintWriter out = new PrintWriter(text, true);

    @BeforeEach
    void english() {
        Locale.setDefault(Locale.US);
    }

    @AfterEach
    void back() {
        Locale.setDefault(before);
    }

    private static void record(PerfOutput lines, Consumer<Recorder> load) {
        Recorder recorder = new Recorder(
                0, SECOND, Integer.MAX_VALUE, window -> lines.window(window.copy(), BEGAN + 1_000 * window.index()));
        load.accept(recorder);
        recorder.close();
    }

    private ProducerPerfOutput producer(boolean transactional, long warmup) {
        return new ProducerPerfOutput(out, true, transactional, warmup, TWO_SECONDS);
    }

    /** Returns the lines that a whole load prints. */
    private Stream<String> printed(PerfOutput lines, Consumer<Recorder> load) {
        lines.begin();
        record(lines, load);
        lines.total(false);
        return text.toString().lines();
    }

    /** Adds a record every ten milliseconds, each acked after {@code afterMillis}. */
    private static void send(Recorder recorder, int step, long fromMillis, long toMillis, long afterMillis) {
        for (long at = fromMillis; at < toMillis; at += 10) {
            recorder.sent(step, 1, 1, at * MILLI, at * MILLI, at * MILLI, 0, 1_048_576);
            recorder.acked(step, 1, 1, at * MILLI, at * MILLI, (at + afterMillis) * MILLI, 1_048_576);
        }
    }

    @Test
    void producerIntervalsAndSummaryMatchKafkasTool() {
        assertThat(printed(producer(false, 0), recorder -> send(recorder, Steps.MEASURE, 0, 5_000, 4)))
                .containsExactly(
                        "200 records sent, 100.0 records/sec (100.00 MB/sec), 4.0 ms avg latency, 4.0 ms max latency.",
                        "200 records sent, 100.0 records/sec (100.00 MB/sec), 4.0 ms avg latency, 4.0 ms max latency.",
                        "500 records sent, 100.120144 records/sec (100.12 MB/sec), 4.00 ms avg latency, 4.00 ms max"
                                + " latency, 4 ms 50th, 4 ms 95th, 4 ms 99th, 4 ms 99.9th.");
    }

    @Test
    void warmUpIsPrintedApartAndTheFollowingPauseIsExcluded() {
        assertThat(printed(producer(false, 300), recorder -> {
                    send(recorder, Steps.WARMUP, 0, 3_000, 9);
                    send(recorder, Steps.MEASURE, 5_000, 8_000, 4);
                }))
                .containsExactly(
                        "Warmup first 300 records. Steady state results will print after the complete test summary.",
                        "200 records sent, 100.0 records/sec (100.00 MB/sec), 9.0 ms avg latency, 9.0 ms max latency.",
                        "In steady state.",
                        "200 records sent, 100.0 records/sec (100.00 MB/sec), 4.0 ms avg latency, 4.0 ms max latency.",
                        "600 records sent, 100.116803 records/sec (100.12 MB/sec), 6.50 ms avg latency, 9.00 ms max"
                                + " latency, 9 ms 50th, 9 ms 95th, 9 ms 99th, 9 ms 99.9th.",
                        "300 steady state records sent, 100.200401 records/sec (100.20 MB/sec), 4.00 ms avg latency,"
                                + " 4.00 ms max latency, 4 ms 50th, 4 ms 95th, 4 ms 99th, 4 ms 99.9th.");
    }

    @Test
    void transactionalPerfOutputReportsCallbackLatency() {
        assertThat(printed(producer(true, 0), recorder -> {
                    for (long at = 0; at < 5_000; at += 10) {
                        recorder.sent(Steps.MEASURE, 1, 1, at * MILLI, at * MILLI, at * MILLI, 0, 1_048_576);
                        recorder.part(LatencyKind.CALLBACK, Steps.MEASURE, (at + 4) * MILLI, 4 * MILLI);
                    }
                    for (long at = 0; at < 5_000; at += 10) {
                        recorder.acked(Steps.MEASURE, 1, 1, at * MILLI, at * MILLI, 5_000 * MILLI, 1_048_576);
                    }
                }))
                .containsExactly(
                        "200 records sent, 100.0 records/sec (100.00 MB/sec), 4.0 ms avg latency, 4.0 ms max latency.",
                        "200 records sent, 100.0 records/sec (100.00 MB/sec), 4.0 ms avg latency, 4.0 ms max latency.",
                        "500 records sent, 100.000000 records/sec (100.00 MB/sec), 4.00 ms avg latency, 4.00 ms max"
                                + " latency, 4 ms 50th, 4 ms 95th, 4 ms 99th, 4 ms 99.9th.");
    }

    /** The tool uses sorted[(int) (0.99 · n)]: of 300 latencies the 298th. A report of Weir has the 297th. */
    @Test
    void percentilesAreDefinedAsInKafkasTool() {
        for (int count : new int[] {1, 2, 10, 99, 100, 101, 299, 300, 301}) {
            assertThat(printed(producer(false, 0), recorder -> {
                        for (int i = 1; i <= count; i++) {
                            recorder.sent(Steps.MEASURE, 1, 1, 0, 0, 0, 0, 1);
                            recorder.acked(Steps.MEASURE, 1, 1, 0, 0, i * MILLI, 1);
                        }
                    }))
                    .last()
                    .asString()
                    .endsWith(String.format(
                            ", %d ms 50th, %d ms 95th, %d ms 99th, %d ms 99.9th.",
                            (int) (0.5 * count) + 1,
                            (int) (0.95 * count) + 1,
                            (int) (0.99 * count) + 1,
                            (int) (0.999 * count) + 1));
        }
    }

    @Test
    void aStallIsPartOfAnInterval() {
        record(producer(false, 0), recorder -> {
            send(recorder, Steps.MEASURE, 0, 1_000, 4);
            send(recorder, Steps.MEASURE, 6_500, 6_510, 4);
        });
        assertThat(text.toString())
                .startsWith("100 records sent, 16.7 records/sec (16.67 MB/sec)")
                .hasLineCount(1);
    }

    @Test
    void failedRecordsAreExcludedFromThePerfOutput() {
        assertThat(printed(producer(false, 0), recorder -> {
                    send(recorder, Steps.MEASURE, 0, 1_000, 4);
                    recorder.failed(Steps.MEASURE, 50, 50, 0, 0, 5 * MILLI, 120 * SECOND);
                }))
                .singleElement()
                .asString()
                .startsWith("100 records sent")
                .contains("4.00 ms avg latency, 4.00 ms max latency, 4 ms 50th")
                .contains("4 ms 99.9th.");
    }

    @Test
    void perfOutputWithoutAcksHasNoLatencies() {
        producer(false, 5).total(true);
        assertThat(text.toString().lines())
                .containsExactly("0 records sent, 0.000000 records/sec (0.00 MB/sec), NaN ms avg latency, 0.00 ms max"
                        + " latency, 0 ms 50th, 0 ms 95th, 0 ms 99th, 0 ms 99.9th.");
    }

    @Test
    void numbersUseTheLocaleOfTheUser() {
        Locale.setDefault(Locale.GERMANY);
        assertThat(printed(producer(false, 0), recorder -> send(recorder, Steps.MEASURE, 0, 1_000, 4)))
                .singleElement()
                .asString()
                .contains("100,603622 records/sec (100,60 MB/sec), 4,00 ms avg latency");
    }

    private ConsumerPerfOutput consumer(long records, boolean detailed, boolean header) {
        return new ConsumerPerfOutput(
                out,
                new ConsumerPerfOutput.Asked(
                        records, Duration.ofSeconds(10), TWO_SECONDS, detailed, header, "'at' SSS"));
    }

    /** Adds a record of half a mebibyte every ten milliseconds. */
    private static void receive(Recorder recorder, long fromMillis, long toMillis) {
        for (long at = fromMillis; at < toMillis; at += 10) {
            recorder.read(Steps.MEASURE, 1, at * MILLI, 524_288);
        }
    }

    @Test
    void consumerIntervalsAddUpAndTheFirstIncludesJoining() {
        ConsumerPerfOutput lines = consumer(10, true, true);
        lines.reading(new Reading(0, "readers", "joining.ms", 500));
        assertThat(printed(lines, recorder -> receive(recorder, 3_000, 7_100)))
                .containsExactly(
                        "time, threadId, data.consumed.in.MB, MB.sec, data.consumed.in.nMsg, nMsg.sec,"
                                + " rebalance.time.ms, fetch.time.ms, fetch.MB.sec, fetch.nMsg.sec",
                        "at 000, 0, 100.0000, 40.0000, 200, 80.0000, 500, 2000, 50.0000, 100.0000",
                        "at 000, 0, 200.0000, 50.0000, 400, 100.0000, 0, 2000, 50.0000, 100.0000");
    }

    @Test
    void consumerSummaryReportsItsTimeout() {
        ConsumerPerfOutput lines = consumer(1_000, false, true);
        lines.begin();
        record(lines, recorder -> receive(recorder, 3_000, 5_000));
        lines.measured(3, 9);
        lines.total(false);
        assertThat(text.toString().lines())
                .containsExactly(
                        "start.time, end.time, data.consumed.in.MB, MB.sec, data.consumed.in.nMsg, nMsg.sec,"
                                + " rebalance.time.ms, fetch.time.ms, fetch.MB.sec, fetch.nMsg.sec",
                        "WARNING: Exiting before consuming the expected number of records: timeout (10000 ms) exceeded."
                                + " You can use the --timeout option to increase the timeout.",
                        "at 000, at 000, 100.0000, 11.1111, 200, 22.2222, 0, 9000, 11.1111, 22.2222");
    }

    @Test
    void completeConsumerSummaryEndsAtTheLastRecord() {
        ConsumerPerfOutput lines = consumer(200, false, false);
        record(lines, recorder -> receive(recorder, 3_000, 5_000));
        lines.measured(3, 9);
        lines.total(false);
        assertThat(text.toString().lines())
                .containsExactly("at 000, at 990, 100.0000, 50.2513, 200, 100.5025, 0, 1990, 50.2513, 100.5025");
    }

    @Test
    void metricsArePrintedInColumns() {
        TreeMap<String, Object> metrics = new TreeMap<>();
        metrics.put("producer-metrics:batch-size-avg:{client-id=a}", 16.5);
        metrics.put("app-info:version:{client-id=a}", "4.3.1");
        metrics.put("kafka-metrics-count:count:{client-id=a}", 7L);
        PerfTool.print(metrics, out);
        assertThat(text.toString().lines())
                .containsExactly(
                        "",
                        "Metric Name                                     Value",
                        "app-info:version:{client-id=a}                : 4.3.1",
                        "kafka-metrics-count:count:{client-id=a}       : 7",
                        "producer-metrics:batch-size-avg:{client-id=a} : 16.500");
    }
}
