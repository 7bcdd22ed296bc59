package weir.report.fit;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.report.RunView;
import weir.report.TextLines;
import weir.report.chart.AxisScale;
import weir.report.chart.Chart;
import weir.report.chart.Html;
import weir.report.chart.Plot;
import weir.report.chart.Table;
import weir.results.value.FitResult;
import weir.results.value.NumberFormat;
import weir.results.value.ScalingResult;
import weir.results.value.ScalingResult.Curve;
import weir.results.value.ScalingResult.Estimate;
import weir.results.value.ScalingResult.Fitted;
import weir.results.value.ScalingResult.Law;
import weir.results.value.ScalingResult.Point;

/** How the load scales: rates against N with the law and its intervals, a table for each curve, and whose limit it was. */
public final class ScalingSection {
    private static final int WIDTH = 760;
    private static final int HEIGHT = 420;
    private static final int COLORS = 8;
    /** More curves are not told apart in the answer on a terminal. */
    private static final int MOST_LINES = 4;

    private ScalingSection() {}

    public static Html html(RunView run) {
        Html html = new Html();
        int number = 0;
        for (ScalingResult scaling : run.scalings()) {
            String id = "t-scaling-" + number;
            for (Curve curve : scaling.curves()) {
                html.element("p", String.join(" ", scaling.sentences(curve)), "class", "note");
                Law law = curve.law();
                if (law != null) {
                    html.element("p", law(scaling, curve, law), "class", "note");
                }
            }
            html.open("div", "class", "charts").add(chart(id, scaling)).close();
            number++;
        }
        return html;
    }

    /** The law in words and its terms, and the cells that it does not describe. */
    private static String law(ScalingResult scaling, Curve curve, Law law) {
        List<String> far = curve.points().stream()
                .filter(Point::far)
                .map(point -> NumberFormat.number(point.count()))
                .toList();
        return (curve.name().isEmpty() ? "" : curve.name() + ": ")
                + ScalingResult.terms(law)
                + (far.isEmpty()
                        ? "."
                        : ". The law is more than " + Math.round(ScalingResult.FAR * 100) + " % off at "
                                + NumberFormat.listed(far) + " " + scaling.word() + ".");
    }

    private static Html chart(String id, ScalingResult scaling) {
        String title = "Rate against " + scaling.scaling();
        double highest = scaling.curves().stream()
                .flatMapToDouble(ScalingSection::heights)
                .max()
                .orElse(1);
        double most =
                scaling.curves().stream().mapToDouble(Curve::farthest).max().orElse(1);
        Plot plot = new Plot(title, AxisScale.fromZero(most), AxisScale.fromZero(highest), WIDTH, HEIGHT, 24)
                .axes(scaling.word(), "records/s");
        Table table = new Table(
                1,
                "curve",
                FitResult.word(scaling.scaling()),
                "trials",
                "rate",
                "efficiency",
                "fitted",
                "off",
                "limit");
        List<Chart.Key> keys = new ArrayList<>();
        int color = 0;
        for (Curve curve : scaling.curves()) {
            String look = "c" + (color % COLORS + 1);
            draw(plot, scaling, curve, look, highest);
            curve.points().forEach(point -> table.row(row(curve, point)));
            keys.add(new Chart.Key(curve.name().isEmpty() ? "measured and fitted" : curve.name(), look));
            color++;
        }
        keys.add(new Chart.Key("N times the rate of one by the law", "plain dashed"));
        return Chart.framed(
                title,
                "Dots are trials of one N together, with their 95 % interval; the line is the law with its own, up to twice the"
                        + " largest N, or up to it if a larger one carried nothing. Dashed: N times the rate of one by the law. The efficiency is against N times what one was"
                        + " measured to carry, or by the law where one was not measured.",
                keys,
                plot.svg(id),
                table.html(id, title),
                false);
    }

    private static void draw(Plot plot, ScalingResult scaling, Curve curve, String look, double highest) {
        Law law = curve.law();
        if (law != null) {
            double[] xs = law.line().stream().mapToDouble(Fitted::count).toArray();
            plot.area(xs, ends(law, Estimate::low), ends(law, Estimate::high), look);
            plot.line(xs, ends(law, Estimate::value), look, "");
            double ofOne = orNaN(law.rateOfOne().value());
            double end = Math.min(xs[xs.length - 1], highest / ofOne);
            plot.line(new double[] {0, end}, new double[] {0, end * ofOne}, look + " dashed ideal", "");
        }
        for (Point point : curve.points()) {
            double rate = orNaN(point.rate().value());
            Double low = point.rate().low();
            Double high = point.rate().high();
            if (low != null && high != null) {
                plot.line(new double[] {point.count(), point.count()}, new double[] {low, high}, look, "");
            }
            String text = curve.name() + " " + NumberFormat.number(point.count()) + " " + scaling.word() + ": "
                    + ScalingResult.rate(point.rate());
            plot.dot(point.count(), rate, look, text.strip());
        }
    }

    private static List<String> row(Curve curve, Point point) {
        Double off = point.off();
        return List.of(
                curve.name().isEmpty() ? "all" : curve.name(),
                NumberFormat.number(point.count()),
                String.valueOf(point.trials()),
                ScalingResult.rate(point.rate()),
                curve.efficiency(point),
                point.fitted() == null ? NumberFormat.MISSING : ScalingResult.rate(point.fitted()),
                off == null
                        ? NumberFormat.MISSING
                        : (off > 0 ? "+" : "") + NumberFormat.share(Math.round(off * 1000) / 1000.0),
                point.limit().text());
    }

    private interface End {
        @Nullable Double of(Estimate estimate);
    }

    private static double[] ends(Law law, End end) {
        return law.line().stream()
                .mapToDouble(fitted -> orNaN(end.of(fitted.rate())))
                .toArray();
    }

    /** Rates that have to be seen; a band may leave the chart above. */
    private static DoubleStream heights(Curve curve) {
        DoubleStream measured = curve.points().stream()
                .flatMap(point -> Stream.of(
                        orNaN(point.rate().value()), orNaN(point.rate().high())))
                .mapToDouble(value -> value);
        Law law = curve.law();
        DoubleStream fitted = law == null
                ? DoubleStream.empty()
                : law.line().stream().mapToDouble(at -> orNaN(at.rate().value()));
        return DoubleStream.concat(measured, fitted).filter(Double::isFinite);
    }

    private static double orNaN(@Nullable Double value) {
        return value == null ? Double.NaN : value;
    }

    /** The answer says the rest. */
    public static void lines(RunView run, TextLines lines) {
        for (ScalingResult scaling : run.scalings()) {
            List<String> curves = new ArrayList<>();
            for (Curve curve : scaling.curves()) {
                Law law = curve.law();
                List<String> parts = new ArrayList<>(curve.points().stream()
                        .map(point -> NumberFormat.number(point.count()) + ": "
                                + NumberFormat.rate(point.rate().value()) + " ("
                                + curve.efficiency(point) + ", limit: "
                                + point.limit().by().words() + ")")
                        .toList());
                if (law == null) {
                    parts.add(curve.note());
                } else if (!law.vague()) {
                    parts.add(ScalingResult.terms(law));
                }
                curves.add(scaling.word() + (curve.name().isEmpty() ? "" : ", " + curve.name()) + ": "
                        + String.join("; ", parts));
            }
            lines.first(MOST_LINES, "  ", "curve", curves);
        }
    }
}
