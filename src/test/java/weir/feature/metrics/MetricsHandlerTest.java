package weir.feature.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import weir.http.LiveAnswer;
import weir.http.LiveRequest;
import weir.measure.Latency;

class MetricsHandlerTest {
    private static final long SECOND = 1_000_000_000L;

    private final AtomicLong clock = new AtomicLong();
    private final RunMetrics metrics = new RunMetrics("9.9");
    private final MetricsHandler handler = new MetricsHandler(metrics::snapshot, timeout -> List.of(), clock::get);

    private LiveAnswer.Whole scrape(String accept) {
        TreeMap<String, String> headers = new TreeMap<>();
        headers.put("accept", accept);
        return (LiveAnswer.Whole) handler.answer(new LiveRequest("GET", MetricsHandler.PATH, new TreeMap<>(), headers));
    }

    @Test
    void scraperGetsTheRequestedFormat() {
        assertThat(scrape("*/*").type()).startsWith("text/plain; version=0.0.4");
        assertThat(scrape("application/openmetrics-text;version=1.0.0,text/plain;q=0.5")
                        .type())
                .startsWith("application/openmetrics-text; version=1.0.0");
        assertThat(scrape("application/openmetrics-text;version=1.0.0").text()).endsWith("# EOF\n");
        assertThat(scrape("application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited,"
                                + "application/openmetrics-text;q=0.8")
                        .type())
                .startsWith("application/vnd.google.protobuf");
    }

    /** A real Prometheus reads this format in MetricsIT. */
    @Test
    void protobufHasNativeHistograms() {
        MessageTotals.LatencyBuckets buckets = new MessageTotals.LatencyBuckets();
        Latency latency = new Latency();
        latency.record(4_000_000_000L, 1);
        buckets.add(latency);
        HistogramSnapshot histogram = HistogramSnapshot.builder()
                .name("weir_response_seconds")
                .dataPoint(buckets.point(Labels.EMPTY))
                .build();
        byte[] family = MetricsHandler.Exposition.PROTOBUF.part(new MetricSnapshots(histogram));
        // Field 12 of a histogram is a span of native buckets: here one at 16 (zigzag 32), as 2^(16/8) s are 4 s.
        assertThat(HexFormat.of().formatHex(family)).contains("6204" + "08201001");
    }

    @Test
    void localScrapeIsNotCompressed() {
        TreeMap<String, String> headers = new TreeMap<>();
        headers.put("host", "127.0.0.1:9464");
        LiveRequest here = new LiveRequest("GET", MetricsHandler.PATH, new TreeMap<>(), headers);
        assertThat(((LiveAnswer.Whole) handler.answer(here)).headers()).containsEntry("content-encoding", "identity");
        assertThat(scrape("").headers()).isEmpty();
    }

    @Test
    void lastScrapeIsNotAwaitedAfterAtMostOneScrape() {
        assertThat(handler.awaitLastScrape(MetricsHandler.LONGEST)).isFalse();
        scrape("");
        assertThat(handler.awaitLastScrape(MetricsHandler.LONGEST)).isFalse();
    }

    @Test
    void overdueScraperIsNotAwaited() {
        scrape("");
        clock.addAndGet(SECOND);
        scrape("");
        clock.addAndGet(3 * SECOND);
        assertThat(handler.awaitLastScrape(MetricsHandler.LONGEST)).isFalse();
    }

    @Test
    void closingWaitsForTheNextScrape() throws Exception {
        scrape("");
        clock.addAndGet(3600 * SECOND);
        scrape("");
        CountDownLatch over = new CountDownLatch(1);
        Thread end = new Thread(() -> {
            if (handler.awaitLastScrape(MetricsHandler.LONGEST)) {
                over.countDown();
            }
        });
        end.start();
        while (end.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        assertThat(over.getCount()).isOne();
        scrape("");
        assertThat(over.await(20, TimeUnit.SECONDS)).isTrue();
        end.join();
    }

    @Test
    void lastScrapeIsNotAwaitedWithSeveralScrapers() {
        for (int i = 0; i < 4; i++) {
            scrape("");
            clock.addAndGet(SECOND / 10);
            scrape("");
            clock.addAndGet(14 * SECOND);
        }
        scrape("");
        assertThat(handler.lastScrapeWithin(MetricsHandler.LONGEST)).isEqualTo(Duration.ofSeconds(22));
        assertThat(handler.lastScrapeWithin(MetricsHandler.INTERRUPTED)).isEqualTo(MetricsHandler.INTERRUPTED);
        clock.addAndGet(23 * SECOND);
        assertThat(handler.lastScrapeWithin(MetricsHandler.LONGEST)).isZero();
    }

    @Test
    void waitForBrokersIsHalfOfTheScrapeTimeoutUpToTenSeconds() {
        assertThat(MetricsHandler.timeout("1")).isEqualTo(Duration.ofMillis(500));
        assertThat(MetricsHandler.timeout("10")).isEqualTo(Duration.ofSeconds(5));
        assertThat(MetricsHandler.timeout("60")).isEqualTo(Duration.ofSeconds(10));
        assertThat(MetricsHandler.timeout("")).isEqualTo(Duration.ofSeconds(10));
        assertThat(MetricsHandler.timeout("-1")).isEqualTo(Duration.ofSeconds(10));
        assertThat(MetricsHandler.timeout("NaN")).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void metricsAreReadOncePerScrape() {
        AtomicLong asked = new AtomicLong();
        MetricsHandler counting = new MetricsHandler(
                () -> {
                    asked.incrementAndGet();
                    return List.of();
                },
                timeout -> List.of(),
                clock::get);
        var unused = counting.answer(new LiveRequest("GET", "/metrics", new TreeMap<>(), new TreeMap<>()));
        assertThat(asked.get()).isOne();
    }

    @Test
    void metricsOfRunAndBrokersAreOneDocument() {
        List<MetricSnapshot> brokers = List.of(gauge("kafka_a", 1));
        MetricsHandler both = new MetricsHandler(() -> List.of(gauge("weir_a", 2)), timeout -> brokers, clock::get);
        LiveRequest request = new LiveRequest(
                "GET",
                "/metrics",
                new TreeMap<>(),
                new TreeMap<>(Map.of("accept", "application/openmetrics-text; version=1.0.0")));
        for (int scrape = 0; scrape < 2; scrape++) {
            assertThat(((LiveAnswer.Whole) both.answer(request)).text())
                    .isEqualTo("# TYPE weir_a gauge\nweir_a 2.0\n# TYPE kafka_a gauge\nkafka_a 1.0\n# EOF\n");
        }
    }

    @Test
    void equalSeriesAreWrittenOnce() {
        MetricsHandler.WrittenSeries written = new MetricsHandler.WrittenSeries();
        List<MetricSnapshot> series = List.of(gauge("kafka_a", 1));
        byte[] first = written.part(MetricsHandler.Exposition.TEXT, series);
        assertThat(written.part(MetricsHandler.Exposition.TEXT, series)).isSameAs(first);
        assertThat(written.part(MetricsHandler.Exposition.PROTOBUF, series)).isNotEqualTo(first);
        assertThat(new String(written.part(MetricsHandler.Exposition.TEXT, List.of(gauge("kafka_a", 3))), UTF_8))
                .contains("kafka_a 3.0");
    }

    private static MetricSnapshot gauge(String name, double value) {
        return GaugeSnapshot.builder()
                .name(name)
                .dataPoint(new GaugeSnapshot.GaugeDataPointSnapshot(value, Labels.EMPTY, null))
                .build();
    }
}
