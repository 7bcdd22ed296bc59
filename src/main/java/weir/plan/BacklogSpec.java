package weir.plan;

/** The records that are written before the trial, in phase fill. */
public sealed interface BacklogSpec {
    record None() implements BacklogSpec {}

    record Records(long records, Cache cache) implements BacklogSpec {}

    record Bytes(ByteSize size, Cache cache) implements BacklogSpec {}

    default boolean none() {
        return this instanceof None;
    }

    /** Zero where the size is given, or there is no backlog. */
    default long records() {
        return 0;
    }

    /** Zero where the number of records is given, or there is no backlog. */
    default ByteSize size() {
        return new ByteSize(0);
    }

    default Cache cache() {
        return Cache.WARM;
    }

    /** True when the backlog is read from the disk. */
    default boolean cold() {
        return cache() == Cache.COLD;
    }

    /** True when the backlog may stay in the page cache. */
    enum Cache {
        WARM,
        COLD
    }
}
