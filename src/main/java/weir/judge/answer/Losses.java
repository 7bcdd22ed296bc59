package weir.judge.answer;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import weir.judge.Comparisons;
import weir.judge.FailedOperations;
import weir.measure.Atomicity;
import weir.measure.Count;
import weir.results.value.CatchUpResult;
import weir.results.value.Figures;
import weir.results.value.NumberFormat;
import weir.results.value.TrialResult;

/** The sentences about lost or wrongly delivered messages, which every answer contains. */
final class Losses {
    private static final Map<Count, String> WORDS = Map.of(
            Count.LOST, "lost after they were acked",
            Count.DUPLICATED, "duplicated",
            Count.REORDERED, "reordered",
            Count.FAILED, "failed",
            Count.UNRESOLVED, "never answered",
            Count.UNSENT, "due but not sent");

    private static final int MOST_NAMED = 3;

    private Losses() {}

    static List<AnswerSentence> broken(List<TrialResult> trials, String answer) {
        List<String> broken = new ArrayList<>();
        List<TrialResult> losing =
                trials.stream().filter(trial -> lostOf(trial) > 0).toList();
        long lost = losing.stream().mapToLong(Losses::lostOf).sum();
        boolean named = losing.size() == 1 && answer.matches(".*\\b" + NumberFormat.count(lost) + " lost\\b.*");
        if (lost > 0 && !named) {
            broken.add(NumberFormat.count(lost)
                    + (lost == 1 ? " acked record was lost" : " acked records were lost")
                    + under(trials, losing));
        }
        List<TrialResult> torn = trials.stream()
                .filter(trial -> !torn(trial.figures().atomicity()).isEmpty())
                .toList();
        if (!torn.isEmpty()) {
            broken.add("transactions were torn" + (losing.equals(torn) ? "" : under(trials, torn)));
        }
        return broken.isEmpty() ? List.of() : List.of(AnswerSentence.each("broken promise", "", broken, ""));
    }

    private static String under(List<TrialResult> trials, List<TrialResult> broken) {
        int all = TrialResult.variants(trials).size();
        List<String> variants = TrialResult.variants(broken);
        if (all == 1) {
            return "";
        }
        if (variants.size() <= MOST_NAMED) {
            return " under "
                    + NumberFormat.listed(
                            variants.stream().map(NumberFormat::quoted).toList());
        }
        TrialResult worst =
                broken.stream().max(Comparator.comparingLong(Losses::lostOf)).orElseThrow();
        return " under " + variants.size() + " of " + all + " variants, most under "
                + NumberFormat.quoted(worst.variant()) + ": " + NumberFormat.count(lostOf(worst));
    }

    private static long lostOf(TrialResult trial) {
        CatchUpResult catchUp = trial.catchUp();
        Long ofBacklog = catchUp == null ? null : catchUp.lost();
        return trial.figures().orZero(Count.LOST) + (ofBacklog == null ? 0 : ofBacklog);
    }

    static List<String> of(List<TrialResult> trials) {
        List<String> losses = new ArrayList<>();
        for (TrialResult trial : trials) {
            Figures f = trial.figures();
            List<String> parts = new ArrayList<>();
            Comparisons.LOSSES.stream()
                    .filter(count -> count != Count.REORDERED || trial.ordered())
                    .forEach(count ->
                            FailedOperations.add(parts, f.count(count), WORDS.getOrDefault(count, count.word())));
            CatchUpResult catchUp = trial.catchUp();
            FailedOperations.add(parts, catchUp == null ? null : catchUp.lost(), "of the backlog lost");
            String where = "Trial " + trial.trial() + " (" + trial.variant() + "): ";
            if (!parts.isEmpty()) {
                String reasons = FailedOperations.reasons(trial);
                losses.add(where + NumberFormat.listed(parts) + ", of " + NumberFormat.count(f.count(Count.DUE))
                        + " due" + (reasons.isEmpty() ? "" : "; failed with " + reasons) + ".");
            }
            List<String> torn = torn(f.atomicity());
            if (!torn.isEmpty()) {
                losses.add(where + "transactions were torn: " + NumberFormat.listed(torn) + ".");
            }
        }
        return losses;
    }

    private static List<String> torn(@Nullable Atomicity found) {
        List<String> parts = new ArrayList<>();
        if (found != null && found.transactional()) {
            FailedOperations.add(parts, found.abortedReads(), "read although aborted");
            FailedOperations.add(parts, found.torn(), "torn");
            FailedOperations.add(parts, found.offsetsWithoutRecord(), "committed as an offset without its record");
            FailedOperations.add(parts, found.recordsWithoutOffset(), "written without its offset");
            FailedOperations.add(parts, found.writtenTwice(), "written twice");
        }
        return parts;
    }
}
