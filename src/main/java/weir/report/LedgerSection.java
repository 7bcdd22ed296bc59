package weir.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import weir.judge.FailedOperations;
import weir.judge.ProbeSeries;
import weir.judge.caveat.BrokerCount;
import weir.measure.Atomicity;
import weir.measure.Count;
import weir.measure.Numbers;
import weir.plan.syntax.CaveatType;
import weir.report.chart.Html;
import weir.report.chart.Table;
import weir.results.value.Event;
import weir.results.value.Figures;
import weir.results.value.NumberFormat;
import weir.results.value.TrialResult;

/** Where every record went: the ledger of each trial, with the equations that it has to fulfil. */
final class LedgerSection {
    /** The words of a note where acked is not Kafka's; its meaning follows. */
    private static final String ACKED_MEANS = "so acked means ";

    private LedgerSection() {}

    static Html html(RunView run) {
        Html html = new Html();
        html.open("ul", "class", "verdicts");
        for (TrialView trial : run.trials()) {
            equation(html, trial);
            atomicity(html, trial);
            counted(html, trial);
        }
        html.close();
        List<String> columns = new ArrayList<>(List.of("", "meaning"));
        run.trials().forEach(trial -> columns.add(trial.label()));
        Table table = new Table(2, columns);
        for (Count entry : Count.LEDGER) {
            if (entry == Count.PARKED
                    && run.results().stream().allMatch(trial -> trial.figures().count(entry) == null)) {
                // Only where events are dispatched is there a dead letter sink.
                continue;
            }
            List<Table.Cell> cells = new ArrayList<>();
            cells.add(new Table.Cell(entry.word(), ""));
            cells.add(new Table.Cell(entry == Count.ACKED ? acked(run) : entry.meaning(), "muted"));
            for (TrialResult trial : run.results()) {
                @Nullable Long count = trial.figures().count(entry);
                boolean bad = entry.bad() && count != null && count > 0;
                cells.add(new Table.Cell(
                        NumberFormat.count(count), bad ? "warn" : count == null || count == 0 ? "muted" : ""));
            }
            table.cells(cells);
        }
        html.add(table.html("t-ledger", "Records of the measured phase; – is not known"));
        boolean unordered = run.results().stream()
                .anyMatch(trial -> !trial.ordered() && trial.figures().orZero(Count.REORDERED) > 0);
        return unordered
                ? html.element(
                        "p",
                        "What a trial that sends by HTTP has reordered is no loss: several requests at a time promise no order.",
                        "class",
                        "note")
                : html;
    }

    /** The meaning of acked, with that of each trial in which a note says that it is another. */
    private static String acked(RunView run) {
        Map<String, List<String>> others = new LinkedHashMap<>();
        for (TrialView trial : run.trials()) {
            for (Event event : trial.events()) {
                int at = event.text().indexOf(ACKED_MEANS);
                if (at >= 0) {
                    others.computeIfAbsent(
                                    event.text().substring(at + ACKED_MEANS.length()), other -> new ArrayList<>())
                            .add(trial.label());
                }
            }
        }
        StringBuilder meaning = new StringBuilder();
        others.forEach((other, trials) -> meaning.append(other)
                .append(trials.size() == run.trials().size() ? "" : " (" + NumberFormat.listed(trials) + ")")
                .append(", "));
        boolean all = others.values().stream().mapToInt(List::size).sum()
                == run.trials().size();
        return all ? meaning.substring(0, meaning.length() - 2) : meaning + Count.ACKED.meaning() + " by Kafka";
    }

    /** The brokers' own count, where they were asked. */
    private static void counted(Html html, TrialView trial) {
        boolean differs = trial.caveats().stream().anyMatch(caveat -> caveat.is(CaveatType.BROKERS_COUNT_DIFFERS));
        for (BrokerCount count : BrokerCount.of(
                ProbeSeries.of(trial.readings()),
                () -> trial.folder().counts().values().stream().reduce(new Numbers(), Numbers::plus))) {
            html.open("li", "class", differs ? "bad" : "good").element("b", trial.label());
            Atomicity found = trial.result().figures().atomicity();
            html.text(" " + count.text()
                            + (found != null && found.transactional()
                                    ? ";  they count the markers that end transactions, too"
                                    : ""))
                    .close();
        }
    }

    /** The checks that the transactions were whole, and the evidence where one was not. */
    private static void atomicity(Html html, TrialView trial) {
        Atomicity found = trial.result().figures().atomicity();
        if (found == null || (!found.transactional() && found.offsetsWithoutRecord() == null)) {
            return;
        }
        boolean judged = found.torn() != null;
        boolean whole = found.violations().isEmpty();
        html.open("li", "class", whole ? (judged ? "good" : "open") : "bad").element("b", trial.label());
        html.text(" transactions committed " + NumberFormat.count(found.transactions()) + ", aborted on purpose "
                + NumberFormat.count(found.aborted())
                + ", warm-up and fill included;  aborted reads " + NumberFormat.count(found.abortedReads())
                + ", torn " + NumberFormat.count(found.torn())
                + ", offsets without record " + NumberFormat.count(found.offsetsWithoutRecord())
                + ", records without offset " + NumberFormat.count(found.recordsWithoutOffset())
                + ", written twice " + NumberFormat.count(found.writtenTwice())
                + ";  fenced " + NumberFormat.count(found.fenced())
                + ", timed out " + NumberFormat.count(found.timedOut())
                + (judged ? "" : "  not judged: readers did not ask for committed records only"));
        html.close();
        for (String violation : found.violations()) {
            html.open("li", "class", "bad").text(violation).close();
        }
    }

    private static void equation(Html html, TrialView trial) {
        Figures f = trial.result().figures();
        @Nullable Long due = f.count(Count.DUE);
        @Nullable Long sent = f.count(Count.SENT);
        @Nullable Long unsent = f.count(Count.UNSENT);
        if (due == null || sent == null || unsent == null) {
            html.open("li", "class", "open").element("b", trial.label());
            html.text(" has no closed ledger").close();
            return;
        }
        long answered =
                f.orZero(Count.ACKED) + f.orZero(Count.FAILED) + f.orZero(Count.ABORTED) + f.orZero(Count.UNRESOLVED);
        boolean good = due == sent + unsent && sent == answered;
        String reasons = FailedOperations.reasons(trial.result());
        html.open("li", "class", good ? "good" : "bad").element("b", trial.label());
        html.text(" due " + NumberFormat.count(due) + " = sent " + NumberFormat.count(sent) + " + unsent "
                + NumberFormat.count(unsent)
                + ";  sent = acked " + NumberFormat.count(f.count(Count.ACKED)) + " + failed "
                + NumberFormat.count(f.count(Count.FAILED))
                + " + aborted "
                + NumberFormat.count(f.count(Count.ABORTED)) + " + unresolved "
                + NumberFormat.count(f.count(Count.UNRESOLVED))
                + (good ? "" : "  does not balance")
                + (reasons.isEmpty() ? "" : ";  failed with " + reasons));
        html.close();
    }
}
