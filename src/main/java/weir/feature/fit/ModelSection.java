package weir.feature.fit;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import weir.feature.fit.ScalingResult.Curve;
import weir.feature.fit.ScalingResult.Estimate;
import weir.feature.fit.ScalingResult.Fitted;
import weir.feature.fit.ScalingResult.Law;
import weir.feature.fit.ScalingResult.Point;
import weir.measure.Known;
import weir.report.RunView;
import weir.report.block.Axis;
import weir.report.block.Block;
import weir.report.block.Chart;
import weir.report.block.Table;
import weir.results.value.NumberFormat;

/** The section about the models of a run: the cost of transactions, and the scaling of the load. */
final class ModelSection {
    private static final int COLORS = 8;
    private static final int MOST_CURVES = 4;

    private static final int MOST_SIZES = 3;

    private ModelSection() {}

    static List<Block> costs(RunView run) {
        List<Block> blocks = new ArrayList<>();
        int number = 0;
        for (FitResult fit : run.result().models(FitResult.class)) {
            blocks.add(Block.note(String.join(" ", fit.sentences())));
            if (!fit.terms().isEmpty()) {
                blocks.add(Table.of(1, fit.terms())
                        .column("cost", FitResult.Term::name)
                        .column("with its 95 % interval", FitResult.Term::text)
                        .as(
                                "t-terms-" + number,
                                "Cost of " + fit.what() + " (R\u00b2 of the relative errors: "
                                        + NumberFormat.number(fit.explained())
                                        + ")"));
                blocks.add(smallest(fit)
                        .as(
                                "t-smallest-" + number,
                                "Smallest size of a transaction with an overhead of at most "
                                        + NumberFormat.share(fit.overhead())
                                        + " of the cost of its "
                                        + FitResult.word(fit.by().get(0))));
                blocks.add(Block.charts(List.of(chart("t-fit-" + number, fit))));
            }
            number++;
        }
        return blocks;
    }

    private static Table smallest(FitResult fit) {
        Table.Columns<FitResult.Smallest> table = Table.of(0, fit.smallest());
        for (int i = 1; i < fit.by().size(); i++) {
            int other = i - 1;
            table.column(
                    FitResult.word(fit.by().get(i)),
                    at -> NumberFormat.number(at.others().get(other)));
        }
        return table.column(FitResult.word(fit.by().get(0)), FitResult.Smallest::text)
                .column("95 % interval", FitResult.Smallest::interval)
                .column(
                        "",
                        at -> at.count() == null ? "no size is enough" : at.beyond() ? "beyond the measured sizes" : "")
                .table();
    }

    private static Block chart(String id, FitResult fit) {
        String title = "Measured against fitted";
        String far = "more than " + Math.round(FitResult.FAR * 100) + " % off";
        Axis measured = Axis.log("measured, ms");
        Axis fitted = Axis.log("fitted, ms");
        fit.cells()
                .forEach(cell -> List.of(measured, fitted).forEach(axis -> axis.cover(cell.millis(), cell.fitted())));
        Chart chart = new Chart(title, fitted, measured)
                .height(400)
                .note("Each dot is a cell. A cross marks a cell where the model is " + far + ". Labels of crosses show "
                        + fit.by().stream().map(FitResult::word).collect(Collectors.joining(" / "))
                        + ". On the line, the measured and the fitted cost are equal.")
                .key("a cell", "c1 block")
                .key(far, "c2 block")
                .diagonal();
        for (FitResult.Cell cell : fit.cells()) {
            String name = name(cell);
            String text = name + ": " + off(cell.off());
            if (cell.far()) {
                // A fitted cost may be negative, which a logarithmic axis cannot show.
                double at = Math.max(cell.fitted(), fitted.scale().low());
                chart.cross(at, cell.millis(), "c2", text).name(at, cell.millis(), "c2", name);
            } else {
                chart.dot(cell.fitted(), cell.millis(), "c1", text);
            }
        }
        Table.Columns<FitResult.Cell> table = Table.of(0, fit.cells());
        for (int i = 0; i < fit.by().size(); i++) {
            int place = i;
            table.column(
                    FitResult.word(fit.by().get(i)),
                    cell -> NumberFormat.number(cell.counts().get(place)));
        }
        table.column("trials", cell -> String.valueOf(cell.trials()))
                .column("measured", cell -> NumberFormat.millis(cell.millis()))
                .column("fitted", cell -> NumberFormat.millis(cell.fitted()))
                .column("off", cell -> off(cell.off()))
                .column("", cell -> cell.far() ? "bad" : "");
        return chart.table(table.as(id, title).folded());
    }

    private static String name(FitResult.Cell cell) {
        return cell.counts().stream().map(NumberFormat::number).collect(Collectors.joining(" / "));
    }

    private static String off(double share) {
        return (share > 0 ? "+" : "") + NumberFormat.share(Math.round(share * 1000) / 1000.0);
    }

    static List<Block> briefCosts(RunView run) {
        List<Block> blocks = new ArrayList<>();
        for (FitResult fit : run.result().models(FitResult.class)) {
            List<String> smallest = fit.smallest().stream().map(fit::smallest).toList();
            blocks.add(Block.first(smallest, MOST_SIZES, "size"));
            List<String> far = fit.cells().stream()
                    .filter(FitResult.Cell::far)
                    .map(cell -> "bad fit at " + name(cell) + ": " + NumberFormat.millis(cell.millis()) + ", fitted "
                            + NumberFormat.millis(cell.fitted()))
                    .toList();
            blocks.add(Block.first(far, MOST_SIZES, "bad fit"));
        }
        return blocks;
    }

    static List<Block> scaling(RunView run) {
        List<Block> blocks = new ArrayList<>();
        int number = 0;
        for (ScalingResult scaling : run.result().models(ScalingResult.class)) {
            for (Curve curve : scaling.curves()) {
                blocks.add(Block.note(String.join(" ", scaling.sentences(curve))));
                Law law = curve.law();
                if (law != null) {
                    blocks.add(Block.note(law(scaling, curve, law)));
                }
            }
            blocks.add(Block.charts(List.of(chart("t-scaling-" + number++, scaling))));
        }
        return blocks;
    }

    private static String law(ScalingResult scaling, Curve curve, Law law) {
        List<String> far = curve.points().stream()
                .filter(Point::far)
                .map(point -> NumberFormat.number(point.count()))
                .toList();
        return (curve.name().isEmpty() ? "" : curve.name() + ": ")
                + ScalingResult.terms(law)
                + (far.isEmpty()
                        ? "."
                        : ". The law misses the measured rate by more than " + Math.round(ScalingResult.FAR * 100)
                                + " % at " + NumberFormat.listed(far) + " " + scaling.word() + ".");
    }

    private record Measured(Curve curve, Point point) {}

    private static Block chart(String id, ScalingResult scaling) {
        String title = "Rate against " + scaling.scaling();
        Axis rates = Axis.fromZero("records/s");
        Chart chart = new Chart(title, Axis.fromZero(scaling.word()), rates)
                .height(420)
                .note("A dot is the mean rate of all trials with the same N, with its 95 % interval. The solid line "
                        + "is the fitted law with its interval. The line ends at 2 × the largest measured N, or at "
                        + "the largest measured N if a larger N carried no record. The dashed line is N × rate(1) "
                        + "of the law. The efficiency is rate(N) / (N × rate(1)). Here rate(1) is the measured "
                        + "rate, or the rate of the law if N = 1 was not measured.");
        List<Measured> points = new ArrayList<>();
        List<Curve> curves = scaling.curves();
        for (int i = 0; i < curves.size(); i++) {
            Curve curve = curves.get(i);
            String look = "c" + (i % COLORS + 1);
            draw(chart, scaling, curve, look);
            curve.points().forEach(point -> points.add(new Measured(curve, point)));
            chart.key(curve.name().isEmpty() ? "measured and fitted" : curve.name(), look);
        }
        double highest = rates.highest();
        for (int i = 0; i < curves.size(); i++) {
            Law law = curves.get(i).law();
            if (law != null) {
                double ofOne = Known.orNaN(law.rateOfOne().value());
                double end = Math.min(law.farthest(), highest / ofOne);
                chart.line("", "c" + (i % COLORS + 1) + " dashed ideal", new double[] {0, end}, 0, end * ofOne);
            }
        }
        chart.key("N times the rate of one by the law", "plain dashed");
        return chart.table(Table.of(1, points)
                .column("curve", one -> one.curve.name().isEmpty() ? "all" : one.curve.name())
                .column(FitResult.word(scaling.scaling()), one -> NumberFormat.number(one.point.count()))
                .column("trials", one -> String.valueOf(one.point.trials()))
                .column("rate", one -> ScalingResult.rate(one.point.rate()))
                .column("efficiency", one -> one.curve.efficiency(one.point))
                .column(
                        "fitted",
                        one -> one.point.fitted() == null
                                ? NumberFormat.MISSING
                                : ScalingResult.rate(one.point.fitted()))
                .column("off", one -> one.point.off() == null ? NumberFormat.MISSING : off(one.point.off()))
                .column("limit", one -> one.point.limit().text())
                .as(id, title));
    }

    private static void draw(Chart chart, ScalingResult scaling, Curve curve, String look) {
        Law law = curve.law();
        if (law != null) {
            double[] xs = law.line().stream().mapToDouble(Fitted::count).toArray();
            chart.line("", look, xs, ends(law, Estimate::value));
            chart.area(look, xs, ends(law, Estimate::low), ends(law, Estimate::high));
        }
        for (Point point : curve.points()) {
            Double low = point.rate().low();
            Double high = point.rate().high();
            if (low != null && high != null) {
                chart.line("", look, new double[] {point.count(), point.count()}, low, high);
            }
            String text = curve.name() + " " + NumberFormat.number(point.count()) + " " + scaling.word() + ": "
                    + ScalingResult.rate(point.rate());
            chart.dot(point.count(), Known.orNaN(point.rate().value()), look, text.strip());
        }
    }

    private static double[] ends(Law law, Function<Estimate, @Nullable Double> end) {
        return law.line().stream()
                .mapToDouble(fitted -> Known.orNaN(end.apply(fitted.rate())))
                .toArray();
    }

    static List<Block> briefScaling(RunView run) {
        return run.result().models(ScalingResult.class).stream()
                .<Block>map(scaling -> Block.first(
                        scaling.curves().stream()
                                .map(curve -> brief(scaling, curve))
                                .toList(),
                        MOST_CURVES,
                        "curve"))
                .toList();
    }

    private static String brief(ScalingResult scaling, Curve curve) {
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
        return scaling.word() + (curve.name().isEmpty() ? "" : ", " + curve.name()) + ": " + String.join("; ", parts);
    }
}
