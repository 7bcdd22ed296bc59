package weir.measure;

import java.util.ArrayList;
import java.util.List;

/**
 * The verdict on whether transactions were all or nothing to readers of committed records. -1 is "not judged": nobody
 * read, or readers did not ask for committed records only.
 *
 * @param transactions that were committed
 * @param aborted transactions, on purpose
 * @param fenced times that another producer had taken our id
 * @param timedOut calls whose transaction ended nobody knows how
 * @param abortedReads messages of aborted transactions that were seen
 * @param torn transactions of which some messages were seen and others are proven not to be there
 * @param offsetsWithoutRecord offsets committed of which no record was written
 * @param recordsWithoutOffset records seen whose offset was not committed
 * @param writtenTwice records of the source of which more than one record was seen
 * @param violations some of them, with the records that show them
 */
public record Atomicity(
        long transactions,
        long aborted,
        long fenced,
        long timedOut,
        long abortedReads,
        long torn,
        long offsetsWithoutRecord,
        long recordsWithoutOffset,
        long writtenTwice,
        List<String> violations) {
    /** Stands for a count that was not judged. */
    public static final long UNKNOWN = -1;

    public Atomicity {
        violations = List.copyOf(violations);
    }

    /** The same, and these were lost or duplicated. */
    Atomicity with(List<String> more) {
        List<String> all = new ArrayList<>(violations);
        all.addAll(more);
        return new Atomicity(
                transactions,
                aborted,
                fenced,
                timedOut,
                abortedReads,
                torn,
                offsetsWithoutRecord,
                recordsWithoutOffset,
                writtenTwice,
                all);
    }
}
