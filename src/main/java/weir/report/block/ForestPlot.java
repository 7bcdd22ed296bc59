package weir.report.block;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;
import weir.results.value.ComparisonResult;
import weir.results.value.ComparisonResult.PublishedRatio;
import weir.results.value.NumberFormat;

/** Every comparison with its interval: ratios around 1, shares from 0 to 1, and counts. */
public final class ForestPlot {
    private static final double FARTHEST = 20;
    public static final String SMALLEST = "smallest detectable difference";

    static final String BEYOND = " An arrow points at what lies beyond the scale.";

    private ForestPlot() {}

    /**
     * One row for each comparison.
     *
     * @param variants in the order of their colours
     */
    public static List<Block> of(List<ComparisonResult> comparisons, List<String> variants) {
        List<Block> blocks = new ArrayList<>();
        List<ComparisonResult> ratios =
                comparisons.stream().filter(c -> c.to() == null).toList();
        List<ComparisonResult> shares =
                comparisons.stream().filter(c -> c.to() != null).toList();
        if (!ratios.isEmpty()) {
            blocks.add(ratios(ratios, variants));
        }
        if (!shares.isEmpty()) {
            blocks.add(shares(shares, variants));
        }
        return blocks;
    }

    private static Block ratios(List<ComparisonResult> comparisons, List<String> variants) {
        List<ComparisonResult> drawn =
                comparisons.stream().filter(c -> c.ratio() != null).toList();
        Table table = table(comparisons, "ratio").as("t-ratios", "Comparisons");
        if (drawn.isEmpty()) {
            return table;
        }
        double low = ends(drawn).map(v -> Math.max(1 / FARTHEST, v)).reduce(0.9, Math::min);
        double high = ends(drawn).map(v -> Math.min(FARTHEST, v)).reduce(1.1, Math::max);
        AxisScale scale = new AxisScale.Log(low / 1.05, high * 1.05);
        return chart(
                "Ratios",
                "Welch's t on the logarithms of the trials' values; from and to are their geometric means, so that the ratio is that of the "
                        + "two. Below four repeats there is no verdict. The first metric of "
                        + "a pair has a 95 % interval; those of the others are wider, as their verdicts are corrected for "
                        + "more.",
                width -> plot(
                        "Ratios with their intervals", "ratio, 1 = no difference", scale, drawn, variants, width, 1),
                anyBeyond(drawn, scale),
                table);
    }

    private static Block shares(List<ComparisonResult> comparisons, List<String> variants) {
        List<ComparisonResult> drawn =
                comparisons.stream().filter(c -> c.ratio() != null).toList();
        double low = ends(drawn).map(v -> Math.max(-2, v)).reduce(-0.1, Math::min);
        double high = ends(drawn).map(v -> Math.min(3, v)).reduce(1.1, Math::max);
        AxisScale scale = new AxisScale.Linear(low, high);
        return chart(
                "Recovered",
                "How far a variant went from one other (0) to another (1), by the geometric means of its trials; the "
                        + "interval contains every share that Welch's t does not refute.",
                width -> plot(
                        "Shares of the way with their intervals",
                        "0 = like the first, 1 = like the second",
                        scale,
                        drawn,
                        variants,
                        width,
                        0,
                        1),
                anyBeyond(drawn, scale),
                table(comparisons, "share").as("t-shares", "Recovered shares"));
    }

    private static Block chart(
            String title, String note, Function<Plot.Width, Plot> plot, boolean beyond, Table table) {
        return new Block.Chart(
                title, "wide", note + (beyond ? BEYOND : ""), List.of(), Plot.widths(Plot.Width.BROAD, plot), table);
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

    private static Plot plot(
            String title,
            String unit,
            AxisScale x,
            List<ComparisonResult> drawn,
            List<String> variants,
            Plot.Width width,
            double... marks) {
        List<String> names =
                drawn.stream().map(c -> c.pair() + ", " + c.metric()).toList();
        Plot plot = Plot.rows(title, x, unit, names, width);
        for (double mark : marks) {
            plot.mark(mark, "");
        }
        for (int i = 0; i < drawn.size(); i++) {
            ComparisonResult c = drawn.get(i);
            double row = drawn.size() - i - 0.5;
            String look = Plot.color(Math.max(0, variants.indexOf(c.a())));
            String text = c.metric() + " " + c.text() + ", " + c.judged();
            if (c.low() != null || c.high() != null) {
                // An interval without an end continues beyond the edge.
                plot.interval(known(c.low(), -1e9), known(c.high(), 1e9), row, look, text);
            }
            plot.dot(Objects.requireNonNull(c.ratio()), row, look, text);
        }
        return plot;
    }

    private static Table table(List<ComparisonResult> comparisons, String ratio) {
        Table.Columns<ComparisonResult> table = Table.of(3, comparisons)
                .column("compared", ComparisonResult::pair)
                .column("metric", ComparisonResult::metric)
                .column("verdict", ComparisonResult::judged)
                .column("from", ComparisonResult::writtenB)
                .column("to", ComparisonResult::writtenA)
                .column(ratio, ComparisonResult::writtenRatio)
                .column("interval", ComparisonResult::interval)
                .column(SMALLEST, c -> NumberFormat.change(c.visible()));
        comparisons.stream()
                .flatMap(c -> c.published().stream())
                .map(PublishedRatio::source)
                .distinct()
                .forEach(source ->
                        table.column("published: " + source, c -> PublishedRatio.written(c.published(), source)));
        return table.table();
    }
}
