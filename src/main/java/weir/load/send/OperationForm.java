package weir.load.send;

import weir.plan.LoadSpec;
import weir.plan.TransactionSpec;

/**
 * The composition of an operation, and its transaction.
 *
 * @param firstTopic index of the first topic to write
 * @param stream true if each message comes from a record that was read
 * @param offsetsEach true if a stream commits its offsets after each record
 * @param seed the seed that selects the transactions to abort
 */
public record OperationForm(
        int messages,
        int firstTopic,
        int topics,
        boolean stream,
        boolean offsetsEach,
        TransactionSpec transaction,
        long seed) {

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
        return !transaction.none();
    }

    boolean grouped() {
        return transactional() || stream;
    }
}
