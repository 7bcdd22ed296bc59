package weir.plan;

/** What is written before the trial, in phase fill. */
public sealed interface BacklogSpec {
    record None() implements BacklogSpec {}

    record Records(long records, Cache cache) implements BacklogSpec {}

    record Bytes(ByteSize size, Cache cache) implements BacklogSpec {}

    /** Whether the backlog may stay in the page cache. */
    enum Cache {
        WARM,
        COLD
    }
}
