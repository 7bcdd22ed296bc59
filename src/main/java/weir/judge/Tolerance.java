package weir.judge;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import weir.results.GateOutcome;
import weir.results.RunComparison.Gate;
import weir.results.value.ComparisonResult;
import weir.results.value.NumberFormat;

/**
 * Holds comparisons against the share by which things may get worse. It is a regression when a whole interval is worse, or
 * when something is lost, fails or comes twice that never did. It is blind when such trials could not have shown that much
 * in the primary metric: then "no difference" means nothing.
 */
final class Tolerance {
    private final double tolerance;
    private final List<String> worse = new ArrayList<>();
    private final List<String> unseen = new ArrayList<>();

    private Tolerance(double tolerance) {
        this.tolerance = tolerance;
    }

    /** @param blind reasons that are there already */
    static Gate gate(double tolerance, List<ComparisonResult> comparisons, List<String> blind) {
        Tolerance gate = new Tolerance(tolerance);
        gate.unseen.addAll(blind);
        String pair = "";
        for (ComparisonResult c : comparisons) {
            boolean primary = !c.pair().equals(pair);
            pair = c.pair();
            gate.judge(c, primary);
        }
        List<String> why = new ArrayList<>(gate.worse);
        why.addAll(gate.unseen);
        GateOutcome outcome = gate.unseen.isEmpty()
                ? gate.worse.isEmpty() ? GateOutcome.OPEN : GateOutcome.REGRESSION
                : GateOutcome.BLIND;
        return new Gate(tolerance, outcome, why);
    }

    private void judge(ComparisonResult c, boolean primary) {
        boolean judged = !c.verdict().equals(Comparisons.NO_VERDICT);
        String what = c.pair() + ", " + c.metric() + ": " + c.text();
        if (judged && c.verdict().equals(Comparisons.WORSE) && (c.ratio() == null || beyond(c))) {
            worse.add(what + ", worse" + (c.ratio() == null ? "" : " by more than " + percent()));
        }
        if (primary && (!judged || c.ratio() == null)) {
            unseen.add(what + ": no verdict; it takes at least " + Comparisons.ENOUGH
                    + " repeats on both sides, and messages that ended");
        } else if (primary && visible(c) > tolerance) {
            unseen.add(c.pair() + ", " + c.metric() + ": only a difference of " + NumberFormat.change(c.visible())
                    + " or more would show, and " + percent() + " is asked for; repeat more often or measure longer");
        }
    }

    /** True when the end of the interval that is nearest to "no difference" is worse than tolerable. */
    private boolean beyond(ComparisonResult c) {
        return Comparisons.moreIsBetter(c.metric())
                ? Objects.requireNonNull(c.high()) < 1 - tolerance
                : Objects.requireNonNull(c.low()) > 1 + tolerance;
    }

    /** The smallest visible change for the worse, as a share. */
    private static double visible(ComparisonResult c) {
        double ratio = Objects.requireNonNull(c.visible());
        return Comparisons.moreIsBetter(c.metric()) ? 1 - 1 / ratio : ratio - 1;
    }

    private String percent() {
        return NumberFormat.threeDigits(tolerance * 100) + " %";
    }
}
