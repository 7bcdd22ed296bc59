package weir.feature.metrics;

import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusProtobufWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import weir.http.LiveAnswer;
import weir.http.LiveRequest;
import weir.http.LiveServer.LiveHandler;
import weir.io.Io;

/** A handler of scrapes. A scrape waits for answers of the brokers, so scrapes have a server of their own. */
public final class MetricsHandler implements LiveHandler {
    public static final String PATH = "/metrics";

    public static final Duration LONGEST = Duration.ofSeconds(60);

    /** Shorter limit after an interrupt, because a user waits at a terminal. */
    public static final Duration INTERRUPTED = Duration.ofSeconds(5);

    private static final Duration SLACK = Duration.ofSeconds(1);
    private static final int GAPS = 16;

    /** The wait for brokers without a scraper's timeout. Only one scrape waits for a hanging broker. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    private static final String TIMEOUT = "x-prometheus-scrape-timeout-seconds";

    private static final Pattern HERE = Pattern.compile("localhost|127\\.|\\[::1]");

    private final Supplier<List<MetricSnapshot>> run;
    private final Function<Duration, List<MetricSnapshot>> brokers;
    private final WrittenSeries ofBrokers = new WrittenSeries();
    private final LongSupplier clock;
    private final ArrayDeque<Long> gaps = new ArrayDeque<>();
    private long scrapedNanos;
    private long scrapes;

    /**
     * @param run called once for each scrape
     * @param brokers called next, with the available time; returns the same list while there is no news
     */
    MetricsHandler(
            Supplier<List<MetricSnapshot>> run, Function<Duration, List<MetricSnapshot>> brokers, LongSupplier clock) {
        this.run = run;
        this.brokers = brokers;
        this.clock = clock;
    }

    public static MetricsHandler of(RunMetrics run, BrokerSeries brokers, LongSupplier clock) {
        return new MetricsHandler(
                run::snapshot, timeout -> brokers.read(run.brokersHere(), run.phases(), timeout), clock);
    }

    @Override
    public LiveAnswer answer(LiveRequest request) {
        Exposition form = Exposition.of(request.header("accept"));
        byte[] own = form.part(new MetricSnapshots(run.get()));
        byte[] theirs = ofBrokers.part(form, brokers.apply(timeout(request.header(TIMEOUT))));
        byte[] bytes = form.whole(List.of(own, theirs));
        if (request.method().equals("GET")) {
            scraped();
        }
        return new LiveAnswer.Whole(200, form.writer.getContentType(), headers(request), bytes);
    }

    /** Compresses no local answers, because that costs more CPU than the rest of the answer. */
    private static SortedMap<String, String> headers(LiveRequest request) {
        SortedMap<String, String> headers = new TreeMap<>();
        if (HERE.matcher(request.header("host")).lookingAt()) {
            headers.put("content-encoding", "identity");
        }
        return headers;
    }

    /** Returns half of the scraper's timeout for brokers. The other half is for writing the answer. */
    static Duration timeout(String seconds) {
        try {
            double half = Double.parseDouble(seconds) / 2;
            return half > 0 && half < LONGEST_WAIT.toSeconds()
                    ? Duration.ofMillis((long) (half * 1_000))
                    : LONGEST_WAIT;
        } catch (NumberFormatException malformed) {
            return LONGEST_WAIT;
        }
    }

    private synchronized void scraped() {
        long now = clock.getAsLong();
        if (scrapes > 0) {
            gaps.add(now - scrapedNanos);
            if (gaps.size() > GAPS) {
                gaps.remove();
            }
        }
        scrapedNanos = now;
        scrapes++;
        notifyAll();
    }

    /**
     * Waits until all scrapers have read the last numbers of a run. It does not wait if no scraper has scraped twice,
     * or if all scrapers have stopped. Even intervals between scrapes mean a single scraper, whose next scrape ends the
     * wait. Otherwise the wait is one and a half of the longest recent interval.
     *
     * @return true if a scrape arrived during the wait
     */
    public synchronized boolean awaitLastScrape(Duration most) {
        long before = scrapes;
        long begun = clock.getAsLong();
        long until = begun + Math.min(most.toNanos(), mostNanos(begun));
        boolean one = one();
        try {
            while (!(one && scrapes > before) && clock.getAsLong() < until) {
                wait(Math.max(1, (until - clock.getAsLong()) / 1_000_000));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return scrapes > before;
    }

    /** Returns the maximum wait of {@link #awaitLastScrape} now; zero without a wait. */
    public synchronized Duration lastScrapeWithin(Duration most) {
        return Duration.ofNanos(Math.min(most.toNanos(), mostNanos(clock.getAsLong())));
    }

    private boolean one() {
        long longest = gaps.stream().mapToLong(Long::longValue).max().orElse(0);
        return gaps.stream().allMatch(gap -> gap > longest / 2);
    }

    private long mostNanos(long now) {
        if (gaps.isEmpty()) {
            return 0;
        }
        long longest = gaps.stream().mapToLong(Long::longValue).max().orElse(0);
        long late = longest + longest / 2 + SLACK.toNanos();
        long left = scrapedNanos + late - now;
        return left <= 0 ? 0 : one() ? left : late;
    }

    /** The last written form of series in each format. Thousands of unchanged series are not written again. */
    static final class WrittenSeries {
        private final Map<Exposition, Written> parts = new EnumMap<>(Exposition.class);

        @SuppressWarnings("ArrayRecordComponent")
        private record Written(List<MetricSnapshot> series, byte[] bytes) {}

        /** The text of these series, reused for the same list object. */
        @SuppressWarnings("ReferenceEquality") // a comparison of thousands of series takes as long as writing them
        synchronized byte[] part(Exposition form, List<MetricSnapshot> series) {
            Written part = parts.get(form);
            if (part == null || part.series != series) {
                part = new Written(series, form.part(new MetricSnapshots(series)));
                parts.put(form, part);
            }
            return part.bytes;
        }
    }

    enum Exposition {
        /** The only format with native histograms that Prometheus accepts. */
        PROTOBUF(new PrometheusProtobufWriter()),
        OPEN_METRICS(OpenMetricsTextFormatWriter.create()),
        TEXT(PrometheusTextFormatWriter.create());

        private static final byte[] EOF = "# EOF\n".getBytes(StandardCharsets.UTF_8);

        @SuppressWarnings("ImmutableEnumChecker") // The configuration is its only state.
        private final ExpositionFormatWriter writer;

        Exposition(ExpositionFormatWriter writer) {
            this.writer = writer;
        }

        static Exposition of(String accept) {
            return PROTOBUF.writer.accepts(accept)
                    ? PROTOBUF
                    : OPEN_METRICS.writer.accepts(accept) ? OPEN_METRICS : TEXT;
        }

        /** Joins parts of an answer, which must have no common series. */
        byte[] whole(List<byte[]> parts) {
            ByteArrayOutputStream out = new ByteArrayOutputStream(
                    parts.stream().mapToInt(part -> part.length).sum() + EOF.length);
            parts.forEach(out::writeBytes);
            if (this == OPEN_METRICS) {
                out.writeBytes(EOF);
            }
            return out.toByteArray();
        }

        byte[] part(MetricSnapshots metrics) {
            ByteArrayOutputStream out = new ByteArrayOutputStream(1 << 14);
            Io.attempt("writing metrics to memory", () -> writer.write(out, metrics, EscapingScheme.DEFAULT));
            byte[] bytes = out.toByteArray();
            return this == OPEN_METRICS ? Arrays.copyOf(bytes, bytes.length - EOF.length) : bytes;
        }
    }
}
