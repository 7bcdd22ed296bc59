package weir.judge.trend;

import java.util.ArrayList;
import java.util.List;
import weir.judge.Comparisons;
import weir.results.GateOutcome;
import weir.results.IncomparableRunsException;
import weir.results.history.HistoryEntry;
import weir.results.history.RunTrend.Change;
import weir.results.history.RunTrend.Gate;
import weir.results.history.RunTrend.Reason;
import weir.results.history.RunTrend.Run;
import weir.results.history.RunTrend.Series;
import weir.results.value.NumberFormat;

/**
 * The answer to whether anything is worse than it was: a change for the worse that is not undone, and came after the run up
 * to which everything is accepted. One that the machine shares, or a series that is too short, leaves it inconclusive.
 */
final class TrendGate {
    /** Some entry is damaged, and no gate was asked. */
    static final int USAGE = 2;

    private final String name;
    private final List<String> names;
    private final List<Run> runs;
    private final List<Series> series;

    /** @param names of all runs of the experiment, also of those that are in no series */
    TrendGate(String name, List<String> names, List<Run> runs, List<Series> series) {
        this.name = name;
        this.names = names;
        this.runs = runs;
        this.series = series;
    }

    /** @param unheard why runs say nothing, one line each */
    Gate judged(List<String> unheard, String accepted) {
        check(accepted);
        List<Reason> worse = new ArrayList<>();
        List<Reason> blinding = new ArrayList<>();
        unheard.forEach(line -> blinding.add(new Reason("", line)));
        String acceptable = "";
        for (Series one : series) {
            for (Change change : one.changes()) {
                String run = runs.get(change.at()).run();
                if (run.compareTo(accepted) > 0
                        && !change.undone()
                        && change.verdict().equals(Comparisons.WORSE)) {
                    (change.shared() ? blinding : worse).add(told(one, change));
                    acceptable = run.compareTo(acceptable) > 0 ? run : acceptable;
                }
            }
            if (one.primary() || series.stream().noneMatch(Series::primary)) {
                blinding.addAll(blind(one, accepted));
            }
        }
        return !worse.isEmpty()
                ? new Gate(accepted, GateOutcome.REGRESSION, worse, acceptable)
                : new Gate(accepted, blinding.isEmpty() ? GateOutcome.OPEN : GateOutcome.BLIND, blinding, acceptable);
    }

    /** Only what was seen can have been accepted; it may be older than all that is left of a history. */
    private void check(String accepted) {
        if (accepted.isEmpty() || names.contains(accepted)) {
            return;
        }
        boolean older = HistoryEntry.names(accepted, name) && accepted.compareTo(names.get(0)) < 0;
        if (!older) {
            throw new IncomparableRunsException("--accept: '" + accepted + "' is no run of '" + name
                    + "'; write it as the trend does, the newest is " + names.get(names.size() - 1));
        }
    }

    /** The reasons why nothing can be said of a series. */
    private List<Reason> blind(Series one, String accepted) {
        if (one.missing() > 0) {
            return List.of(new Reason(
                    one.name(),
                    "too few runs: " + one.points().size() + " of the " + ChangePoints.FEWEST + " that it takes"));
        }
        int last = one.points().get(one.points().size() - 1).at();
        boolean gone = last < runs.size() - 1 && runs.get(last + 1).run().compareTo(accepted) > 0;
        return gone
                ? List.of(new Reason(
                        one.name(),
                        "the newest run has no such figure; the last that has one is "
                                + runs.get(last).run()))
                : List.of();
    }

    private Reason told(Series one, Change change) {
        String text = NumberFormat.gain(change.ratio()) + " since "
                + runs.get(change.at()).run();
        return new Reason(
                one.name(),
                change.shared()
                        ? text + ", and the machine changed, too: " + NumberFormat.listed(change.machine())
                        : text);
    }
}
