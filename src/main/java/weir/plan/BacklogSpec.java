package weir.plan;

/** The records that are written before the trial, in phase fill. */
public sealed interface BacklogSpec {
    record None() implements BacklogSpec {}

    record Records(long records, Cache cache) implements BacklogSpec {}

    record Bytes(ByteSize size, Cache cache) implements BacklogSpec {}

    /** True when it is to be read from the disk. */
    default boolean cold() {
        return (this instanceof Records some && some.cache == Cache.COLD)
                || (this instanceof Bytes bytes && bytes.cache == Cache.COLD);
    }

    /** True when the backlog may stay in the page cache. */
    enum Cache {
        WARM,
        COLD
    }
}
