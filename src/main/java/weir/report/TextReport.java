package weir.report;

import java.util.List;
import java.util.Locale;
import weir.feature.Features;
import weir.judge.LoadCurve;
import weir.measure.Count;
import weir.measure.LatencyKind;
import weir.report.Section.SectionPart;
import weir.report.block.Table;
import weir.results.RunFolder;
import weir.results.value.Figures;
import weir.results.value.NumberFormat;
import weir.results.value.RateKind;

/** An answer for a terminal in at most {@value #MOST_LINES} lines; the HTML report has the rest. */
public final class TextReport {
    static final int MOST_LINES = 30;
    private static final int ROOM_FOR_VERDICTS = 7;

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

    /** Returns the answer. {@code goesOn}: the run continues, so a trial without an end is still running. */
    public static String of(RunFolder folder, boolean goesOn) {
        return new TextReport(RunView.summary(folder, goesOn)).text();
    }

    private String text() {
        lines.wrap("", run.result().conclusion().answer());
        lines.wrap("  ", run.result().conclusion().scope());
        lines.first(MOST_LOSSES, "  ! ", "line", run.result().conclusion().losses());
        lines.first(
                MOST_VIOLATIONS,
                "  ! ",
                "violation",
                run.results().stream()
                        .flatMap(trial -> trial.figures().violations().stream())
                        .toList());
        lines.add("");
        if (run.variants().size() > 1) {
            lines.show(List.of(VariantTable.of(run)));
        } else if (!run.trials().isEmpty() || run.found().isEmpty()) {
            lines.show(List.of(run.stepped() ? steps() : trials()));
        }
        String earlier = HeadlineSection.earlier(run);
        if (!earlier.isEmpty()) {
            lines.wrap("  ", earlier);
        }
        lines.first(MOST_DETAILS, "  ", "detail", run.result().conclusion().details());
        show(false);
        if (lines.size() + 2 * run.variants().size() <= MOST_LINES - 2 - ROOM_FOR_VERDICTS) {
            Features.each(SectionPart.class)
                    .forEach(part -> lines.show(part.brief().apply(run)));
        }
        if (!run.result().expect().isEmpty()
                || !run.asked().unjudged().isEmpty()
                || !run.result().caveats().isEmpty()) {
            lines.cut(MOST_LINES - 2 - ROOM_FOR_VERDICTS);
        }
        show(true);
        lines.show(CaveatSection.briefCaveats(run, MOST_LINES - 2 - lines.size()));
        String report = "report: " + run.folder().report();
        lines.cut(MOST_LINES - 2);
        lines.add("");
        lines.add(run.badge().name().toLowerCase(Locale.ROOT) + " · " + report);
        return lines.text();
    }

    private void show(boolean verdicts) {
        Section.all().stream()
                .filter(section -> section.id().equals(Section.EXPECTATIONS) == verdicts)
                .forEach(section -> lines.show(section.brief().apply(run)));
    }

    private Table steps() {
        Table.Columns<LoadCurve.Point> table = Table.of(
                        1, run.curve(run.variants().get(0)).points())
                .column("", point -> "")
                .column("offered", point -> NumberFormat.rate(point.rate()))
                .column("achieved", point -> NumberFormat.rate(point.achievedPerSecond()))
                .latencies("service ", point -> point.latency(figures -> figures.latency(LatencyKind.SERVICE)), 99)
                .latencies("response ", LoadCurve.Point::response, 99, 99.99);
        if (run.read()) {
            table.latencies("e2e ", point -> point.latency(Figures::e2e), 99, 99.99)
                    .column(
                            "lag",
                            point -> NumberFormat.count(
                                    point.worst(figures -> figures.lag().end())));
        }
        return table.column("failed", point -> NumberFormat.count(point.failed()))
                .column("lost", point -> NumberFormat.count(point.worst(figures -> figures.count(Count.LOST))))
                .column("drained", point -> LoadCurveSection.drained(point.repeats()))
                .column("", LoadCurve.Point::outcome)
                .table();
    }

    private Table trials() {
        Table.Columns<TrialView> table = Table.of(1, run.trials())
                .column("", TrialView::label)
                .column("acked", trial -> NumberFormat.rate(figures(trial).ackedPerSecond()))
                .column("received", trial -> NumberFormat.rate(figures(trial).receivedPerSecond()));
        // A load of operations with several records measures operations, not bytes.
        if (run.results().stream().anyMatch(trial -> trial.figures().operates())) {
            table.column("operations", trial -> NumberFormat.rate(figures(trial).rate(RateKind.OPERATIONS)));
        } else {
            table.column("MiB/s", trial -> NumberFormat.number(figures(trial).mebibytesPerSecond()));
        }
        LatencyKind first = run.shownFirst();
        table.latencies(first.word() + " ", trial -> figures(trial).latency(first), 50, 99, 99.9);
        if (run.read()) {
            table.latencies("e2e ", trial -> figures(trial).e2e(), 99);
        }
        return table.column("failed", trial -> NumberFormat.count(figures(trial).count(Count.FAILED)))
                .column("lost", trial -> NumberFormat.count(figures(trial).count(Count.LOST)))
                .table();
    }

    private static Figures figures(TrialView trial) {
        return trial.result().figures();
    }
}
