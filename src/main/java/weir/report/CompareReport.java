package weir.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import weir.report.chart.ForestPlot;
import weir.report.chart.Html;
import weir.report.chart.Table;
import weir.results.RunComparison;
import weir.results.RunComparison.Difference;
import weir.results.RunComparison.Gate;
import weir.results.RunComparison.Side;
import weir.results.value.ComparisonResult;
import weir.results.value.NumberFormat;

/** Stored runs against each other, for a terminal and as a page: first what differs, then by how much. */
public final class CompareReport {
    private static final int LONGEST = 40;
    private static final int MOST_DIFFERENCES = 20;
    private static final int MOST_ROWS = 40;
    private static final int BARS = 31;

    private CompareReport() {}

    /** The primary comparison in a sentence, and what the gate says. */
    public static String answer(RunComparison comparison) {
        Gate gate = comparison.gate();
        String first = comparison.comparisons().stream()
                .findFirst()
                .map(c -> c.sentence() + ".")
                .orElse("The runs have no figure in common.");
        return gate == null ? first : first + " " + sentence(gate);
    }

    public static String gateName(Gate gate) {
        return "nothing is worse by more than " + percent(gate);
    }

    private static String percent(Gate gate) {
        return NumberFormat.number(gate.tolerance() * 100) + " %";
    }

    private static String sentence(Gate gate) {
        return switch (gate.outcome()) {
            case OPEN -> "Within tolerance: " + gateName(gate) + ".";
            case REGRESSION -> "Regression beyond " + percent(gate) + ".";
            case BLIND -> "The gate of " + percent(gate) + " is inconclusive.";
        };
    }

    public static String text(RunComparison comparison) {
        TextLines lines = new TextLines();
        lines.wrap("", answer(comparison));
        if (comparison.gate() != null) {
            comparison.gate().why().forEach(why -> lines.wrap("  ! ", why));
        }
        lines.add("");
        lines.table(sides(comparison), MOST_ROWS);
        lines.add("");
        if (comparison.differences().isEmpty()) {
            lines.add("  Nothing differs in machine, software, settings and effective properties.");
        } else {
            lines.table(differences(comparison), MOST_DIFFERENCES);
        }
        lines.add("");
        comparison.doubts().forEach(doubt -> lines.wrap("  ! ", doubt));
        lines.add("");
        lines.table(ratios(comparison.comparisons()), MOST_ROWS);
        return lines.text();
    }

    private static List<List<String>> sides(RunComparison comparison) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("", "run", "trials", "", "Kafka", "began"));
        for (Side side : comparison.runs()) {
            rows.add(List.of(
                    side.label(),
                    side.run(),
                    String.valueOf(side.trials()),
                    side.state(),
                    side.kafka(),
                    side.startedAt().replaceFirst("T(\\d\\d:\\d\\d).*", " $1 UTC")));
        }
        return rows;
    }

    private static List<List<String>> differences(RunComparison comparison) {
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of("differs"));
        comparison.runs().forEach(side -> head.add(side.label()));
        rows.add(head);
        for (Difference difference : comparison.differences()) {
            List<String> row = new ArrayList<>();
            row.add(difference.kind().name().toLowerCase(Locale.ROOT) + " " + difference.name());
            row.addAll(TextLines.apart(difference.values(), LONGEST));
            rows.add(row);
        }
        return rows;
    }

    private static List<List<String>> ratios(List<ComparisonResult> comparisons) {
        double reach = comparisons.stream()
                .filter(c -> c.low() != null && c.high() != null)
                .mapToDouble(c -> Math.max(
                        Math.abs(Math.log(Objects.requireNonNull(c.low()))),
                        Math.abs(Math.log(Objects.requireNonNull(c.high())))))
                .max()
                .orElse(0);
        double edge = Math.min(Math.log(20), Math.max(Math.log(1.05), reach));
        List<List<String>> rows = new ArrayList<>();
        String low = NumberFormat.times(Math.exp(-edge));
        String high = NumberFormat.times(Math.exp(edge));
        int between = Math.max(2, BARS - low.length() - high.length() - 1);
        String scale = low + " ".repeat(between / 2) + "1" + " ".repeat(between - between / 2) + high;
        rows.add(List.of("", "from", "to", "ratio", "interval", scale, "detectable", "verdict"));
        for (ComparisonResult c : comparisons) {
            rows.add(List.of(
                    c.pair() + ", " + c.metric(),
                    c.writtenB(),
                    c.writtenA(),
                    c.writtenRatio(),
                    c.interval(),
                    bar(c, edge),
                    NumberFormat.change(c.visible()),
                    c.judged()));
        }
        return rows;
    }

    /** An interval as a line of characters, around the middle that means "no difference". */
    private static String bar(ComparisonResult c, double edge) {
        StringBuilder bar = new StringBuilder(" ".repeat(BARS));
        bar.setCharAt(BARS / 2, '│');
        if (c.low() != null && c.high() != null) {
            for (int i = place(c.low(), edge); i <= place(c.high(), edge); i++) {
                bar.setCharAt(i, i == BARS / 2 ? '┼' : '─');
            }
        }
        if (c.ratio() != null) {
            bar.setCharAt(place(c.ratio(), edge), '●');
        }
        return bar.toString();
    }

    private static int place(double ratio, double edge) {
        double share = (Math.log(ratio) / edge + 1) / 2;
        return (int) Math.round(Math.min(1, Math.max(0, share)) * (BARS - 1));
    }

    public static String html(RunComparison comparison, String weir) {
        List<Page.Part> sections = new ArrayList<>();
        sections.add(new Page.Part(
                "runs", "Runs", table(1, sides(comparison), "t-runs", "Runs compared; A is the baseline")));
        sections.add(new Page.Part("differences", "What differs", differing(comparison)));
        if (!comparison.doubts().isEmpty()) {
            Html doubts = new Html().open("ul");
            comparison.doubts().forEach(doubt -> doubts.element("li", doubt));
            sections.add(new Page.Part("caveats", "Caveats", doubts.close()));
        }
        List<String> variants = comparison.comparisons().stream()
                .map(ComparisonResult::a)
                .distinct()
                .toList();
        sections.add(new Page.Part("comparison", "Comparison", ForestPlot.html(comparison.comparisons(), variants)));
        return Page.of("compare · Weir", header(comparison), sections, "Made by Weir " + weir);
    }

    private static Html header(RunComparison comparison) {
        Gate gate = comparison.gate();
        return gate == null
                ? GateHeader.of("comparison", answer(comparison), null, List.of())
                : GateHeader.of("comparison", answer(comparison), gate.outcome(), gate.why());
    }

    private static Html differing(RunComparison comparison) {
        return comparison.differences().isEmpty()
                ? new Html().element("p", "Nothing differs in machine, software, settings and effective properties.")
                : table(
                        1 + comparison.runs().size(),
                        differences(comparison),
                        "t-differences",
                        "Machine, software, settings and effective properties that are not the same in all runs");
    }

    private static Html table(int texts, List<List<String>> rows, String id, String caption) {
        Table table = new Table(texts, rows.get(0));
        rows.subList(1, rows.size()).forEach(table::row);
        return table.html(id, caption);
    }
}
