package weir.report;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import weir.measure.LatencyKind;
import weir.report.chart.Html;
import weir.report.chart.Table;
import weir.results.ProbeReading;
import weir.results.value.GeneratorResult;
import weir.results.value.NumberFormat;
import weir.results.value.TrialResult;

/** The generator's part in the numbers: how late it was, what it cost, and what its clients say about themselves. */
final class GeneratorSection {
    private static final String GENERATOR = "generator";
    private static final String LONGEST = "pause.longest.ms";

    /** A stop for the collector is one at a safepoint, too, and ends a moment before. */
    private static final Set<String> PAUSES = Set.of("gc.pause.longest.ms", "safepoint.longest.ms");

    /** Ends the names of figures that clients count from their start on. */
    private static final String TOTAL = "-total";

    private GeneratorSection() {}

    static Html html(RunView run) {
        Table table = new Table(
                1,
                "trial",
                "late p99",
                "late max",
                "backpressure p99",
                "acked, most of a step",
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
                    NumberFormat.latency(result.figures().late(), 99),
                    NumberFormat.millis(result.figures().late().max()),
                    NumberFormat.latency(result.figures().latency(LatencyKind.BACKPRESSURE), 99),
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
                    shown(figures, GENERATOR, LONGEST, Figure::highest, " ms"));
        }
        Html html = new Html();
        GeneratorReserve.sentences(run).forEach(sentence -> html.element("p", sentence + "."));
        GeneratorReserve.alone(run).forEach(sentence -> html.element("p", sentence + "."));
        return html.add(
                        table.html(
                                "t-generator",
                                "The generator in each trial, over the whole measured phase; CPU per record without rests, memory at its highest since the start"))
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
                        shown(figures, of, LONGEST, Figure::highest, " ms"));
            }
        }
        return table.empty()
                ? new Html()
                : table.html("t-workers", "Workers; the table above adds up their CPU, memory and heap");
    }

    /** A metric over the measured seconds, of one process or of several at the same time. */
    private record Figure(double sum, long count, double highest) {
        static final Figure NONE = new Figure(0, 0, -Double.MAX_VALUE);

        Figure plus(double value) {
            return new Figure(sum + value, count + 1, Math.max(highest, value));
        }

        Figure beside(Figure other) {
            return new Figure(sum + other.sum, Math.max(count, other.count), highest + other.highest);
        }

        Figure worst(Figure other) {
            return highest >= other.highest ? this : other;
        }

        double mean() {
            return sum / count;
        }

        String shown(ToDoubleFunction<Figure> of, String unit) {
            return count == 0 ? NumberFormat.MISSING : NumberFormat.number(of.applyAsDouble(this)) + unit;
        }
    }

    private static String shown(
            Map<String, Figure> figures, String source, String metric, ToDoubleFunction<Figure> of, String unit) {
        return figures.getOrDefault(source + " " + metric, Figure.NONE).shown(of, unit);
    }

    /** By source and metric; those of several workers also together, as of the generator. */
    private static Map<String, Figure> figures(TrialView trial) {
        Map<String, Figure> figures = new TreeMap<>();
        Map<String, Double> totals = new HashMap<>();
        for (ProbeReading reading : trial.readings()) {
            String metric = reading.metric();
            String name = reading.source() + " " + (PAUSES.contains(metric) ? LONGEST : metric);
            double value = reading.value();
            if (Double.isNaN(value)) {
                continue;
            }
            if (metric.endsWith(TOTAL)) {
                // Clients that are made anew count from nothing again.
                double before = Objects.requireNonNullElse(totals.put(name, value), 0.0);
                value -= before <= value ? before : 0;
            }
            boolean during = reading.second() >= trial.result().from()
                    && reading.second() < trial.result().to();
            if (during) {
                figures.put(name, figures.getOrDefault(name, Figure.NONE).plus(value));
            }
        }
        Map<String, Figure> together = new TreeMap<>();
        figures.forEach((name, figure) -> {
            if (name.startsWith(GENERATOR + "-")) {
                together.merge(
                        GENERATOR + name.substring(name.indexOf(' ')),
                        figure,
                        name.contains("longest") ? Figure::worst : Figure::beside);
            }
        });
        figures.putAll(together);
        return figures;
    }

    /** Means and growths over the measured phase, a column for each trial. */
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
                    cells.add(figures.getOrDefault(name, Figure.NONE)
                            .shown(name.endsWith(TOTAL) ? Figure::sum : Figure::mean, ""));
                }
                table.row(cells);
            }
        }
        return table.empty()
                ? new Html()
                : table.html(
                        "t-clients",
                        "Client metrics over the measured phase: means of its seconds, and the growth of each -total");
    }

    static void lines(RunView run, TextLines lines) {
        String reserve = GeneratorReserve.line(run);
        if (!reserve.isEmpty()) {
            lines.wrap("  ", reserve);
        }
        GeneratorReserve.alone(run).forEach(sentence -> lines.wrap("  ", sentence));
    }
}
