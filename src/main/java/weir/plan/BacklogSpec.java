package weir.plan;

/** The records that the fill phase writes before the trial: a number of records or of bytes. Both are zero for none. */
public record BacklogSpec(long records, ByteSize size, Cache cache) {
    public static final BacklogSpec NONE = ofRecords(0);

    public static BacklogSpec ofRecords(long records) {
        return new BacklogSpec(records, new ByteSize(0), Cache.WARM);
    }

    public boolean none() {
        return records == 0 && size.bytes() == 0;
    }

    public boolean cold() {
        return cache == Cache.COLD;
    }

    public enum Cache {
        WARM,
        COLD
    }
}
