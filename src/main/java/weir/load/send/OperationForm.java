package weir.load.send;

import weir.plan.LoadSpec;
import weir.plan.TransactionSpec;

/**
 * The form of an operation: what it is made of, and how operations are put into transactions.
 *
 * @param messages of an operation
 * @param firstTopic from where on topics are written
 * @param topics that are written
 * @param stream whether each message is made of a record read before
 * @param offsetsEach whether a stream commits its offsets with each record
 * @param seed of the draws which transactions are aborted
 */
public record OperationForm(
        int messages,
        int firstTopic,
        int topics,
        boolean stream,
        boolean offsetsEach,
        TransactionSpec transaction,
        long seed) {

    /** {@code sources}: topics that a stream reads, the first ones of {@code topics}. */
    public static OperationForm of(LoadSpec load, int topics, int sources, long seed) {
        boolean stream = load.workload() == LoadSpec.Workload.STREAM;
        return new OperationForm(
                load.workload() == LoadSpec.Workload.WRITE ? topics : 1,
                sources,
                topics - sources,
                stream,
                load.stream().commit() == LoadSpec.Commit.EACH_RECORD
                        || load.transaction() instanceof TransactionSpec.Each,
                load.transaction(),
                seed);
    }

    boolean transactional() {
        return !(transaction instanceof TransactionSpec.None);
    }

    /** True when operations end together, one group after the other; if not, each ends by itself. */
    boolean grouped() {
        return transactional() || stream;
    }

    /** True when a group of so many operations and messages takes no more. */
    boolean full(int operations, int inGroup) {
        if (transaction instanceof TransactionSpec.Each) {
            return operations > 0;
        }
        if (transaction instanceof TransactionSpec.Records some) {
            return inGroup >= some.records();
        }
        return transaction instanceof TransactionSpec.None && offsetsEach;
    }

    /** How long a group stays open; as long as it takes where the time does not matter. */
    long openNanos() {
        return transaction instanceof TransactionSpec.Every some
                ? some.interval().toNanos()
                : Long.MAX_VALUE;
    }

    double abortShare() {
        if (transaction instanceof TransactionSpec.Each each) {
            return each.abort().share();
        }
        if (transaction instanceof TransactionSpec.Records some) {
            return some.abort().share();
        }
        return transaction instanceof TransactionSpec.Every every
                ? every.abort().share()
                : 0;
    }
}
