package weir.results.value;

import java.util.List;
import org.jspecify.annotations.Nullable;
import weir.measure.Atomicity;

/**
 * The counts that show whether a trial's transactions, in all its phases, were all or nothing; null is "not judged".
 *
 * @param transactions that were committed
 * @param aborted on purpose
 * @param fenced times that another producer took an id of ours
 * @param timedOut transactions that ended nobody knows how
 * @param abortedReads records of aborted transactions that were seen
 * @param torn transactions that were seen in part
 * @param offsetsWithoutRecord offsets that a stream committed, and no record of theirs was seen
 * @param recordsWithoutOffset records of a stream that were seen, and their offset was not committed
 * @param writtenTwice records of a stream's source of which more than one record was seen
 * @param violations some of them, with the records that show them
 */
public record AtomicityResult(
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
    public AtomicityResult {
        violations = List.copyOf(violations);
    }

    public static AtomicityResult of(Atomicity found) {
        return new AtomicityResult(
                found.transactions(),
                found.aborted(),
                found.fenced(),
                found.timedOut(),
                known(found.abortedReads()),
                known(found.torn()),
                known(found.offsetsWithoutRecord()),
                known(found.recordsWithoutOffset()),
                known(found.writtenTwice()),
                found.violations());
    }

    private static @Nullable Long known(long count) {
        return count == Atomicity.UNKNOWN ? null : count;
    }

    public boolean transactional() {
        return transactions + aborted + fenced + timedOut > 0;
    }
}
