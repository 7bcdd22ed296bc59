package weir.report.export;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import weir.plan.syntax.CaveatType;
import weir.report.CompareReport;
import weir.report.block.Html;
import weir.results.RunComparison;
import weir.results.RunResult;
import weir.results.value.TrialResult;

/**
 * Results for other programs: each check, its state, and the reason.
 *
 * @param suite name in test reports of JUnit and Ant; {@code title} is the name at GitHub
 * @param seconds measured time of all trials; 0 and an empty {@code started} for a comparison of runs
 */
public record CheckExport(String suite, String title, String answer, double seconds, String started, List<Item> items) {
    private static final int OUR_FAULT = 1;
    private static final int BROKEN_PROMISE = 5;

    public CheckExport {
        items = List.copyOf(items);
    }

    public enum State {
        PASSED,
        FAILED,
        ERROR
    }

    public record Item(String name, State state, String text) {}

    public static CheckExport of(RunResult result) {
        List<Item> items = new ArrayList<>();
        List<String> reasons = result.caveats().stream()
                .filter(caveat -> caveat.level() == CaveatType.Level.INVALID)
                .map(caveat -> caveat.type() + ": " + caveat.evidence())
                .distinct()
                .toList();
        items.add(
                new Item("the run is valid", result.valid() ? State.PASSED : State.ERROR, String.join("; ", reasons)));
        if (result.exit() == OUR_FAULT) {
            items.add(new Item(
                    "the run is complete",
                    State.ERROR,
                    "a trial failed; " + result.run() + "/failure.txt has the trace"));
        }
        if (result.exit() == BROKEN_PROMISE) {
            items.add(new Item(
                    "Kafka kept its promises",
                    State.FAILED,
                    String.join(" ", result.conclusion().losses())));
        }
        result.expect()
                .forEach(expect -> items.add(new Item(
                        expect.text(),
                        expect.passed() ? State.PASSED : State.FAILED,
                        expect.verdict() + (expect.reason().isEmpty() ? "" : ": " + expect.reason()))));
        List<TrialResult> trials = result.trials();
        return new CheckExport(
                result.name(),
                "weir " + result.name(),
                result.conclusion().answer(),
                trials.stream().mapToDouble(TrialResult::seconds).sum(),
                trials.isEmpty() ? "" : trials.get(0).startedAt(),
                items);
    }

    public static CheckExport of(RunComparison comparison) {
        List<Item> items = new ArrayList<>();
        for (RunComparison.Side side : comparison.runs()) {
            boolean valid = !side.state().equals("invalid");
            items.add(new Item(side.run() + " is valid", valid ? State.PASSED : State.ERROR, side.state()));
        }
        comparison
                .comparisons()
                .forEach(c ->
                        items.add(new Item(c.pair() + ", " + c.metric(), State.PASSED, c.text() + ", " + c.judged())));
        RunComparison.Gate gate = comparison.gate();
        if (gate != null) {
            State state = switch (gate.outcome()) {
                case OPEN -> State.PASSED;
                case REGRESSION -> State.FAILED;
                case BLIND -> State.ERROR;
            };
            items.add(new Item(CompareReport.gateName(gate), state, String.join("; ", gate.why())));
        }
        return new CheckExport(
                "compare." + comparison.runs().get(0).name(),
                "weir compare",
                CompareReport.answer(comparison),
                0,
                "",
                items);
    }

    /**
     * Returns GitHub runner commands that annotate the workflow run and the pull request: one for each check that did
     * not pass, and one for the answer.
     */
    public List<String> github() {
        List<String> lines = new ArrayList<>();
        for (Item item : items) {
            if (item.state() != State.PASSED) {
                lines.add(command("error", item.name() + " – " + item.text()));
            }
        }
        lines.add(command("notice", answer));
        return lines;
    }

    private String command(String level, String message) {
        return "::" + level + " title=" + data(title).replace(":", "%3A").replace(",", "%2C") + "::" + data(message);
    }

    /** Escapes line breaks. A line break would end the command, and the next line could be another command. */
    private static String data(String text) {
        return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A");
    }

    public String junit() {
        String counts = String.format(
                Locale.ROOT,
                "tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"0\" time=\"%.3f\"",
                items.size(),
                count(State.FAILED),
                count(State.ERROR),
                seconds);
        String name = "name=\"weir." + Html.escape(suite) + "\"";
        // The schema allows neither zone nor fraction. The time is UTC.
        String timestamp =
                started.isEmpty() ? "" : " timestamp=\"" + Html.escape(started.replaceFirst("(\\.\\d+)?Z$", "")) + "\"";
        StringBuilder xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        xml.append("<testsuites ").append(counts).append(">\n  <testsuite ").append(name);
        xml.append(' ').append(counts).append(timestamp).append(">\n");
        for (Item item : items) {
            xml.append("    <testcase class").append(name);
            xml.append(" name=\"").append(Html.escape(item.name())).append("\" time=\"0\"");
            xml.append(
                    switch (item.state()) {
                        case PASSED -> "/>\n";
                        case FAILED -> element("failure", item);
                        case ERROR -> element("error", item);
                    });
        }
        return xml.append("  </testsuite>\n</testsuites>\n").toString();
    }

    private static String element(String name, Item item) {
        String text = Html.escape(item.text());
        return ">\n      <" + name + " message=\"" + text.replace("\n", "&#10;") + "\" type=\"" + name + "\">" + text
                + "</" + name + ">\n    </testcase>\n";
    }

    private long count(State state) {
        return items.stream().filter(item -> item.state() == state).count();
    }
}
