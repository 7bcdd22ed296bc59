package weir.judge.trend;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import weir.judge.Comparisons;
import weir.results.IncomparableRunsException;
import weir.results.history.RunTrend.Change;
import weir.results.history.RunTrend.Gate;
import weir.results.history.RunTrend.Run;
import weir.results.history.RunTrend.Series;
import weir.results.value.NumberFormat;

/**
 * The answer to whether anything is worse than it was: a change for the worse that is not undone, and came after the run up
 * to which everything is accepted. One that the machine shares, or a series that is too short, leaves it inconclusive.
 */
final class TrendGate {
    private static final int INVALID = 4;
    private static final int REGRESSION = 98;
    private static final Pattern RUN = Pattern.compile("\\d{8}-\\d{6}(?:\\.\\d+)?-[a-z0-9][a-z0-9-]*");

    private final String name;
    private final List<Run> runs;
    private final List<Series> series;
    private final String unheard;

    TrendGate(String name, List<Run> runs, List<Series> series, String unheard) {
        this.name = name;
        this.runs = runs;
        this.series = series;
        this.unheard = unheard;
    }

    static int exit(Gate gate) {
        return switch (gate.outcome()) {
            case OPEN -> 0;
            case REGRESSION -> REGRESSION;
            case BLIND -> INVALID;
        };
    }

    Gate judged(String accepted) {
        String newest = runs.get(runs.size() - 1).run();
        // It may be older than anything that is left of the history; what is to come nobody can have accepted.
        boolean known =
                RUN.matcher(accepted).matches() && accepted.endsWith("-" + name) && accepted.compareTo(newest) <= 0;
        if (!accepted.isEmpty() && !known) {
            throw new IncomparableRunsException("--accept: '" + accepted + "' is no run of '" + name
                    + "'; write it as the trend does, the newest is " + newest);
        }
        List<String> worse = new ArrayList<>();
        String acceptable = "";
        List<String> blinding = new ArrayList<>();
        if (!unheard.isEmpty()) {
            blinding.add(unheard);
        }
        for (Series one : series) {
            for (Change change : one.changes()) {
                boolean news = runs.get(change.at()).run().compareTo(accepted) > 0;
                if (news && !change.undone() && change.verdict().equals(Comparisons.WORSE)) {
                    (change.shared() ? blinding : worse).add(told(one, change));
                    String run = runs.get(change.at()).run();
                    acceptable = !change.shared() && run.compareTo(acceptable) > 0 ? run : acceptable;
                }
            }
            if (one.missing() > 0 && (one.primary() || series.stream().noneMatch(Series::primary))) {
                blinding.add(one.name() + ": too few runs: " + one.points().size() + " of the " + ChangePoints.FEWEST
                        + " that it takes");
            }
        }
        if (!worse.isEmpty()) {
            return new Gate(accepted, Gate.Outcome.REGRESSION, worse, acceptable);
        }
        return new Gate(accepted, blinding.isEmpty() ? Gate.Outcome.OPEN : Gate.Outcome.BLIND, blinding, "");
    }

    private String told(Series one, Change change) {
        String text = one.name() + ": " + NumberFormat.gain(change.ratio()) + " since "
                + runs.get(change.at()).run();
        return change.shared()
                ? text + ", and the machine changed, too: " + NumberFormat.listed(change.machine())
                : text;
    }
}
