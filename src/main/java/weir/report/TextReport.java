package weir.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import weir.judge.LoadCurve;
import weir.measure.Count;
import weir.measure.LatencyKind;
import weir.report.waterfall.WaterfallSection;
import weir.results.RunFolder;
import weir.results.value.Figures;
import weir.results.value.NumberFormat;
import weir.results.value.RateKind;
import weir.results.value.TrialResult;

/** The answer for a terminal: at most {@value #MOST_LINES} lines, the rest is in the HTML. */
public final class TextReport {
    static final int MOST_LINES = 30;
    /** Lines that what weakens the figures has in any case. */
    private static final int ROOM_FOR_VERDICTS = 7;

    static final int MOST_ROWS = 12;
    static final int MOST_RATIOS = 3;

    private static final int MOST_LOSSES = 2;
    private static final int MOST_VIOLATIONS = 4;
    private static final int MOST_DETAILS = 3;

    private final RunView run;
    private final TextLines lines = new TextLines();

    private TextReport(RunView run) {
        this.run = run;
    }

    public static String of(RunFolder folder) {
        return of(folder, false);
    }

    /** The same; {@code goesOn} while its run is under way, so that a trial without an end was not interrupted. */
    public static String of(RunFolder folder, boolean goesOn) {
        return new TextReport(RunView.summary(folder, goesOn)).text();
    }

    private String text() {
        lines.wrap("", run.conclusion().answer());
        lines.wrap("  ", run.conclusion().scope());
        lines.first(MOST_LOSSES, "  ! ", "line", run.conclusion().losses());
        lines.first(
                MOST_VIOLATIONS,
                "  ! ",
                "violation",
                run.results().stream()
                        .flatMap(trial -> trial.figures().violations().stream())
                        .toList());
        lines.add("");
        if (run.variants().size() > 1) {
            lines.table(VariantTable.rows(run), MOST_ROWS);
        } else if (!run.trials().isEmpty() || run.found().isEmpty()) {
            lines.table(run.stepped() ? steps() : trials(), MOST_ROWS);
        }
        String earlier = HeadlineSection.earlier(run);
        if (!earlier.isEmpty()) {
            lines.wrap("  ", earlier);
        }
        lines.first(MOST_DETAILS, "  ", "detail", run.conclusion().details());
        show(Section.EVIDENCE);
        if (lines.size() + 2 * run.variants().size() <= MOST_LINES - 2 - ROOM_FOR_VERDICTS) {
            WaterfallSection.lines(run, lines);
        }
        if (!run.expect().isEmpty()
                || !run.asked().unjudged().isEmpty()
                || !run.caveats().isEmpty()) {
            lines.cut(MOST_LINES - 2 - ROOM_FOR_VERDICTS);
        }
        show(Section.VERDICTS);
        String report = "report: " + run.folder().report();
        lines.cut(MOST_LINES - 2);
        lines.add("");
        lines.add(run.badge().name().toLowerCase(Locale.ROOT) + " · " + report);
        return lines.text();
    }

    private void show(List<Section> sections) {
        sections.stream()
                .filter(section -> section.applies().test(run))
                .forEach(section -> section.lines().accept(run, lines));
    }

    /** The steps of the only variant: several have a row each. */
    private List<List<String>> steps() {
        boolean read = run.read();
        List<List<String>> rows = new ArrayList<>();
        List<String> head =
                new ArrayList<>(List.of("", "offered", "achieved", "service p99", "response p99", "p99.99"));
        if (read) {
            head.addAll(List.of("e2e p99", "p99.99", "lag"));
        }
        head.addAll(List.of("failed", "lost", "drained", ""));
        rows.add(head);
        for (LoadCurve.Point point : run.curve(run.variants().get(0)).points()) {
            List<String> row = new ArrayList<>(List.of(
                    "",
                    NumberFormat.rate(point.rate()),
                    NumberFormat.rate(point.achievedPerSecond()),
                    NumberFormat.latency(point.latency(figures -> figures.latency(LatencyKind.SERVICE)), 99),
                    NumberFormat.latency(point.response(), 99),
                    NumberFormat.latency(point.response(), 99.99)));
            if (read) {
                row.add(NumberFormat.latency(point.latency(Figures::e2e), 99));
                row.add(NumberFormat.latency(point.latency(Figures::e2e), 99.99));
                row.add(NumberFormat.count(point.worst(figures -> figures.lag().end())));
            }
            row.add(NumberFormat.count(point.failed()));
            row.add(NumberFormat.count(point.worst(figures -> figures.count(Count.LOST))));
            row.add(StepSection.drained(point.repeats()));
            row.add(point.fate());
            rows.add(row);
        }
        return rows;
    }

    private List<List<String>> trials() {
        List<List<String>> rows = new ArrayList<>();
        // Operations of several records are what such a load is about, not its bytes.
        boolean operates =
                run.results().stream().anyMatch(trial -> trial.figures().operates());
        boolean read = run.read();
        List<String> head = new ArrayList<>(List.of(
                "",
                "acked",
                "received",
                operates ? "operations" : "MiB/s",
                "response p50",
                "p99",
                "p99.9",
                "failed",
                "lost"));
        if (read) {
            head.add(7, "e2e p99");
        }
        rows.add(head);
        for (TrialView trial : run.trials()) {
            TrialResult result = trial.result();
            Figures f = result.figures();
            Double mebibytes = f.mebibytesPerSecond();
            String volume = mebibytes == null ? NumberFormat.MISSING : NumberFormat.number(mebibytes);
            List<String> row = new ArrayList<>(List.of(
                    trial.label(),
                    NumberFormat.rate(f.ackedPerSecond()),
                    NumberFormat.rate(f.receivedPerSecond()),
                    operates ? NumberFormat.rate(f.rate(RateKind.OPERATIONS)) : volume,
                    NumberFormat.latency(f.response(), 50),
                    NumberFormat.latency(f.response(), 99),
                    NumberFormat.latency(f.response(), 99.9),
                    NumberFormat.count(f.count(Count.FAILED)),
                    NumberFormat.count(f.count(Count.LOST))));
            if (read) {
                row.add(7, NumberFormat.latency(f.e2e(), 99));
            }
            rows.add(row);
        }
        return rows;
    }
}
