package weir.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import weir.report.chart.Html;
import weir.report.chart.Table;
import weir.results.value.AtomicityResult;
import weir.results.value.Figures;
import weir.results.value.NumberFormat;
import weir.results.value.OperationsResult;
import weir.results.value.TrialResult;

/** Where every record went: the ledger of each trial, with the equations that it has to fulfil. */
final class LedgerSection {
    private LedgerSection() {}

    /** A row of the ledger, and what it means. */
    private record Entry(String name, String meaning, boolean bad, Function<Figures, @Nullable Long> count) {}

    private static final List<Entry> ENTRIES = List.of(
            new Entry("due", "scheduled", false, Figures::due),
            new Entry("unsent", "due, but the phase ended before they were sent", true, Figures::unsent),
            new Entry("sent", "handed to the client", false, Figures::sent),
            new Entry("acked", "acknowledged by Kafka", false, Figures::acked),
            new Entry("failed", "rejected by Kafka, or given up by the client", true, Figures::failed),
            new Entry("aborted", "part of an aborted transaction", false, Figures::aborted),
            new Entry("unresolved", "unanswered at the end of the drain", true, Figures::unresolved),
            new Entry("received", "received by a reader, counted once", false, Figures::received),
            new Entry("unread", "beyond the last position of any reader", true, Figures::unread),
            new Entry("lost", "acked, but missing when read back", true, Figures::lost),
            new Entry("duplicated", "one record at two offsets", true, Figures::duplicated),
            new Entry("reread", "one offset read twice", false, Figures::reread),
            new Entry(
                    "reordered",
                    "received after a later record of the same producer and partition",
                    true,
                    Figures::reordered),
            new Entry("ghosts", "failed, but received", true, Figures::ghosts),
            new Entry("foreign", "written by another program", false, Figures::foreign),
            new Entry("expired", "removed by the cluster before it was read", false, Figures::expired));

    static Html html(RunView run) {
        Html html = new Html();
        html.open("ul", "class", "verdicts");
        for (TrialView trial : run.trials()) {
            equation(html, trial);
            atomicity(html, trial);
        }
        html.close();
        List<String> columns = new ArrayList<>(List.of("", "meaning"));
        run.trials().forEach(trial -> columns.add(trial.label()));
        Table table = new Table(2, columns);
        for (Entry entry : ENTRIES) {
            List<Table.Cell> cells = new ArrayList<>();
            cells.add(new Table.Cell(entry.name(), ""));
            cells.add(new Table.Cell(entry.meaning(), "muted"));
            for (TrialResult trial : run.results()) {
                @Nullable Long count = entry.count().apply(trial.figures());
                boolean bad = entry.bad() && count != null && count > 0;
                cells.add(new Table.Cell(
                        NumberFormat.count(count), bad ? "warn" : count == null || count == 0 ? "muted" : ""));
            }
            table.cells(cells);
        }
        return html.add(table.html("t-ledger", "Records of the measured phase; – is not known"));
    }

    /** The checks that the transactions were whole, and the evidence where one was not. */
    private static void atomicity(Html html, TrialView trial) {
        OperationsResult operations = trial.result().figures().operations();
        AtomicityResult found = operations == null ? null : operations.atomicity();
        if (found == null || (!found.transactional() && found.offsetsWithoutRecord() == null)) {
            return;
        }
        boolean judged = found.torn() != null;
        boolean whole = found.violations().isEmpty();
        html.open("li", "class", whole ? (judged ? "good" : "open") : "bad").element("b", trial.label());
        html.text(" transactions committed " + NumberFormat.count(found.transactions()) + ", aborted on purpose "
                + NumberFormat.count(found.aborted())
                + ";  aborted reads " + NumberFormat.count(found.abortedReads())
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
        @Nullable Long due = f.due();
        @Nullable Long sent = f.sent();
        @Nullable Long unsent = f.unsent();
        if (due == null || sent == null || unsent == null) {
            html.open("li", "class", "open").element("b", trial.label());
            html.text(" has no closed ledger").close();
            return;
        }
        long answered = known(f.acked()) + known(f.failed()) + known(f.aborted()) + known(f.unresolved());
        boolean good = due == sent + unsent && sent == answered;
        html.open("li", "class", good ? "good" : "bad").element("b", trial.label());
        html.text(" due " + NumberFormat.count(due) + " = sent " + NumberFormat.count(sent) + " + unsent "
                + NumberFormat.count(unsent)
                + ";  sent = acked " + NumberFormat.count(f.acked()) + " + failed " + NumberFormat.count(f.failed())
                + " + aborted "
                + NumberFormat.count(f.aborted()) + " + unresolved " + NumberFormat.count(f.unresolved())
                + (good ? "" : "  does not balance"));
        html.close();
    }

    private static long known(@Nullable Long count) {
        return count == null ? 0 : count;
    }
}
