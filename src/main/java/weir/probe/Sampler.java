package weir.probe;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import weir.measure.Reading;
import weir.time.DaemonThreads;

/** A thread that reads every probe at whole seconds since an origin and delivers the readings. */
public final class Sampler implements AutoCloseable {
    private static final long SECOND = 1_000_000_000L;
    private static final long POLL_INTERVAL = SECOND / 10;

    private final long originNanos;
    private final LongSupplier clock;
    private final Consumer<List<Reading>> out;
    private final List<Watch> watches = new ArrayList<>();
    private final Set<Absence> farewells = new LinkedHashSet<>();
    private final Thread thread = DaemonThreads.of("weir-sampler", this::run);
    private long wholeSeconds;
    private volatile boolean closed;
    private volatile @Nullable RuntimeException failure;

    private static final class Watch {
        final List<Probe> probes;
        final Readings meter;
        boolean looked;
        long lookedNanos;

        Watch(String source, List<Probe> probes) {
            this.probes = List.copyOf(probes);
            this.meter = new Readings(source);
        }
    }

    Sampler(long originNanos, LongSupplier clock, Consumer<List<Reading>> out) {
        this.originNanos = originNanos;
        this.clock = clock;
        this.out = out;
        this.wholeSeconds = secondsAt(clock.getAsLong());
    }

    /** Starts sampling. {@code out} is called on the sampler's thread. The origin may be in the past or the future. */
    public static Sampler start(long originNanos, LongSupplier clock, Consumer<Reading> out) {
        return inLooks(originNanos, clock, readings -> readings.forEach(out));
    }

    public static Sampler inLooks(long originNanos, LongSupplier clock, Consumer<List<Reading>> out) {
        Sampler sampler = new Sampler(originNanos, clock, out);
        sampler.thread.start();
        return sampler;
    }

    /** Watches these probes. When a probe reports the end of its object, all of them end. */
    public synchronized void watch(String source, List<Probe> probes) {
        watches.add(new Watch(source, probes));
    }

    public synchronized List<Absence> absences() {
        Set<Absence> all = new LinkedHashSet<>(farewells);
        watches.forEach(watch -> all.addAll(watch.meter.absences()));
        return List.copyOf(all);
    }

    void turn() {
        // The call is outside of the lock, because the receiver may hold another lock.
        List<Reading> all = readings();
        if (!all.isEmpty()) {
            out.accept(all);
        }
    }

    private synchronized List<Reading> readings() {
        List<Reading> readings = new ArrayList<>();
        long seconds = secondsAt(clock.getAsLong());
        boolean secondOver = seconds > wholeSeconds;
        wholeSeconds = seconds;
        for (Watch watch : List.copyOf(watches)) {
            long now = clock.getAsLong();
            if (!watch.looked) {
                // The sample only sets the totals, because it belongs to no whole second.
                sample(watch, seconds, now);
            } else if (secondOver && now - watch.lookedNanos >= SECOND / 2) {
                // In less than half a second, one tick of a CPU counter would look like a burst.
                readings.addAll(sample(watch, seconds - 1, now));
            } else {
                watch.probes.forEach(Probe::sampleFast);
            }
        }
        return readings;
    }

    private List<Reading> sample(Watch watch, long second, long now) {
        Readings meter = watch.meter;
        meter.begin(second, now);
        watch.looked = true;
        watch.lookedNanos = now;
        for (Probe probe : watch.probes) {
            if (!meter.ended()) {
                sample(probe, meter);
            }
        }
        if (meter.ended()) {
            farewells.addAll(meter.absences());
            watches.remove(watch);
            watch.probes.forEach(Probe::close);
        }
        return meter.readings();
    }

    private static void sample(Probe probe, Readings meter) {
        try {
            probe.sample(meter);
        } catch (RuntimeException e) {
            // A failing probe must lose its figures but not fail the trial. The reason is stored.
            meter.absent("*", probe.getClass().getSimpleName() + ": " + e);
        }
    }

    private void run() {
        try {
            while (!closed) {
                turn();
                long sinceOrigin = clock.getAsLong() - originNanos;
                LockSupport.parkNanos(Math.min(POLL_INTERVAL, SECOND - Math.floorMod(sinceOrigin, SECOND)));
            }
        } catch (RuntimeException e) {
            failure = e;
        }
    }

    private long secondsAt(long nanos) {
        return Math.floorDiv(nanos - originNanos, SECOND);
    }

    /** Stops and closes every probe. Throws an exception if readings could not be delivered. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        DaemonThreads.join(thread, 0);
        synchronized (this) {
            watches.forEach(watch -> watch.probes.forEach(Probe::close));
            watches.clear();
        }
        RuntimeException cause = failure;
        if (cause != null) {
            failure = null;
            throw new IllegalStateException("handing over readings after second " + wholeSeconds, cause);
        }
    }
}
