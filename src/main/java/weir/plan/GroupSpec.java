package weir.plan;

/** The division of partitions among readers. */
public sealed interface GroupSpec {
    /** Weir assigns the partitions; there are no rebalances. */
    record Assigned() implements GroupSpec {}

    /**
     * A consumer group; an {@code existing} group keeps its name, and its readers continue at its committed offsets.
     */
    record Named(String name, Protocol protocol, boolean existing) implements GroupSpec {}

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

    enum Protocol {
        CLASSIC,
        CONSUMER
    }
}
