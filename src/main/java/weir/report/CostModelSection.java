package weir.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import weir.report.chart.AxisScale;
import weir.report.chart.Chart;
import weir.report.chart.Html;
import weir.report.chart.Plot;
import weir.report.chart.Table;
import weir.results.value.FitResult;
import weir.results.value.NumberFormat;

/** A model of what transactions cost: its terms, the smallest transaction, and measured against fitted, cell by cell. */
final class CostModelSection {
    private static final int WIDTH = 760;
    private static final int HEIGHT = 400;

    private CostModelSection() {}

    static Html html(RunView run) {
        Html html = new Html();
        int number = 0;
        for (FitResult fit : run.fits()) {
            html.element("p", String.join(" ", fit.sentences()), "class", "note");
            if (!fit.terms().isEmpty()) {
                html.add(terms("t-terms-" + number, fit)).add(smallest("t-smallest-" + number, fit));
                html.open("div", "class", "charts")
                        .add(chart("t-fit-" + number, fit))
                        .close();
            }
            number++;
        }
        return html;
    }

    private static Html terms(String id, FitResult fit) {
        Table table = new Table(1, "cost", "with its 95 % interval");
        fit.terms().forEach(term -> table.row(term.name(), term.text()));
        return table.html(
                id,
                "What " + fit.what() + " costs (R\u00b2 of the relative errors: "
                        + (fit.explained() == null ? NumberFormat.MISSING : NumberFormat.number(fit.explained()))
                        + ")");
    }

    private static Html smallest(String id, FitResult fit) {
        List<String> columns = new ArrayList<>();
        fit.by().stream().skip(1).map(FitResult::word).forEach(columns::add);
        columns.addAll(List.of(FitResult.word(fit.by().get(0)), "95 % interval", ""));
        Table table = new Table(0, columns);
        for (FitResult.Smallest at : fit.smallest()) {
            List<String> cells = new ArrayList<>();
            at.others().forEach(count -> cells.add(NumberFormat.number(count)));
            String note = at.count() == null ? "no size is enough" : at.beyond() ? "more than was measured" : "";
            cells.addAll(List.of(at.text(), at.interval(), note));
            table.row(cells);
        }
        return table.html(
                id,
                "How large a transaction must be for the rest to cost at most " + NumberFormat.share(fit.overhead())
                        + " of what its " + FitResult.word(fit.by().get(0)) + " cost");
    }

    private static Html chart(String id, FitResult fit) {
        String title = "Measured against fitted";
        double low = figures(fit).filter(value -> value > 0).min().orElse(0.1);
        double high = figures(fit).max().orElse(1);
        AxisScale scale = AxisScale.around(low, high);
        Plot plot = new Plot(title, scale, scale, WIDTH, HEIGHT, 24).axes("fitted, ms", "measured, ms");
        double[] ends = {scale.low(), scale.high()};
        plot.line(ends, ends, "ideal", "");
        List<String> columns = new ArrayList<>();
        fit.by().forEach(path -> columns.add(FitResult.word(path)));
        columns.addAll(List.of("trials", "measured", "fitted", "off", ""));
        Table table = new Table(0, columns);
        for (FitResult.Cell cell : fit.cells()) {
            List<String> cells = new ArrayList<>();
            cell.counts().forEach(count -> cells.add(NumberFormat.number(count)));
            String off = (cell.off() > 0 ? "+" : "") + NumberFormat.share(Math.round(cell.off() * 1000) / 1000.0);
            String name = String.join(" / ", cells);
            String text = name + ": " + off;
            if (cell.far()) {
                double fitted = Math.max(cell.fitted(), scale.low());
                plot.cross(fitted, cell.millis(), "c2", text).name(fitted, cell.millis(), "c2", name);
            } else {
                plot.dot(cell.fitted(), cell.millis(), "c1", text);
            }
            cells.addAll(List.of(
                    String.valueOf(cell.trials()),
                    NumberFormat.millis(cell.millis()),
                    NumberFormat.millis(cell.fitted()),
                    off,
                    cell.far() ? "bad" : ""));
            table.row(cells);
        }
        String far = "more than " + Math.round(FitResult.FAR * 100) + " % off";
        return Chart.framed(
                title,
                "Every cell is a dot; where the model is " + far + " it is a cross with its "
                        + fit.by().stream().map(FitResult::word).collect(Collectors.joining(" / "))
                        + ". On the line they agree.",
                List.of(new Chart.Key("a cell", "c1 block"), new Chart.Key(far, "c2 block")),
                plot.svg(id),
                table.twin(id, title),
                false);
    }

    private static DoubleStream figures(FitResult fit) {
        return fit.cells().stream().flatMapToDouble(cell -> DoubleStream.of(cell.millis(), cell.fitted()));
    }

    static void lines(RunView run, TextLines lines) {
        for (FitResult fit : run.fits()) {
            lines.first(
                    TextReport.MOST_RATIOS,
                    "  ",
                    "size",
                    fit.smallest().stream().map(fit::smallest).toList());
            lines.first(
                    TextReport.MOST_RATIOS,
                    "  ",
                    "bad fit",
                    fit.cells().stream()
                            .filter(FitResult.Cell::far)
                            .map(cell -> "bad fit at "
                                    + cell.counts().stream()
                                            .map(NumberFormat::number)
                                            .collect(Collectors.joining(" / "))
                                    + ": " + NumberFormat.millis(cell.millis()) + ", fitted "
                                    + NumberFormat.millis(cell.fitted()))
                            .toList());
        }
    }
}
