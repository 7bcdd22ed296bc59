package weir.cluster.admin;

import java.util.List;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/** The transactional ids with a common prefix that have an open transaction. */
public record TransactionalIds(AdminAnswers answers) {
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
            // No broker can list the ids. Weir counts producers that lose their id to another producer (fencing).
            return List.of();
        }
    }

    /** Ends the open transactions and fences the producers that began them. */
    public void end(String prefix) {
        List<String> open = inUse(prefix);
        if (!open.isEmpty()) {
            answers.to(
                    "the end of our transactions",
                    admin -> admin.fenceProducers(open).all());
        }
    }
}
