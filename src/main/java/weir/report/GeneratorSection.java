package weir.report;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import weir.measure.Steps;
import weir.report.chart.Html;
import weir.report.chart.Table;
import weir.results.ProbeReading;
import weir.results.WindowRow;
import weir.results.value.GeneratorResult;
import weir.results.value.NumberFormat;
import weir.results.value.TrialResult;

/** The generator's part in the numbers: how late it was, what it cost, and what its clients say about themselves. */
final class GeneratorSection {
    private static final String GENERATOR = "generator";

    private GeneratorSection() {}

    static Html html(RunView run) {
        Table table = new Table(
                1,
                "trial",
                "late p99",
                "late max",
                "backpressure p99",
                "peak rate",
                "ceiling",
                "CPU per record",
                "CPU, mean",
                "memory",
                "peak heap",
                "total GC",
                "longest pause");
        for (TrialView trial : run.trials()) {
            TrialResult result = trial.result();
            GeneratorResult generator = result.generator();
            Map<String, Figure> figures = figures(trial);
            table.row(
                    trial.label(),
                    NumberFormat.millis(result.figures().late().p99()),
                    NumberFormat.millis(result.figures().late().max()),
                    NumberFormat.millis(result.figures().backpressure().p99()),
                    result.figures().ackedPerSecond() == null
                            ? NumberFormat.MISSING
                            : NumberFormat.rate(result.mostAckedPerSecond()),
                    NumberFormat.rate(generator.ceilingPerSecond()),
                    generator.cpuNanosPerRecord() == null
                            ? NumberFormat.MISSING
                            : NumberFormat.number(generator.cpuNanosPerRecord()) + " ns",
                    shown(figures, GENERATOR, "cpu.cores", Figure::mean, " cores"),
                    generator.rssMiB() == null
                            ? NumberFormat.MISSING
                            : NumberFormat.number(generator.rssMiB()) + " MiB",
                    shown(figures, GENERATOR, "heap.used.mib", Figure::highest, " MiB"),
                    shown(figures, GENERATOR, "gc.pause.ms", Figure::sum, " ms"),
                    shown(figures, GENERATOR, "gc.pause.longest.ms", Figure::highest, " ms"));
        }
        Html html = new Html();
        GeneratorReserve.sentences(run).forEach(sentence -> html.element("p", sentence + "."));
        PaceAloneSection.sentences(run).forEach(sentence -> html.element("p", sentence + "."));
        return html.add(table.html("t-generator", "The generator in each trial"))
                .add(workers(run))
                .add(clients(run));
    }

    /** Where several processes carried a load together, each by itself. */
    private static Html workers(RunView run) {
        Table table = new Table(2, "trial", "worker", "CPU, mean", "peak heap", "total GC", "longest pause");
        for (TrialView trial : run.trials()) {
            Map<String, Figure> figures = figures(trial);
            int workers = Objects.requireNonNullElse(trial.result().generator().workers(), 1);
            for (int worker = 1; worker <= workers && workers > 1; worker++) {
                String of = GENERATOR + "-" + worker;
                table.row(
                        trial.label(),
                        String.valueOf(worker),
                        shown(figures, of, "cpu.cores", Figure::mean, " cores"),
                        shown(figures, of, "heap.used.mib", Figure::highest, " MiB"),
                        shown(figures, of, "gc.pause.ms", Figure::sum, " ms"),
                        shown(figures, of, "gc.pause.longest.ms", Figure::highest, " ms"));
            }
        }
        return table.empty()
                ? new Html()
                : table.html("t-workers", "Workers; the table above adds up their CPU, memory and heap");
    }

    /** A metric over the measured seconds. */
    private record Figure(double sum, long count, double lowest, double highest) {
        static final Figure NONE = new Figure(0, 0, Double.MAX_VALUE, -Double.MAX_VALUE);

        Figure plus(double value) {
            return new Figure(sum + value, count + 1, Math.min(lowest, value), Math.max(highest, value));
        }

        /** That of another process at the same time. */
        Figure beside(Figure other) {
            return new Figure(
                    sum + other.sum, Math.max(count, other.count), lowest + other.lowest, highest + other.highest);
        }

        Figure worst(Figure other) {
            return highest >= other.highest ? this : other;
        }

        double mean() {
            return sum / count;
        }
    }

    private static String shown(
            Map<String, Figure> figures, String source, String metric, ToDoubleFunction<Figure> of, String unit) {
        Figure figure = figures.getOrDefault(source + " " + metric, Figure.NONE);
        return figure.count() == 0 ? NumberFormat.MISSING : NumberFormat.number(of.applyAsDouble(figure)) + unit;
    }

    private static Map<String, Figure> figures(TrialView trial) {
        double from = trial.rows().stream()
                .filter(row -> row.step() >= Steps.MEASURE)
                .mapToDouble(WindowRow::second)
                .min()
                .orElse(0);
        double to = trial.rows().stream()
                .filter(row -> row.step() >= Steps.MEASURE)
                .mapToDouble(row -> row.second() + row.seconds())
                .max()
                .orElse(Double.MAX_VALUE);
        Map<String, Map<String, Figure>> bySource = new HashMap<>();
        for (ProbeReading reading : trial.readings()) {
            if (reading.second() >= from && reading.second() < to && !Double.isNaN(reading.value())) {
                bySource.computeIfAbsent(reading.source(), source -> new HashMap<>())
                        .merge(
                                reading.metric(),
                                Figure.NONE.plus(reading.value()),
                                (before, one) -> before.plus(reading.value()));
            }
        }
        Map<String, Figure> figures = new TreeMap<>();
        bySource.forEach(
                (source, metrics) -> metrics.forEach((metric, figure) -> figures.put(source + " " + metric, figure)));
        bySource.forEach((source, metrics) -> {
            if (source.startsWith(GENERATOR + "-")) {
                metrics.forEach((metric, figure) -> figures.merge(
                        GENERATOR + " " + metric, figure, metric.contains("longest") ? Figure::worst : Figure::beside));
            }
        });
        return figures;
    }

    /** The means of the measured phase, a column for each trial. */
    private static Html clients(RunView run) {
        List<Map<String, Figure>> all =
                run.trials().stream().map(GeneratorSection::figures).toList();
        SortedSet<String> names = new TreeSet<>();
        all.forEach(figures -> names.addAll(figures.keySet()));
        List<String> columns = new ArrayList<>(List.of("client", "figure"));
        run.trials().forEach(trial -> columns.add(trial.label()));
        Table table = new Table(2, columns);
        for (String name : names) {
            int space = name.lastIndexOf(' ');
            String source = name.substring(0, space);
            if (source.startsWith("client")) {
                List<String> cells = new ArrayList<>(List.of(source, name.substring(space + 1)));
                for (Map<String, Figure> figures : all) {
                    Figure figure = figures.getOrDefault(name, Figure.NONE);
                    cells.add(figure.count() == 0 ? NumberFormat.MISSING : NumberFormat.number(figure.mean()));
                }
                table.row(cells);
            }
        }
        return table.empty() ? new Html() : table.html("t-clients", "Client metrics: means over the measured phase");
    }

    static void lines(RunView run, TextLines lines) {
        String reserve = GeneratorReserve.line(run);
        if (!reserve.isEmpty()) {
            lines.wrap("  ", reserve);
        }
        PaceAloneSection.sentences(run).forEach(sentence -> lines.wrap("  ", sentence));
    }
}
