package weir.feature.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import weir.feature.metrics.BrokerExport.Answer;
import weir.feature.metrics.BrokerExport.Exported;
import weir.feature.metrics.ExporterName.SeriesType;

class BrokerSeriesTest {
    private static Exported series(String name, SeriesType type, double value, Map<String, String> labels) {
        return new Exported(new ExporterName(name, new TreeMap<>(labels), type, false), value);
    }

    private static String text(Map<Integer, Answer> answers) {
        return new String(
                MetricsHandler.Exposition.TEXT.part(
                        new MetricSnapshots(new BrokerSeries(() -> 0).show(new TreeMap<>(answers)))),
                UTF_8);
    }

    private static Answer answer(Exported... series) {
        return new Answer(List.of(series), 0, 0);
    }

    @Test
    void eachBrokerHasItsLabel() {
        String text = text(Map.of(
                1, answer(series("kafka_a_total", SeriesType.COUNTER, 5, Map.of("topic", "t"))),
                2, answer(series("kafka_a_total", SeriesType.COUNTER, 7, Map.of("topic", "t")))));
        assertThat(text)
                .contains(
                        "kafka_a_total{broker_id=\"1\",topic=\"t\"} 5.0",
                        "kafka_a_total{broker_id=\"2\",topic=\"t\"} 7.0")
                .contains("weir_broker_up{broker_id=\"2\"} 1.0");
    }

    @Test
    void whereNoBrokerHasAnsweredAnewTheSeriesAreTheSame() {
        Exported shared = series("process_open_fds", SeriesType.GAUGE, 5, Map.of());
        Answer one = answer(shared);
        try (BrokerSeries series = new BrokerSeries(() -> 0)) {
            List<MetricSnapshot> before = series.show(new TreeMap<>(Map.of(1, one)));
            assertThat(series.show(new TreeMap<>(Map.of(1, one)))).isSameAs(before);
            assertThat(series.show(new TreeMap<>(Map.of(1, answer(shared))))).isNotSameAs(before);
            assertThat(series.show(new TreeMap<>(Map.of(1, one, 2, one)))).hasSameSizeAs(before);
        }
    }

    @Test
    void eachBrokerHasItsOwnLabelsInEachScrape() {
        Exported shared = series("process_open_fds", SeriesType.GAUGE, 5, Map.of());
        try (BrokerSeries series = new BrokerSeries(() -> 0)) {
            for (int scrape = 0; scrape < 2; scrape++) {
                assertThat(new String(
                                MetricsHandler.Exposition.TEXT.part(new MetricSnapshots(
                                        series.show(new TreeMap<>(Map.of(1, answer(shared), 2, answer(shared)))))),
                                UTF_8))
                        .contains("process_open_fds{broker_id=\"1\"} 5.0", "process_open_fds{broker_id=\"2\"} 5.0");
            }
        }
    }

    @Test
    void aLabelOfTheSameNameIsKeptUnderAnother() {
        assertThat(text(Map.of(1, answer(series("kafka_b", SeriesType.GAUGE, 1, Map.of("broker_id", "9"))))))
                .contains("kafka_b{broker_id=\"1\",exported_broker_id=\"9\"} 1.0");
    }

    @Test
    void aNameThatTheLibraryDoesNotTakeCostsItsOwnSeriesOnly() {
        assertThat(text(Map.of(
                        1,
                        answer(
                                series("kafka_c", SeriesType.GAUGE, 1, Map.of("__bad", "x")),
                                series("kafka_d", SeriesType.GAUGE, 2, Map.of())))))
                .contains("kafka_d{broker_id=\"1\"} 2.0")
                .doesNotContain("kafka_c");
    }

    @Test
    void oneWithoutAnAnswerIsNotUp() {
        assertThat(text(Map.of(1, answer()))).contains("weir_broker_up{broker_id=\"1\"} 0.0");
    }

    @Test
    void aBrokerIsReadBeforeTheFirstScrapeAndOnce() throws Exception {
        AtomicInteger readings = new AtomicInteger();
        CountDownLatch read = new CountDownLatch(1);
        TreeMap<Integer, Long> brokers = new TreeMap<>(Map.of(1, 7L, 2, -1L));
        try (BrokerSeries series = new BrokerSeries(
                () -> 0,
                pid -> FakeExport.of(() -> 0, () -> {
                    readings.incrementAndGet();
                    read.countDown();
                }))) {
            series.meet(brokers);
            assertThat(read.await(20, TimeUnit.SECONDS))
                    .as("read without a scrape")
                    .isTrue();
            series.meet(brokers);
            assertThat(new String(
                            MetricsHandler.Exposition.TEXT.part(
                                    new MetricSnapshots(series.read(brokers, 0, Duration.ofSeconds(20)))),
                            UTF_8))
                    .contains("weir_broker_up{broker_id=\"1\"} 1.0", "weir_broker_up{broker_id=\"2\"} 0.0");
            assertThat(readings).hasValue(1);
        }
    }

    @Test
    void oneWithoutAProcessIsNotUpAndNobodyIsAsked() {
        TreeMap<Integer, Long> brokers = new TreeMap<>(Map.of(3, -1L));
        try (BrokerSeries series = new BrokerSeries(() -> 0)) {
            assertThat(new String(
                            MetricsHandler.Exposition.TEXT.part(
                                    new MetricSnapshots(series.read(brokers, 0, Duration.ZERO))),
                            UTF_8))
                    .contains("weir_broker_up{broker_id=\"3\"} 0.0");
        }
    }
}
