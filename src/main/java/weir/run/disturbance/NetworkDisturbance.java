package weir.run.disturbance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import weir.cluster.Cluster;
import weir.cluster.Impairment;
import weir.plan.DisturbanceSpec.Network;
import weir.results.value.NumberFormat;

/** A worse network of a broker. */
final class NetworkDisturbance implements Disturbance {
    private static final double MILLIS = 1e6;
    private static final double MIB = 1 << 20;

    private final Cluster cluster;
    private final Network asked;
    private @Nullable Impairment worse;

    NetworkDisturbance(Cluster cluster, Network asked) {
        this.cluster = cluster;
        this.asked = asked;
    }

    @Override
    public String announced() {
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

    private static String millis(Duration duration) {
        return NumberFormat.millis(duration.toNanos() / MILLIS);
    }

    @Override
    public void begin() {
        worse = cluster.impair(asked);
    }

    @Override
    public void end() {
        Objects.requireNonNull(worse).close();
    }

    @Override
    public boolean endsWithBrokers() {
        return true;
    }
}
