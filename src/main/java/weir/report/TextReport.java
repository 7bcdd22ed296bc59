package weir.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import weir.results.Caveat;
import weir.results.ExpectResult;
import weir.results.Figures;
import weir.results.LoadCurve;
import weir.results.RunFolder;
import weir.results.TrialResult;
import weir.results.Written;

/** The answer for a terminal: at most {@value #MOST_LINES} lines, the rest is in the HTML. */
public final class TextReport {
    private static final int MOST_LINES = 30;
    private static final int MOST_ROWS = 12;
    private static final int MOST_DOUBTS = 4;
    private static final int MOST_RATIOS = 3;
    private static final int WIDTH = 100;

    private final Story story;
    private final List<String> lines = new ArrayList<>();

    private TextReport(Story story) {
        this.story = story;
    }

    public static String of(RunFolder folder) {
        return new TextReport(Story.of(folder)).text();
    }

    private String text() {
        wrap("", story.conclusion().answer());
        wrap("  ", story.conclusion().scope());
        story.conclusion().losses().stream().limit(2).forEach(loss -> wrap("  ! ", loss));
        lines.add("");
        lines.addAll(story.stepped() ? steps() : trials());
        comparison();
        expectations();
        caveats();
        String report = "report: " + story.folder().report();
        while (lines.size() > MOST_LINES - 2) {
            lines.remove(lines.size() - 1);
        }
        lines.add("");
        lines.add(story.badge().name().toLowerCase(Locale.ROOT) + " · " + report);
        return String.join("\n", lines) + "\n";
    }

    private List<String> steps() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("", "offered", "achieved", "", "p50", "p99", "p99.9", "failed", ""));
        for (String variant : story.variants()) {
            for (LoadCurve.Stage stage : story.curve(variant).stages()) {
                rows.add(List.of(
                        story.variants().size() > 1 ? variant : "",
                        Written.rate(stage.rate()),
                        Written.rate(stage.achievedPerSecond()),
                        Written.percent(stage.achieved()),
                        Written.latency(stage.response(), 50),
                        Written.latency(stage.response(), 99),
                        Written.latency(stage.response(), 99.9),
                        Written.count(stage.failed()),
                        stage.state().name().toLowerCase(Locale.ROOT)));
            }
        }
        return aligned(rows);
    }

    private List<String> trials() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("", "acked", "received", "MiB/s", "p50", "p99", "p99.9", "failed", "lost"));
        for (Pass pass : story.passes()) {
            TrialResult trial = pass.result();
            Figures f = trial.figures();
            Double mebibytes = f.mebibytesPerSecond();
            rows.add(List.of(
                    pass.label(),
                    Written.rate(f.ackedPerSecond()),
                    Written.rate(f.receivedPerSecond()),
                    mebibytes == null ? Written.MISSING : Written.number(mebibytes),
                    Written.latency(f.response(), 50),
                    Written.latency(f.response(), 99),
                    Written.latency(f.response(), 99.9),
                    Written.count(f.failed()),
                    Written.count(f.lost())));
        }
        return aligned(rows);
    }

    /** The first column to the left, the others to the right. */
    private static List<String> aligned(List<List<String>> rows) {
        List<String> aligned = new ArrayList<>();
        int[] widths = new int[rows.get(0).size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], safe(row.get(i)).length());
            }
        }
        for (List<String> row : rows.subList(0, Math.min(rows.size(), MOST_ROWS + 1))) {
            StringBuilder line = new StringBuilder(" ");
            for (int i = 0; i < widths.length; i++) {
                String pad = " ".repeat(widths[i] - safe(row.get(i)).length());
                line.append(' ')
                        .append(i == 0 ? safe(row.get(i)) + pad : pad + safe(row.get(i)))
                        .append(' ');
            }
            aligned.add(line.toString().stripTrailing());
        }
        if (rows.size() > MOST_ROWS + 1) {
            aligned.add("  … and " + (rows.size() - MOST_ROWS - 1) + " more in the report");
        }
        return aligned;
    }

    private void expectations() {
        for (ExpectResult expect : story.expect()) {
            String reason = expect.reason().isEmpty() ? "" : " (" + expect.reason() + ")";
            if (!expect.held()) {
                wrap("  ", expect.verdict() + ": " + expect.text() + reason);
            }
        }
        long held = story.expect().stream().filter(ExpectResult::held).count();
        if (held > 0) {
            lines.add("  " + held + " of " + story.expect().size() + " expectations held");
        }
    }

    private void caveats() {
        List<Caveat> doubts = story.caveats().stream()
                .filter(caveat -> caveat.level() != Caveat.Level.NOTE)
                .toList();
        List<String> seen = new ArrayList<>();
        for (Caveat caveat : doubts) {
            if (!seen.contains(caveat.type()) && seen.size() < MOST_DOUBTS) {
                seen.add(caveat.type());
                wrap(
                        "  ",
                        caveat.level().name().toLowerCase(Locale.ROOT) + " " + caveat.type() + ": "
                                + caveat.evidence());
                if (!caveat.advice().isBlank()) {
                    wrap("    → ", caveat.advice());
                }
            }
        }
        long notes = story.caveats().stream()
                .filter(caveat -> caveat.level() == Caveat.Level.NOTE)
                .map(Caveat::type)
                .distinct()
                .count();
        if (notes > 0) {
            lines.add("  " + notes + (notes == 1 ? " note" : " notes") + " in the report");
        }
    }

    private void comparison() {
        story.comparisons().stream()
                .limit(MOST_RATIOS)
                .forEach(c -> wrap("  ", c.pair() + ", " + c.metric() + ": " + c.text() + ", " + c.verdict()));
    }

    private void wrap(String indent, String text) {
        StringBuilder line = new StringBuilder(indent);
        String next = " ".repeat(indent.length());
        boolean first = true;
        for (String word : safe(text).split(" ", -1)) {
            if (!first && line.length() + word.length() + 1 > WIDTH) {
                lines.add(line.toString());
                line.setLength(0);
                line.append(next);
                first = true;
            }
            line.append(first ? "" : " ").append(word);
            first = false;
        }
        lines.add(line.toString());
    }

    /** Text from outside must not steer the terminal. */
    private static String safe(String text) {
        StringBuilder safe = new StringBuilder();
        text.codePoints().forEach(c -> {
            if (c == '\n' || c == '\t') {
                safe.append(' ');
            } else if (Html.unseen(c)) {
                safe.append(String.format(Locale.ROOT, "\\u%04X", c));
            } else {
                safe.appendCodePoint(c);
            }
        });
        return safe.toString();
    }
}
