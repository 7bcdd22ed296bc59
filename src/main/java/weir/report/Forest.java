package weir.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;
import weir.results.ComparisonResult;
import weir.results.Written;

/** Every comparison with its interval: ratios around 1, shares of a way from 0 to 1, and what only a count tells. */
final class Forest {
    /** What lies farther off is drawn at the edge. */
    private static final double FARTHEST = 20;

    private static final int WIDTH = 760;
    private static final int ROW = 26;

    private Forest() {}

    /** @param variants in the order of their colours */
    static Html html(List<ComparisonResult> comparisons, List<String> variants) {
        Html html = new Html();
        List<ComparisonResult> ratios =
                comparisons.stream().filter(c -> c.to() == null).toList();
        List<ComparisonResult> shares =
                comparisons.stream().filter(c -> c.to() != null).toList();
        if (!ratios.isEmpty()) {
            html.add(ratios(ratios, variants));
        }
        if (!shares.isEmpty()) {
            html.add(shares(shares, variants));
        }
        return html;
    }

    private static Html ratios(List<ComparisonResult> comparisons, List<String> variants) {
        List<ComparisonResult> drawn =
                comparisons.stream().filter(c -> c.ratio() != null).toList();
        Html table = table(comparisons, "ratio").html("t-ratios", "Comparisons");
        if (drawn.isEmpty()) {
            return table;
        }
        double low = ends(drawn).map(v -> Math.max(1 / FARTHEST, v)).reduce(0.9, Math::min);
        double high = ends(drawn).map(v -> Math.min(FARTHEST, v)).reduce(1.1, Math::max);
        Html plot = plot(
                "Ratios with 95 % intervals",
                "ratio, 1 = no difference", new Scale.Log(low / 1.05, high * 1.05), drawn, variants, "t-ratios", 1);
        return Chart.framed(
                "Ratios",
                "Welch's t on the logarithms of the trials' values. Below four repeats there is no verdict.",
                List.of(),
                plot,
                table,
                true);
    }

    private static Html shares(List<ComparisonResult> comparisons, List<String> variants) {
        List<ComparisonResult> drawn =
                comparisons.stream().filter(c -> c.ratio() != null).toList();
        double low = ends(drawn).map(v -> Math.max(-2, v)).reduce(-0.1, Math::min);
        double high = ends(drawn).map(v -> Math.min(3, v)).reduce(1.1, Math::max);
        Html plot = plot(
                "Shares of the way with 95 % intervals",
                "0 = like the first, 1 = like the second",
                new Scale.Linear(low, high),
                drawn,
                variants,
                "t-shares",
                0,
                1);
        return Chart.framed(
                "Recovered",
                "How far a variant went from one other (0) to another (1), by the geometric means of its trials; the "
                        + "interval holds every share that Welch's t does not refute.",
                List.of(),
                plot,
                table(comparisons, "share").html("t-shares", "Recovered shares"),
                true);
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

    private static Html plot(
            String title,
            String unit,
            Scale x,
            List<ComparisonResult> drawn,
            List<String> variants,
            String table,
            double... marks) {
        Plot plot = new Plot(title, x, new Scale.Linear(0, drawn.size()), WIDTH, 84 + ROW * drawn.size(), 24)
                .rows(
                        unit,
                        drawn.stream().map(c -> c.pair() + ", " + c.metric()).toList());
        for (double mark : marks) {
            plot.mark(mark, "");
        }
        for (int i = 0; i < drawn.size(); i++) {
            ComparisonResult c = drawn.get(i);
            double row = drawn.size() - i - 0.5;
            String look = Looks.of(Math.max(0, variants.indexOf(c.a())));
            if (c.low() != null || c.high() != null) {
                // Without an end it goes on beyond the edge.
                double from = known(c.low(), -1e9);
                double to = known(c.high(), 1e9);
                plot.line(new double[] {from, to}, new double[] {row, row}, look, "");
            }
            plot.dot(
                    Objects.requireNonNull(c.ratio()),
                    row,
                    look,
                    c.metric() + " " + c.written(c.ratio()) + ", " + c.verdict());
        }
        return plot.svg(table);
    }

    private static Table table(List<ComparisonResult> comparisons, String ratio) {
        Table table =
                new Table(3, "compared", "metric", "verdict", "from", "to", ratio, "95 % interval", "could have seen");
        for (ComparisonResult c : comparisons) {
            List<String> cells = new ArrayList<>(List.of(c.pair(), c.metric(), c.verdict()));
            cells.add(Written.figure(c.metric(), c.figureOfB()));
            cells.add(Written.figure(c.metric(), c.figureOfA()));
            cells.add(c.written(c.ratio()));
            cells.add(
                    c.low() == null && c.high() == null ? Written.MISSING : end(c, c.low()) + " … " + end(c, c.high()));
            cells.add(Written.change(c.visible()));
            table.row(cells);
        }
        return table;
    }

    private static String end(ComparisonResult c, @Nullable Double end) {
        return end == null ? "?" : c.written(end);
    }
}
