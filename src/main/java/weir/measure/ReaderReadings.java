package weir.measure;

/** The names of readings about single readers. Times of rebalances are exact, all other readings are of one second. */
public final class ReaderReadings {
    /** The sources of a reader's readings begin so, such as {@code reader-3}. */
    public static final String READER = "reader";

    public static final String WORKING = "working.percent";
    public static final String COMMITTING = "committing.percent";
    /** The share of the second in which a poll returned records that were already due. */
    public static final String FETCHING = "fetching.percent";
    /** The records that polls returned in the second. */
    public static final String RECORDS = "records";
    /** The partitions of a group's reader after a change. */
    public static final String PARTITIONS = "partitions";
    /** The time between the last record before a rebalance and the first record after it. */
    public static final String PAUSE = "pause.ms";
    /** The number of the new reader of a partition; the source is the partition. */
    public static final String OWNER = "owner";

    private ReaderReadings() {}
}
