package weir.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import weir.results.AtomicityResult;
import weir.results.Figures;
import weir.results.OperationsResult;
import weir.results.TrialResult;
import weir.results.Written;

/** Where every record went: the ledger of each trial, with the equations that it has to fulfil. */
final class Accounts {
    private Accounts() {}

    /** A row of the ledger, and what it means. */
    private record Entry(String name, String meaning, boolean bad, Function<Figures, @Nullable Long> count) {}

    private static final List<Entry> ENTRIES = List.of(
            new Entry("due", "the schedule asked for it", false, Figures::due),
            new Entry("unsent", "due, and the phase ended first", true, Figures::unsent),
            new Entry("sent", "given to the client", false, Figures::sent),
            new Entry("acked", "Kafka said it has it", false, Figures::acked),
            new Entry("failed", "Kafka or the client gave up", true, Figures::failed),
            new Entry("aborted", "in a transaction that was aborted", false, Figures::aborted),
            new Entry("unresolved", "no answer until the end of the drain", true, Figures::unresolved),
            new Entry("received", "a reader got it, counted once", false, Figures::received),
            new Entry("unread", "no reader got that far", true, Figures::unread),
            new Entry("lost", "acked, and not there to be read", true, Figures::lost),
            new Entry("duplicated", "one record at two offsets", true, Figures::duplicated),
            new Entry("reread", "one offset read twice", false, Figures::reread),
            new Entry("reordered", "behind a later one of its producer and partition", true, Figures::reordered),
            new Entry("ghosts", "failed, and yet received", true, Figures::ghosts),
            new Entry("foreign", "not written by us", false, Figures::foreign),
            new Entry("expired", "removed by the cluster before it was read", false, Figures::expired));

    static Html html(Story story) {
        Html html = new Html();
        html.open("ul", "class", "verdicts");
        for (Pass pass : story.passes()) {
            equation(html, pass);
            atomicity(html, pass);
        }
        html.close();
        List<String> columns = new ArrayList<>(List.of("", "meaning"));
        story.passes().forEach(pass -> columns.add(pass.label()));
        Table table = new Table(2, columns);
        for (Entry entry : ENTRIES) {
            List<Table.Cell> cells = new ArrayList<>();
            cells.add(new Table.Cell(entry.name(), ""));
            cells.add(new Table.Cell(entry.meaning(), "muted"));
            for (TrialResult trial : story.trials()) {
                @Nullable Long count = entry.count().apply(trial.figures());
                boolean bad = entry.bad() && count != null && count > 0;
                cells.add(new Table.Cell(
                        Written.count(count), bad ? "warn" : count == null || count == 0 ? "muted" : ""));
            }
            table.cells(cells);
        }
        return html.add(table.html("t-ledger", "Records of the measured phase; – is not known"));
    }

    /** What was held against the transactions, and what shows that one was not whole. */
    private static void atomicity(Html html, Pass pass) {
        OperationsResult operations = pass.result().figures().operations();
        AtomicityResult found = operations == null ? null : operations.atomicity();
        if (found == null || (!found.transactional() && found.offsetsWithoutRecord() == null)) {
            return;
        }
        boolean judged = found.torn() != null;
        boolean whole = found.violations().isEmpty();
        html.open("li", "class", whole ? (judged ? "good" : "open") : "bad").element("b", pass.label());
        html.text(" transactions committed " + Written.count(found.transactions()) + ", aborted on purpose "
                + Written.count(found.aborted())
                + ";  aborted reads " + Written.count(found.abortedReads())
                + ", torn " + Written.count(found.torn())
                + ", offsets without record " + Written.count(found.offsetsWithoutRecord())
                + ", records without offset " + Written.count(found.recordsWithoutOffset())
                + ", written twice " + Written.count(found.writtenTwice())
                + ";  fenced " + Written.count(found.fenced())
                + ", timed out " + Written.count(found.timedOut())
                + (judged ? "" : "  not judged: readers did not ask for committed records only"));
        html.close();
        for (String violation : found.violations()) {
            html.open("li", "class", "bad").text(violation).close();
        }
    }

    private static void equation(Html html, Pass pass) {
        Figures f = pass.result().figures();
        @Nullable Long due = f.due();
        @Nullable Long sent = f.sent();
        @Nullable Long unsent = f.unsent();
        if (due == null || sent == null || unsent == null) {
            html.open("li", "class", "open").element("b", pass.label());
            html.text(" has no closed ledger").close();
            return;
        }
        long answered = known(f.acked()) + known(f.failed()) + known(f.aborted()) + known(f.unresolved());
        boolean good = due == sent + unsent && sent == answered;
        html.open("li", "class", good ? "good" : "bad").element("b", pass.label());
        html.text(" due " + Written.count(due) + " = sent " + Written.count(sent) + " + unsent " + Written.count(unsent)
                + ";  sent = acked " + Written.count(f.acked()) + " + failed " + Written.count(f.failed())
                + " + aborted "
                + Written.count(f.aborted()) + " + unresolved " + Written.count(f.unresolved())
                + (good ? "" : "  does not balance"));
        html.close();
    }

    private static long known(@Nullable Long count) {
        return count == null ? 0 : count;
    }
}
