package weir.measure;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The verdict on the transactions of all phases of a trial. Readers of committed records must see all records of a
 * transaction, or none. A count is null if Weir cannot judge it, for example without such readers.
 *
 * @param aborted number of transactions that were aborted on purpose
 * @param fenced number of times that another producer took over the transactional id
 * @param timedOut number of calls that timed out with an unknown outcome
 * @param abortedReads number of records of aborted transactions that were seen
 * @param torn number of transactions with some records that were seen and some records that are proven to be absent
 * @param offsetsWithoutRecord number of offsets that a stream committed, although readers saw no record from them
 * @param recordsWithoutOffset number of a stream's records that were seen, although their offset was not committed
 * @param writtenTwice number of a stream's source records from which readers saw more than one record
 */
public record Atomicity(
        long transactions,
        long aborted,
        long fenced,
        long timedOut,
        @Nullable Long abortedReads,
        @Nullable Long torn,
        @Nullable Long offsetsWithoutRecord,
        @Nullable Long recordsWithoutOffset,
        @Nullable Long writtenTwice,
        List<String> violations) {
    public Atomicity {
        violations = List.copyOf(violations);
    }

    public boolean transactional() {
        return transactions + aborted + fenced + timedOut > 0;
    }
}
