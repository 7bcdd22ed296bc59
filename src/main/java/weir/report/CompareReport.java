package weir.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import weir.report.block.Block;
import weir.report.block.ForestPlot;
import weir.report.block.Table;
import weir.results.RunComparison;
import weir.results.RunComparison.Gate;
import weir.results.RunComparison.Side;
import weir.results.value.ComparisonResult;
import weir.results.value.NumberFormat;

/** A report that compares stored runs, as text or as a page: what differs, then the ratio of each figure. */
public final class CompareReport {
    private static final int LONGEST = 40;
    private static final int MOST_DIFFERENCES = 20;
    private static final int MOST_ROWS = 40;
    private static final int BARS = 31;

    private CompareReport() {}

    public static String answer(RunComparison comparison) {
        Gate gate = comparison.gate();
        String first = comparison.comparisons().stream()
                .findFirst()
                .map(c -> c.sentence() + ".")
                .orElse(
                        comparison.apart().isEmpty()
                                ? "The runs have no figure in common."
                                : "The runs have no ratio, because their comparison keys differ.");
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
        lines.show(List.of(sides(comparison), Block.GAP, differences(comparison), Block.GAP));
        comparison.doubts().forEach(doubt -> lines.show(List.of(Block.warning(doubt))));
        if (!comparison.comparisons().isEmpty()) {
            lines.show(List.of(Block.GAP, ratios(comparison.comparisons())));
        }
        comparison.apart().forEach(pair -> lines.show(List.of(Block.GAP, Block.warning(pair.text()), figures(pair))));
        return lines.text();
    }

    private static Table sides(RunComparison comparison) {
        return Table.of(1, comparison.runs())
                .column("", Side::label)
                .column("run", Side::run)
                .column("trials", side -> String.valueOf(side.trials()))
                .column("", Side::state)
                .column("Kafka", Side::kafka)
                .column("began", side -> side.startedAt().replaceFirst("T(\\d\\d:\\d\\d).*", " $1 UTC"))
                .table()
                .most(MOST_ROWS);
    }

    private static Block differences(RunComparison comparison) {
        if (comparison.differences().isEmpty()) {
            return Block.text("Machine, software, settings and effective properties are equal.");
        }
        List<String> labels = comparison.runs().stream().map(Side::label).toList();
        return Table.of(1 + labels.size(), comparison.differences())
                .column("differs", one -> one.kind().name().toLowerCase(Locale.ROOT) + " " + one.name())
                .columns(labels, one -> TextLines.apart(one.values(), LONGEST))
                .as("t-differences", "Differences in machine, software, settings and effective properties")
                .most(MOST_DIFFERENCES);
    }

    private static Table figures(RunComparison.Apart pair) {
        return Table.of(1, pair.figures())
                .column("", ComparisonResult::metric)
                .column(pair.b(), ComparisonResult::writtenB)
                .column(pair.a(), ComparisonResult::writtenA)
                .as("t-apart-" + pair.a().replace(' ', '-'), "Figures of " + pair.b() + " and " + pair.a())
                .most(MOST_ROWS);
    }

    private static Table ratios(List<ComparisonResult> comparisons) {
        double reach = comparisons.stream()
                .filter(c -> c.low() != null && c.high() != null)
                .mapToDouble(c -> Math.max(
                        Math.abs(Math.log(Objects.requireNonNull(c.low()))),
                        Math.abs(Math.log(Objects.requireNonNull(c.high())))))
                .max()
                .orElse(0);
        double edge = Math.min(Math.log(20), Math.max(Math.log(1.05), reach));
        String low = NumberFormat.times(Math.exp(-edge));
        String high = NumberFormat.times(Math.exp(edge));
        int between = Math.max(2, BARS - low.length() - high.length() - 1);
        String scale = low + " ".repeat(between / 2) + "1 ".repeat(between - between / 2) + high;
        return Table.of(1, comparisons)
                .column("", c -> c.pair() + ", " + c.metric())
                .column("from", ComparisonResult::writtenB)
                .column("to", ComparisonResult::writtenA)
                .column("ratio", ComparisonResult::writtenRatio)
                .column("interval", ComparisonResult::interval)
                .column(scale, c -> bar(c, edge))
                .column("detectable", c -> NumberFormat.change(c.visible()))
                .column("verdict", ComparisonResult::judged)
                .table()
                .most(MOST_ROWS);
    }

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
        List<Page.Part> parts = new ArrayList<>();
        parts.add(new Page.Part(
                "runs", "Runs", List.of(sides(comparison).as("t-runs", "Runs compared; A is the baseline"))));
        parts.add(new Page.Part("differences", "What differs", List.of(differences(comparison))));
        if (!comparison.doubts().isEmpty()) {
            parts.add(new Page.Part("caveats", "Caveats", List.of(Block.list(comparison.doubts()))));
        }
        List<String> variants = comparison.comparisons().stream()
                .map(ComparisonResult::a)
                .distinct()
                .toList();
        if (!variants.isEmpty()) {
            parts.add(new Page.Part("comparison", "Comparison", ForestPlot.of(comparison.comparisons(), variants)));
        }
        if (!comparison.apart().isEmpty()) {
            List<Block> apart = comparison.apart().stream()
                    .<Block>flatMap(pair -> Stream.of(Block.text(pair.text()), figures(pair)))
                    .toList();
            parts.add(new Page.Part("apart", "Without a ratio", apart));
        }
        Gate gate = comparison.gate();
        List<Block> head = gate == null
                ? Page.head("comparison", answer(comparison), null, List.of())
                : Page.head("comparison", answer(comparison), gate.outcome(), gate.why());
        return Page.of(new Page.Contents("compare · Weir", head, parts, "Made by Weir " + weir).explained());
    }
}
