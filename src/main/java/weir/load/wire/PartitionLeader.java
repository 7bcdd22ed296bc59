package weir.load.wire;

import weir.wire.Endpoint;
import weir.wire.Metadata;

/** The broker that leads a partition, and the epoch of its leadership. */
record PartitionLeader(int broker, Endpoint at, int epoch) {
    private static final Endpoint NOWHERE = new Endpoint("nowhere", 1);

    static PartitionLeader none(int epoch) {
        return new PartitionLeader(Metadata.NO_LEADER, NOWHERE, epoch);
    }

    boolean none() {
        return broker == Metadata.NO_LEADER;
    }
}
