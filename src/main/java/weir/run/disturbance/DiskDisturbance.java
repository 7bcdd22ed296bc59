package weir.run.disturbance;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import weir.cluster.Cluster;
import weir.cluster.Impairment;
import weir.plan.DisturbanceSpec.Disk;
import weir.results.value.NumberFormat;

/** A slow or full disk of a broker. */
final class DiskDisturbance implements Disturbance {
    private static final double MIB = 1 << 20;

    private final Cluster cluster;
    private final Disk asked;
    private @Nullable Impairment worse;

    DiskDisturbance(Cluster cluster, Disk asked) {
        this.cluster = cluster;
        this.asked = asked;
    }

    @Override
    public String announced() {
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

    @Override
    public void begin() {
        worse = cluster.impair(asked);
    }

    @Override
    public void end() {
        Objects.requireNonNull(worse).close();
    }

    /** A limit is the kernel's, and outlives the disk. */
    @Override
    public boolean endsWithBrokers() {
        return asked.ioPerSecond().bytes() == 0;
    }
}
