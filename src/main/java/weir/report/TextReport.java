package weir.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import weir.judge.LoadCurve;
import weir.plan.CaveatType;
import weir.results.Caveat;
import weir.results.ExpectResult;
import weir.results.Figures;
import weir.results.FitResult;
import weir.results.NumberFormat;
import weir.results.OperationsResult;
import weir.results.OverheadResult;
import weir.results.RunFolder;
import weir.results.TrialResult;

/** The answer for a terminal: at most {@value #MOST_LINES} lines, the rest is in the HTML. */
public final class TextReport {
    private static final int MOST_LINES = 30;
    private static final int MOST_ROWS = 12;
    private static final int MOST_TRIED = 14;
    private static final int MOST_DOUBTS = 4;
    private static final int MOST_RATIOS = 3;
    /** Lines that a caveat's evidence and advice take. */
    private static final int EVIDENCE = 3;

    private static final int MOST_VIOLATIONS = 4;
    private static final int MOST_PROPERTIES = 4;

    private final RunView story;
    private final TextLines lines = new TextLines();

    private TextReport(RunView story) {
        this.story = story;
    }

    public static String of(RunFolder folder) {
        return new TextReport(RunView.summary(folder)).text();
    }

    private String text() {
        lines.wrap("", story.conclusion().answer());
        lines.wrap("  ", story.conclusion().scope());
        story.conclusion().losses().stream().limit(2).forEach(loss -> lines.wrap("  ! ", loss));
        List<String> violations = story.trials().stream()
                .flatMap(trial -> trial.figures().violations().stream())
                .toList();
        violations.stream().limit(MOST_VIOLATIONS).forEach(violation -> lines.wrap("  ! ", violation));
        lines.add("");
        if (!story.capacities().isEmpty()) {
            lines.table(SearchSection.rows(story.capacities()), story.passes().isEmpty() ? MOST_TRIED : MOST_TRIED / 2);
        }
        if (!story.passes().isEmpty() || story.capacities().isEmpty()) {
            lines.table(story.stepped() ? steps() : trials(), MOST_ROWS);
        }
        catchUps();
        comparison();
        fits();
        properties();
        expectations();
        String reserve = GeneratorReserve.line(story);
        if (!reserve.isEmpty()) {
            lines.wrap("  ", reserve);
        }
        PaceAloneSection.sentences(story).forEach(sentence -> lines.wrap("  ", sentence));
        caveats();
        String report = "report: " + story.folder().report();
        lines.cut(MOST_LINES - 2);
        lines.add("");
        lines.add(story.badge().name().toLowerCase(Locale.ROOT) + " · " + report);
        return lines.text();
    }

    private List<List<String>> steps() {
        boolean read = story.read();
        List<List<String>> rows = new ArrayList<>();
        List<String> head =
                new ArrayList<>(List.of("", "offered", "achieved", "service p99", "response p99", "p99.99"));
        if (read) {
            head.addAll(List.of("e2e p99", "p99.99", "lag"));
        }
        head.addAll(List.of("failed", "lost", "drained", ""));
        rows.add(head);
        for (String variant : story.variants()) {
            for (LoadCurve.Stage stage : story.curve(variant).stages()) {
                List<String> row = new ArrayList<>(List.of(
                        story.variants().size() > 1 ? variant : "",
                        NumberFormat.rate(stage.rate()),
                        NumberFormat.rate(stage.achievedPerSecond()),
                        NumberFormat.latency(stage.latency(Figures::service), 99),
                        NumberFormat.latency(stage.response(), 99),
                        NumberFormat.latency(stage.response(), 99.99)));
                if (read) {
                    row.add(NumberFormat.latency(stage.latency(Figures::e2e), 99));
                    row.add(NumberFormat.latency(stage.latency(Figures::e2e), 99.99));
                    row.add(NumberFormat.count(
                            stage.worst(figures -> figures.lag().end())));
                }
                row.add(NumberFormat.count(stage.failed()));
                row.add(NumberFormat.count(stage.worst(Figures::lost)));
                row.add(StepSection.drained(stage.pass()));
                row.add(stage.fate());
                rows.add(row);
            }
        }
        return rows;
    }

    private List<List<String>> trials() {
        List<List<String>> rows = new ArrayList<>();
        // Operations of several records are what such a load is about, not its bytes.
        boolean operates =
                story.trials().stream().anyMatch(trial -> trial.figures().operations() != null);
        boolean read = story.read();
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
        for (TrialView pass : story.passes()) {
            TrialResult trial = pass.result();
            Figures f = trial.figures();
            OperationsResult operations = f.operations();
            Double mebibytes = f.mebibytesPerSecond();
            String volume = mebibytes == null ? NumberFormat.MISSING : NumberFormat.number(mebibytes);
            List<String> row = new ArrayList<>(List.of(
                    pass.label(),
                    NumberFormat.rate(f.ackedPerSecond()),
                    NumberFormat.rate(f.receivedPerSecond()),
                    !operates
                            ? volume
                            : operations == null ? NumberFormat.MISSING : NumberFormat.rate(operations.perSecond()),
                    NumberFormat.latency(f.response(), 50),
                    NumberFormat.latency(f.response(), 99),
                    NumberFormat.latency(f.response(), 99.9),
                    NumberFormat.count(f.failed()),
                    NumberFormat.count(f.lost())));
            if (read) {
                row.add(7, NumberFormat.latency(f.e2e(), 99));
            }
            rows.add(row);
        }
        return rows;
    }

    private void catchUps() {
        List<List<String>> rows = new ArrayList<>(CatchUpSection.brief(story));
        if (!rows.isEmpty()) {
            rows.add(0, CatchUpSection.BRIEF);
            lines.add("");
            lines.table(rows, MOST_ROWS);
        }
    }

    private void expectations() {
        for (ExpectResult expect : story.expect()) {
            String reason = expect.reason().isEmpty() ? "" : " (" + expect.reason() + ")";
            if (!expect.passed()) {
                lines.wrap("  ", expect.verdict() + ": " + expect.text() + reason);
            }
        }
        long passed = story.expect().stream().filter(ExpectResult::passed).count();
        if (passed > 0) {
            lines.add("  " + passed + " of " + story.expect().size() + " expectations passed");
        }
    }

    private void caveats() {
        List<Caveat> doubts = story.caveats().stream()
                .filter(caveat -> caveat.level() != CaveatType.Level.NOTE)
                .toList();
        // The names of all of them are to fit in any case: so many lines.
        int names = 2
                + story.caveats().stream()
                                .map(Caveat::type)
                                .distinct()
                                .mapToInt(type -> type.length() + 2)
                                .sum()
                        / 90;
        List<String> seen = new ArrayList<>();
        for (Caveat caveat : doubts) {
            boolean room = seen.size() < MOST_DOUBTS && lines.size() + EVIDENCE + names <= MOST_LINES - 2;
            if (!seen.contains(caveat.type()) && room) {
                seen.add(caveat.type());
                lines.wrap(
                        "  ",
                        caveat.level().name().toLowerCase(Locale.ROOT) + " " + caveat.type() + ": "
                                + caveat.evidence());
                if (!caveat.advice().isBlank()) {
                    lines.wrap("    → ", caveat.advice());
                }
            }
        }
        named(
                "also: ",
                doubts.stream()
                        .map(Caveat::type)
                        .filter(type -> !seen.contains(type))
                        .toList());
        named(
                "notes: ",
                story.caveats().stream()
                        .filter(caveat -> caveat.level() == CaveatType.Level.NOTE)
                        .map(Caveat::type)
                        .toList());
    }

    private void named(String what, List<String> types) {
        if (!types.isEmpty()) {
            lines.wrap("  ", what + types.stream().distinct().collect(Collectors.joining(", ")));
        }
    }

    private void properties() {
        List<List<String>> rows = EffectiveProperties.brief(story);
        if (!rows.isEmpty()) {
            lines.add("");
            lines.table(rows, MOST_PROPERTIES);
        }
    }

    private void overheads() {
        story.overheads().stream()
                .map(OverheadResult::pair)
                .distinct()
                .limit(MOST_RATIOS)
                .forEach(pair -> {
                    List<OverheadResult> own = story.overheads().stream()
                            .filter(one -> one.pair().equals(pair))
                            .toList();
                    lines.wrap(
                            "  ",
                            pair + ": " + own.stream().map(TextReport::overhead).collect(Collectors.joining(", ")));
                });
    }

    private static String overhead(OverheadResult one) {
        String label = one.label().isEmpty() ? "" : " " + one.label();
        String published = one.published().stream()
                .map(other -> NumberFormat.times(other.ratio()) + " in " + other.source())
                .collect(Collectors.joining(", "));
        String more = published.isEmpty() ? label : label + (label.isEmpty() ? " " : ", ") + published;
        return one.stat() + " " + one.text() + (more.isEmpty() ? "" : " (" + more.strip() + ")");
    }

    private void fits() {
        for (FitResult fit : story.fits()) {
            fit.smallest().stream().limit(MOST_RATIOS).forEach(at -> lines.wrap("  ", fit.smallest(at)));
            String far = fit.cells().stream()
                    .filter(FitResult.Cell::far)
                    .limit(MOST_RATIOS)
                    .map(cell ->
                            cell.counts().stream().map(NumberFormat::number).collect(Collectors.joining(" / ")) + ": "
                                    + NumberFormat.millis(cell.millis()) + ", fitted "
                                    + NumberFormat.millis(cell.fitted()))
                    .collect(Collectors.joining("; "));
            if (!far.isEmpty()) {
                lines.wrap("  ", "bad fit at " + far);
            }
        }
    }

    private void comparison() {
        if (!story.overheads().isEmpty()) {
            overheads();
            return;
        }
        story.comparisons().stream().limit(MOST_RATIOS).forEach(c -> lines.wrap("  ", c.sentence()));
    }
}
