package weir.load.read;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import weir.pace.Pacer;
import weir.plan.WorkSpec;

/** The work on one record after the other, for one thread. */
public final class Work {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    /** The longest time until a wait notices that it is abandoned. */
    private static final long POLL_NANOS = 10_000_000;

    /** Threads wake a little late. The next work is shorter by this time, so that the mean is the requested time. */
    private static final long MOST_LATE_NANOS = 1_000_000;

    /** A few microseconds between two questions for the CPU time, each of which is a system call. */
    private static final int SPINS = 100;

    /** The 99th percentile of the standard normal distribution. */
    private static final double NORMAL_P99 = 2.3263478740408408;

    private final LongSupplier clock;
    private final Pacer pacer;
    private final Random random;
    private final double meanNanos;
    private final double sigma;
    private final long cpuNanos;
    private long lateNanos;

    public Work(WorkSpec spec, long seed, LongSupplier clock) {
        this.clock = clock;
        this.pacer = new Pacer(clock);
        this.random = new Random(seed);
        this.meanNanos = spec.mean().toNanos();
        // ln(p99 / mean) = z·σ − σ²/2, of which the smaller σ is the distribution of times.
        double spread = spec.p99().isZero() ? 0 : Math.log(spec.p99().toNanos() / meanNanos);
        this.sigma = NORMAL_P99 - Math.sqrt(NORMAL_P99 * NORMAL_P99 - 2 * spread);
        this.cpuNanos = spec.cpu().toNanos();
    }

    boolean none() {
        return meanNanos == 0 && cpuNanos == 0;
    }

    /** Works on one record; returns the time of its end. */
    public long perform(long startNanos, BooleanSupplier abandoned) {
        long now = startNanos;
        if (cpuNanos > 0) {
            long end = THREADS.getCurrentThreadCpuTime() + cpuNanos;
            while (THREADS.getCurrentThreadCpuTime() < end && !abandoned.getAsBoolean()) {
                for (int i = 0; i < SPINS; i++) {
                    Thread.onSpinWait();
                }
            }
            return clock.getAsLong();
        }
        long end = startNanos + nextNanos() - lateNanos;
        while (now < end && !abandoned.getAsBoolean()) {
            now = pacer.await(Math.min(end, now + POLL_NANOS));
        }
        lateNanos = Math.max(0, Math.min(MOST_LATE_NANOS, now - end));
        return now;
    }

    long nextNanos() {
        return sigma == 0
                ? (long) meanNanos
                : (long) (meanNanos * Math.exp(sigma * random.nextGaussian() - sigma * sigma / 2));
    }
}
