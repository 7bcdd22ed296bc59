package weir.probe.scrape;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import weir.probe.Meter;
import weir.probe.Reading;

/**
 * The thread that asks one exporter at whole seconds, and hands over what its brokers did up to the moment at which it answered: that
 * may be seconds after it was asked.
 */
final class ExporterWatch implements AutoCloseable {
    private static final long SECOND = 1_000_000_000L;
    private static final long GLANCE = SECOND / 20;

    private final Exporter exporter;
    private final long originNanos;
    private final LongSupplier clock;
    private final Consumer<Reading> out;
    private final Map<String, Broker> brokers = new HashMap<>();
    private final Thread thread;
    private volatile boolean closed;
    private volatile @Nullable RuntimeException failure;

    /** The totals of one broker, as they were last told. */
    private static final class Broker {
        final Meter meter;
        final RisingTotals totals;
        boolean marked;

        Broker(String source) {
            meter = new Meter(source);
            totals = new RisingTotals(meter);
        }
    }

    /** Without its thread: a test turns it by hand. */
    ExporterWatch(Exporter exporter, long originNanos, LongSupplier clock, Consumer<Reading> out) {
        this.exporter = exporter;
        this.originNanos = originNanos;
        this.clock = clock;
        this.out = out;
        this.thread = new Thread(this::run, "weir-exporter");
    }

    static ExporterWatch start(Exporter exporter, long originNanos, LongSupplier clock, Consumer<Reading> out) {
        ExporterWatch watch = new ExporterWatch(exporter, originNanos, clock, out);
        watch.thread.setDaemon(true);
        watch.thread.start();
        return watch;
    }

    private void run() {
        try {
            while (!closed) {
                long asked = secondsAt(clock.getAsLong());
                turn();
                while (!closed && secondsAt(clock.getAsLong()) <= asked) {
                    LockSupport.parkNanos(GLANCE);
                }
            }
        } catch (RuntimeException e) {
            failure = e;
        }
    }

    /** Asks, and hands over what it told. */
    void turn() {
        exporter.ask();
        if (!closed) {
            readings(clock.getAsLong()).forEach(out);
        }
    }

    /** The readings of what was told at this moment, which closes the second that ends nearest to it. */
    private List<Reading> readings(long nanos) {
        long second = secondsAt(nanos + SECOND / 2) - 1;
        List<Reading> readings = new ArrayList<>();
        exporter.pages().forEach((source, page) -> {
            Broker broker = brokers.computeIfAbsent(source, Broker::new);
            broker.meter.begin(second, nanos);
            page.give(broker.totals);
            // The first page is only a mark for its totals.
            if (broker.marked) {
                readings.addAll(broker.meter.readings());
            }
            broker.marked = true;
        });
        return readings;
    }

    private long secondsAt(long nanos) {
        return Math.floorDiv(nanos - originNanos, SECOND);
    }

    /** Does not wait for an exporter that hangs. Throws when what was read could not be handed over. */
    @Override
    public void close() {
        closed = true;
        exporter.close();
        LockSupport.unpark(thread);
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        RuntimeException cause = failure;
        if (cause != null) {
            failure = null;
            throw new IllegalStateException("handing over what an exporter told", cause);
        }
    }
}
