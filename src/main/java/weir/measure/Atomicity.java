package weir.measure;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The verdict on whether a trial's transactions, in all its phases, were all or nothing to readers of committed records. Null
 * is "not judged": nobody read, or readers did not ask for committed records only.
 *
 * @param transactions that were committed
 * @param aborted transactions, on purpose
 * @param fenced times that another producer took our id
 * @param timedOut calls whose transaction ended nobody knows how
 * @param abortedReads records of aborted transactions that were seen
 * @param torn transactions of which some records were seen and others are proven not to be there
 * @param offsetsWithoutRecord offsets that a stream committed, of which no record was seen
 * @param recordsWithoutOffset records of a stream that were seen, whose offset was not committed
 * @param writtenTwice records of a stream's source of which more than one record was seen
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
