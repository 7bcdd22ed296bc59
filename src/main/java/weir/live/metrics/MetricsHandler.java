package weir.live.metrics;

import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import weir.live.LiveAnswer;
import weir.live.LiveHandler;
import weir.live.LiveRequest;

/** The answers to those who scrape. It has a server of its own: while brokers are asked, only other scrapers wait. */
public final class MetricsHandler implements LiveHandler {
    /** The path at which scrapers look unless told otherwise. */
    public static final String PATH = "/metrics";

    /** The longest time that the end of a run waits for a scraper, four times the interval that Prometheus' authors advise. */
    static final Duration LONGEST = Duration.ofSeconds(60);

    private static final int NEVER = -1;

    /** With brokers, where a scraper does not say how long it waits itself. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    /** Prometheus' own, which it sends with each request. */
    private static final String TIMEOUT = "x-prometheus-scrape-timeout-seconds";

    private static final Pattern HERE = Pattern.compile("localhost|127\\.|\\[::1]");

    private final Function<Duration, List<MetricSnapshot>> metrics;
    private final LongSupplier clock;
    private long scrapedNanos;
    private long intervalNanos = NEVER;
    private long scrapes;

    /** @param metrics all of them by the time in which they are wanted, asked once for each scrape */
    MetricsHandler(Function<Duration, List<MetricSnapshot>> metrics, LongSupplier clock) {
        this.metrics = metrics;
        this.clock = clock;
    }

    /** The metrics of a run and of its brokers. */
    public static MetricsHandler of(RunMetrics run, BrokerSeries brokers, LongSupplier clock) {
        return new MetricsHandler(
                patience -> {
                    List<MetricSnapshot> all = new ArrayList<>(run.snapshot());
                    all.addAll(brokers.read(run.brokersHere(), patience));
                    return all;
                },
                clock);
    }

    /** The metrics of brokers alone, by their ids and processes. */
    public static MetricsHandler of(SortedMap<Integer, Long> brokers, BrokerSeries series, LongSupplier clock) {
        return new MetricsHandler(patience -> series.read(brokers, patience), clock);
    }

    @Override
    public LiveAnswer answer(LiveRequest request) {
        Exposition form = Exposition.of(request.header("accept"));
        byte[] bytes = form.bytes(new MetricSnapshots(metrics.apply(patience(request.header(TIMEOUT)))));
        if (request.method().equals("GET")) {
            scraped();
        }
        return new LiveAnswer.Whole(200, form.type(), headers(request), bytes);
    }

    /** Packing a megabyte costs more CPU than all the rest, and on this machine saves nothing. */
    private static SortedMap<String, String> headers(LiveRequest request) {
        SortedMap<String, String> headers = new TreeMap<>();
        if (HERE.matcher(request.header("host")).lookingAt()) {
            headers.put("content-encoding", "identity");
        }
        return headers;
    }

    /** Half of the time that the scraper waits: the rest is for writing all of it down. */
    static Duration patience(String seconds) {
        try {
            double half = Double.parseDouble(seconds) / 2;
            return half > 0 && half < PATIENCE.toSeconds() ? Duration.ofMillis((long) (half * 1_000)) : PATIENCE;
        } catch (NumberFormatException unsaid) {
            return PATIENCE;
        }
    }

    private synchronized void scraped() {
        long now = clock.getAsLong();
        if (scrapes > 0) {
            intervalNanos = now - scrapedNanos;
        }
        scrapedNanos = now;
        scrapes++;
        notifyAll();
    }

    /**
     * Waits until somebody has scraped once more, so that the last numbers of a run are not lost: for as long as the last
     * two scrapes were apart and half of that, at most {@link #LONGEST}; not at all where nobody came twice, or not any more.
     * True when somebody has.
     */
    public synchronized boolean awaitLastScrape() {
        long patience = Math.min(LONGEST.toNanos(), intervalNanos + intervalNanos / 2);
        long until = scrapedNanos + patience;
        long before = scrapes;
        try {
            while (intervalNanos != NEVER && scrapes == before && clock.getAsLong() < until) {
                wait(Math.max(1, (until - clock.getAsLong()) / 1_000_000));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return scrapes > before;
    }
}
