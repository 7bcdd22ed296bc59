package weir.report.block;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;
import weir.results.value.ComparisonResult;
import weir.results.value.NumberFormat;

/** A chart of all comparisons with their intervals: ratios around 1, shares from 0 to 1, and counts. */
public final class ForestPlot {
    private static final double FARTHEST = 20;
    public static final String SMALLEST = "smallest detectable difference";

    static final String BEYOND = " An arrow marks a value beyond the scale.";

    private static final String RATIOS =
            "Intervals are from Welch's t-test on the logarithms of the trials' values. The columns "
                    + "from and to are geometric means of the trials, and the ratio is to / from. With fewer "
                    + "than four repeats there is no verdict. The first metric of each pair of variants has a "
                    + "95 % interval. Further metrics have wider intervals, because Weir corrects their verdicts for "
                    + "the number of comparisons.";
    private static final String SHARES =
            "The position of a variant between a first variant (0) and a second variant (1), from the geometric means"
                    + " of the trials. The interval contains every position that Welch's t-test does not reject.";

    private ForestPlot() {}

    /** One row for each comparison; {@code variants} are in the order of their colours. */
    public static List<Block> of(List<ComparisonResult> comparisons, List<String> variants) {
        List<Block> blocks = new ArrayList<>();
        List<ComparisonResult> ratios =
                comparisons.stream().filter(c -> c.to() == null).toList();
        List<ComparisonResult> shares =
                comparisons.stream().filter(c -> c.to() != null).toList();
        if (!ratios.isEmpty()) {
            List<ComparisonResult> drawn = drawn(ratios);
            double low = ends(drawn).map(v -> Math.max(1 / FARTHEST, v)).reduce(0.9, Math::min);
            double high = ends(drawn).map(v -> Math.min(FARTHEST, v)).reduce(1.1, Math::max);
            Axis x = Axis.of("ratio, 1 = no difference", new AxisScale.Log(low / 1.05, high * 1.05));
            Table table = table(ratios, "ratio").as("t-ratios", "Comparisons");
            blocks.add(
                    drawn.isEmpty()
                            ? table
                            : chart("Ratios", RATIOS, x, drawn, variants, 1).table(table));
        }
        if (!shares.isEmpty()) {
            List<ComparisonResult> drawn = drawn(shares);
            double low = ends(drawn).map(v -> Math.max(-2, v)).reduce(-0.1, Math::min);
            double high = ends(drawn).map(v -> Math.min(3, v)).reduce(1.1, Math::max);
            Axis x = Axis.of("0 = the first variant, 1 = the second variant", new AxisScale.Linear(low, high));
            blocks.add(chart("Recovered", SHARES, x, drawn, variants, 0, 1)
                    .table(table(shares, "share").as("t-shares", "Recovered shares")));
        }
        return blocks;
    }

    private static List<ComparisonResult> drawn(List<ComparisonResult> comparisons) {
        return comparisons.stream().filter(c -> c.ratio() != null).toList();
    }

    private static DoubleStream ends(List<ComparisonResult> comparisons) {
        return comparisons.stream()
                .flatMapToDouble(c -> DoubleStream.of(
                        known(c.ratio(), 1),
                        known(c.low(), known(c.ratio(), 1)),
                        known(c.high(), known(c.ratio(), 1))));
    }

    private static double known(@Nullable Double value, double otherwise) {
        return value == null ? otherwise : value;
    }

    private static boolean anyBeyond(List<ComparisonResult> drawn, AxisScale scale) {
        return drawn.stream().anyMatch(c -> c.low() == null != (c.high() == null))
                || ends(drawn).anyMatch(end -> end < scale.low() || end > scale.high());
    }

    private static Chart chart(
            String title, String note, Axis x, List<ComparisonResult> drawn, List<String> variants, double... marks) {
        Chart chart = Chart.ofRows(
                        title,
                        x,
                        drawn.stream().map(c -> c.pair() + ", " + c.metric()).toList())
                .wide()
                .note(note + (anyBeyond(drawn, x.scale()) ? BEYOND : ""));
        for (double mark : marks) {
            chart.mark(mark, "");
        }
        for (int i = 0; i < drawn.size(); i++) {
            ComparisonResult c = drawn.get(i);
            String look = Chart.color(Math.max(0, variants.indexOf(c.a())));
            String text = c.metric() + " " + c.text() + ", " + c.judged();
            if (c.low() != null || c.high() != null) {
                // An interval without an end continues beyond the edge.
                chart.interval(known(c.low(), -1e9), known(c.high(), 1e9), i + 0.5, look, text);
            }
            chart.dot(Objects.requireNonNull(c.ratio()), i + 0.5, look, text);
        }
        return chart;
    }

    private static Table table(List<ComparisonResult> comparisons, String ratio) {
        return Table.of(3, comparisons)
                .column("compared", ComparisonResult::pair)
                .column("metric", ComparisonResult::metric)
                .column("verdict", ComparisonResult::judged)
                .column("from", ComparisonResult::writtenB)
                .column("to", ComparisonResult::writtenA)
                .column(ratio, ComparisonResult::writtenRatio)
                .column("interval", ComparisonResult::interval)
                .column(SMALLEST, c -> NumberFormat.change(c.visible()))
                .published(ComparisonResult::published)
                .table();
    }
}
