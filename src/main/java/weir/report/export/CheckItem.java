package weir.report.export;

import java.util.ArrayList;
import java.util.List;
import weir.plan.syntax.CaveatType;
import weir.report.CompareReport;
import weir.results.GateOutcome;
import weir.results.RunComparison;
import weir.results.RunComparison.Gate;
import weir.results.RunResult;
import weir.results.history.RunTrend;
import weir.results.history.RunTrend.Reason;
import weir.results.value.ComparisonResult;
import weir.results.value.ExpectResult;

/** Something that other programs are told about: what it is, whether it is as it should be, and why. */
record CheckItem(String name, State state, String text) {
    private static final int OUR_FAULT = 1;
    private static final int BROKEN_PROMISE = 5;

    /** An error is something that keeps us from judging. */
    enum State {
        PASSED,
        FAILED,
        ERROR
    }

    static List<CheckItem> of(RunResult result) {
        List<CheckItem> checks = new ArrayList<>();
        List<String> reasons = result.caveats().stream()
                .filter(caveat -> caveat.level() == CaveatType.Level.INVALID)
                .map(caveat -> caveat.type() + ": " + caveat.evidence())
                .distinct()
                .toList();
        checks.add(new CheckItem(
                "the run is valid", result.valid() ? State.PASSED : State.ERROR, String.join("; ", reasons)));
        if (result.exit() == OUR_FAULT) {
            checks.add(new CheckItem(
                    "the run came to its end",
                    State.ERROR,
                    "a trial failed; " + result.run() + "/failure.txt says how"));
        }
        if (result.exit() == BROKEN_PROMISE) {
            checks.add(new CheckItem(
                    "Kafka kept its promises",
                    State.FAILED,
                    String.join(" ", result.conclusion().losses())));
        }
        for (ExpectResult expect : result.expect()) {
            checks.add(new CheckItem(
                    expect.text(),
                    expect.passed() ? State.PASSED : State.FAILED,
                    expect.verdict() + (expect.reason().isEmpty() ? "" : ": " + expect.reason())));
        }
        return checks;
    }

    static List<CheckItem> of(RunTrend trend) {
        List<CheckItem> checks = new ArrayList<>();
        RunTrend.Gate gate = trend.gate();
        List<Reason> why = gate == null ? List.of() : gate.why();
        State bad = gate != null && gate.outcome() == GateOutcome.REGRESSION ? State.FAILED : State.ERROR;
        for (RunTrend.Series series : trend.series()) {
            List<String> own = why.stream()
                    .filter(reason -> reason.series().equals(series.name()))
                    .map(Reason::text)
                    .toList();
            checks.add(new CheckItem(
                    series.name(),
                    own.isEmpty() ? State.PASSED : bad,
                    own.isEmpty() ? series.changes().size() + " changes of level" : String.join("; ", own)));
        }
        why.stream()
                .filter(reason -> reason.series().isEmpty())
                .forEach(reason -> checks.add(new CheckItem("the runs can be judged", bad, reason.text())));
        return checks;
    }

    static List<CheckItem> of(RunComparison comparison) {
        List<CheckItem> checks = new ArrayList<>();
        for (RunComparison.Side side : comparison.runs()) {
            boolean valid = !side.state().equals("invalid");
            checks.add(new CheckItem(side.run() + " is valid", valid ? State.PASSED : State.ERROR, side.state()));
        }
        for (ComparisonResult c : comparison.comparisons()) {
            checks.add(new CheckItem(c.pair() + ", " + c.metric(), State.PASSED, c.text() + ", " + c.judged()));
        }
        Gate gate = comparison.gate();
        if (gate != null) {
            State state = switch (gate.outcome()) {
                case OPEN -> State.PASSED;
                case REGRESSION -> State.FAILED;
                case BLIND -> State.ERROR;
            };
            checks.add(new CheckItem(CompareReport.gateName(gate), state, String.join("; ", gate.why())));
        }
        return checks;
    }
}
