package weir.plan;

/** The records that the fill phase writes before the trial. */
public sealed interface BacklogSpec {
    record None() implements BacklogSpec {}

    record Records(long records, Cache cache) implements BacklogSpec {}

    record Bytes(ByteSize size, Cache cache) implements BacklogSpec {}

    default boolean none() {
        return this instanceof None;
    }

    /** The number of records; zero if the plan gives a size or no backlog. */
    default long records() {
        return 0;
    }

    /** The size; zero if the plan gives a number of records or no backlog. */
    default ByteSize size() {
        return new ByteSize(0);
    }

    default Cache cache() {
        return Cache.WARM;
    }

    default boolean cold() {
        return cache() == Cache.COLD;
    }

    enum Cache {
        WARM,
        COLD
    }
}
