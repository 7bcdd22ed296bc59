package weir.cluster.admin;

import java.util.List;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/** The transactional ids of a cluster that begin with a prefix, and have a transaction open. */
public final class TransactionalIds {
    private final AdminAnswers answers;

    TransactionalIds(AdminAnswers answers) {
        this.answers = answers;
    }

    /** Somebody else works with them, unless they are ours. */
    public List<String> inUse(String prefix) {
        ListTransactionsOptions open = new ListTransactionsOptions()
                .filterStates(List.of(
                        TransactionState.ONGOING, TransactionState.PREPARE_COMMIT, TransactionState.PREPARE_ABORT));
        try {
            return answers
                    .to("transactions", admin -> admin.listTransactions(open).all())
                    .stream()
                    .map(TransactionListing::transactionalId)
                    .filter(id -> id.startsWith(prefix))
                    .sorted()
                    .toList();
        } catch (UnsupportedVersionException before30) {
            // Nobody can be asked; a producer that takes the id of another fences it, which is counted.
            return List.of();
        }
    }

    /** Ends their transactions: whoever had begun them is fenced. */
    public void end(String prefix) {
        List<String> open = inUse(prefix);
        if (!open.isEmpty()) {
            answers.to(
                    "the end of our transactions",
                    admin -> admin.fenceProducers(open).all());
        }
    }
}
