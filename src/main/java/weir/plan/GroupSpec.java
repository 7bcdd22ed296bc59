package weir.plan;

/**
 * The consumer group of the readers. With an empty name, Weir assigns the partitions, without rebalances.
 *
 * @param existing true if the group keeps its name and its readers continue at its committed offsets
 */
public record GroupSpec(String name, Protocol protocol, boolean existing) {
    public static final GroupSpec ASSIGNED = new GroupSpec("", Protocol.CLASSIC, false);

    public boolean named() {
        return !name.isEmpty();
    }

    public enum Protocol {
        CLASSIC,
        CONSUMER
    }
}
