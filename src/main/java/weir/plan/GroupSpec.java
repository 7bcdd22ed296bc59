package weir.plan;

/** How readers share partitions. */
public sealed interface GroupSpec {
    /** Partitions are assigned by Weir; no rebalances. */
    record Assigned() implements GroupSpec {}

    /** An {@code existing} one keeps its name, and its readers go on where it stands. */
    record Named(String name, Protocol protocol, boolean existing) implements GroupSpec {}

    /** True when readers join a group of Kafka. */
    default boolean named() {
        return this instanceof Named;
    }

    default String name() {
        return "";
    }

    default Protocol protocol() {
        return Protocol.CLASSIC;
    }

    default boolean existing() {
        return false;
    }

    /** The group protocol; {@code SHARE} is a share group (KIP-932). */
    enum Protocol {
        CLASSIC,
        CONSUMER,
        SHARE
    }
}
