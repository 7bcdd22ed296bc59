package weir.plan;

/**
 * The consumer group of the readers. With an empty name, Weir assigns the partitions, without rebalances.
 *
 * @param existing true if the group keeps its name and its readers continue at its committed offsets
 * @param acknowledge of a share group
 */
public record GroupSpec(String name, Protocol protocol, boolean existing, Acknowledge acknowledge) {
    public static final GroupSpec ASSIGNED = classic("");

    public static GroupSpec classic(String name) {
        return new GroupSpec(name, Protocol.CLASSIC, false, Acknowledge.IMPLICIT);
    }

    public boolean named() {
        return !name.isEmpty();
    }

    /** True for a share group, whose readers get single records and have no positions. */
    public boolean shares() {
        return named() && protocol == Protocol.SHARE;
    }

    public enum Protocol {
        CLASSIC,
        CONSUMER,
        SHARE
    }

    /** The moment at which a member of a share group acknowledges a record. */
    public enum Acknowledge {
        /** With the next poll, all records of the last poll. */
        IMPLICIT,
        /** After the work on each record. */
        EXPLICIT
    }
}
