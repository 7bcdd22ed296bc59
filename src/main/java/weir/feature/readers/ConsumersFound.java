package weir.feature.readers;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import weir.cli.terminal.HumanAmount;
import weir.results.value.Attempt;
import weir.results.value.NumberFormat;
import weir.results.value.SearchResults.SearchResult;
import weir.search.TriedNumbers;

/**
 * The smallest number of consumers that carried a rate.
 *
 * @param rate operations per second
 * @param each the records per second that one consumer can work on; null without work
 * @param consumers null if no number carried the rate
 * @param refused the largest smaller number that did not carry the rate; null without one
 * @param reason why a smaller number did not carry the rate, or why the number is unknown
 */
public record ConsumersFound(
        String of,
        double rate,
        List<String> limits,
        List<ConsumersTrial> trials,
        @Nullable Double each,
        @Nullable Integer consumers,
        @Nullable Integer refused,
        String reason)
        implements SearchResult {
    static final String CONSUMER = "consumer";

    public record ConsumersTrial(int consumers, Attempt tried) implements TriedNumbers.Tried {
        @Override
        public int number() {
            return consumers;
        }
    }

    public ConsumersFound {
        limits = List.copyOf(limits);
        trials = List.copyOf(trials);
    }

    @Override
    public List<Attempt> tried() {
        return trials.stream().map(ConsumersTrial::tried).toList();
    }

    /** Returns the clauses of the answer. */
    List<String> clauses() {
        List<String> clauses = new ArrayList<>();
        String carried = NumberFormat.rate(rate) + (limits.isEmpty() ? "" : " with " + String.join(" and ", limits));
        if (consumers == null) {
            clauses.add(
                    refused == null
                            ? "The number of consumers that carries " + carried + " is unknown"
                            : "More than " + HumanAmount.count(refused, CONSUMER) + " would be needed for " + carried);
        } else {
            clauses.add(HumanAmount.count(consumers, CONSUMER)
                    + (consumers == 1 ? " carries " : " carry ")
                    + carried
                    + (refused == null ? "" : "; " + refused + (refused == 1 ? " does not" : " do not")));
        }
        Integer most = consumers == null ? refused : consumers;
        if (most != null && each != null) {
            clauses.add(HumanAmount.count(most, CONSUMER) + " can work on at most " + NumberFormat.rate(most * each));
        }
        if (!reason.isEmpty()) {
            clauses.add(reason);
        }
        return clauses;
    }
}
