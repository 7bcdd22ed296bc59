package weir.plan;

/** How readers share partitions. */
public sealed interface GroupSpec {
    /** Partitions are assigned by Weir; no rebalances. */
    record Assigned() implements GroupSpec {}

    record Named(String name, Protocol protocol) implements GroupSpec {}

    /** The group protocol; {@code SHARE} is a share group (KIP-932). */
    enum Protocol {
        CLASSIC,
        CONSUMER,
        SHARE
    }
}
