package weir.measure;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The verdict on whether a trial's transactions, in all its phases, were all or nothing to readers of committed
 * records. Null means "not judged": there were no readers, or they did not ask for committed records only.
 *
 * @param transactions that were committed
 * @param aborted transactions that were aborted on purpose
 * @param fenced how often another producer took our id
 * @param timedOut calls that timed out, so that the outcome of their transaction is unknown
 * @param abortedReads records of aborted transactions that were seen
 * @param torn transactions with some records seen and others proven to be absent
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
