package weir.measure;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The verdict on the transactions of a trial in all phases: readers of committed records must see all records of a
 * transaction or none. Null means "not judged", without readers or with readers of uncommitted records.
 *
 * @param aborted number of transactions that were aborted on purpose
 * @param fenced number of times that another producer took over the transactional id
 * @param timedOut number of calls that timed out with an unknown outcome
 * @param abortedReads number of records of aborted transactions that were seen
 * @param torn number of transactions with some records seen and others proven to be absent
 * @param offsetsWithoutRecord offsets that a stream committed although no record of them was seen
 * @param recordsWithoutOffset records of a stream that were seen although their offset was not committed
 * @param writtenTwice records of a stream's source from which more than one record was seen
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
