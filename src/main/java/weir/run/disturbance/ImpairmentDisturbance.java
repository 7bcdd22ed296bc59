package weir.run.disturbance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import weir.cluster.Cluster;
import weir.cluster.Impairment;
import weir.plan.DisturbanceSpec.Disk;
import weir.plan.DisturbanceSpec.Network;
import weir.results.value.NumberFormat;

/** A network or a disk of a broker, made worse. */
final class ImpairmentDisturbance implements Disturbance {
    private static final double MILLIS = 1e6;
    private static final double MIB = 1 << 20;

    private final String announced;
    private final Supplier<Impairment> impair;
    private final boolean endsWithBrokers;
    private @Nullable Impairment worse;

    private ImpairmentDisturbance(String announced, Supplier<Impairment> impair, boolean endsWithBrokers) {
        this.announced = announced;
        this.impair = impair;
        this.endsWithBrokers = endsWithBrokers;
    }

    static ImpairmentDisturbance network(Cluster cluster, Network asked) {
        return new ImpairmentDisturbance(told(asked), () -> cluster.impair(asked), true);
    }

    /** A limit of a disk is the kernel's, and outlives the disk. */
    static ImpairmentDisturbance disk(Cluster cluster, Disk asked) {
        boolean limited = asked.ioPerSecond().bytes() > 0;
        return new ImpairmentDisturbance(told(asked), () -> cluster.impair(asked), !limited);
    }

    private static String told(Network asked) {
        List<String> changes = new ArrayList<>();
        if (asked.cut()) {
            changes.add("is cut");
        }
        if (!asked.delay().isZero() || !asked.jitter().isZero()) {
            changes.add("is slower by " + millis(asked.delay())
                    + (asked.jitter().isZero() ? "" : " and up to " + millis(asked.jitter()) + " more"));
        }
        if (asked.bytesPerSecond().bytes() > 0) {
            changes.add("carries at most "
                    + NumberFormat.mebibytes(asked.bytesPerSecond().bytes() / MIB));
        }
        String whose = switch (asked.between()) {
            case ALL -> "the network of broker " + asked.broker();
            case CLIENTS -> "the network between clients and broker " + asked.broker();
            case BROKERS -> "the network between broker " + asked.broker() + " and the others";
        };
        String way = switch (asked.way()) {
            case BOTH -> "";
            case IN -> ", towards it,";
            case OUT -> ", away from it,";
        };
        return whose + way + " " + String.join(", ", changes);
    }

    private static String told(Disk asked) {
        List<String> changes = new ArrayList<>();
        if (asked.full()) {
            changes.add("is full");
        }
        if (asked.ioPerSecond().bytes() > 0) {
            changes.add("reads and writes at most "
                    + NumberFormat.mebibytes(asked.ioPerSecond().bytes() / MIB) + " each");
        }
        return "the disk of broker " + asked.broker() + " " + String.join(" and ", changes);
    }

    private static String millis(Duration duration) {
        return NumberFormat.millis(duration.toNanos() / MILLIS);
    }

    @Override
    public String announced() {
        return announced;
    }

    @Override
    public void begin() {
        worse = impair.get();
    }

    @Override
    public void end() {
        Objects.requireNonNull(worse).close();
    }

    @Override
    public boolean endsWithBrokers() {
        return endsWithBrokers;
    }
}
