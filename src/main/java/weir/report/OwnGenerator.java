package weir.report;

import java.util.Map;
import java.util.TreeMap;
import weir.results.GeneratorResult;
import weir.results.Reading;
import weir.results.Row;
import weir.results.TrialResult;
import weir.results.Written;

/** Whether it was us: how late our own generator was, what it cost, and what its clients say about themselves. */
final class OwnGenerator {
    private OwnGenerator() {}

    static Html html(Story story) {
        Table table = new Table(
                1,
                "trial",
                "late p99",
                "late max",
                "held p99",
                "CPU per record",
                "CPU, mean",
                "memory",
                "GC, in all",
                "longest pause");
        Table clients = new Table(3, "trial", "client", "figure", "mean", "lowest", "highest");
        for (Pass pass : story.passes()) {
            TrialResult trial = pass.result();
            GeneratorResult generator = trial.generator();
            Map<String, Figure> figures = figures(pass);
            table.row(
                    pass.label(),
                    Written.millis(trial.figures().late().p99()),
                    Written.millis(trial.figures().late().max()),
                    Written.millis(trial.figures().held().p99()),
                    generator.cpuNanosPerRecord() == null
                            ? Written.MISSING
                            : Written.number(generator.cpuNanosPerRecord()) + " ns",
                    shown(figures, "cpu.cores", Figure::mean, " cores"),
                    generator.rssMiB() == null ? Written.MISSING : Written.number(generator.rssMiB()) + " MiB",
                    shown(figures, "gc.pause.ms", Figure::sum, " ms"),
                    shown(figures, "gc.pause.longest.ms", Figure::highest, " ms"));
            clients(clients, pass);
        }
        Html html = table.html("t-generator", "The generator in each trial");
        if (!clients.empty()) {
            html.add(clients.html("t-clients", "What the clients say about themselves, over the measured phase"));
        }
        return html;
    }

    /** A metric over the measured seconds. */
    private record Figure(double sum, long count, double lowest, double highest) {
        static final Figure NONE = new Figure(0, 0, Double.MAX_VALUE, -Double.MAX_VALUE);

        Figure plus(double value) {
            return new Figure(sum + value, count + 1, Math.min(lowest, value), Math.max(highest, value));
        }

        double mean() {
            return sum / count;
        }
    }

    private static String shown(
            Map<String, Figure> figures, String metric, java.util.function.ToDoubleFunction<Figure> of, String unit) {
        Figure figure = figures.getOrDefault("generator " + metric, Figure.NONE);
        return figure.count() == 0 ? Written.MISSING : Written.number(of.applyAsDouble(figure)) + unit;
    }

    private static Map<String, Figure> figures(Pass pass) {
        double from = pass.rows().stream()
                .filter(row -> row.step() >= weir.measure.Steps.MEASURE)
                .mapToDouble(Row::second)
                .min()
                .orElse(0);
        double to = pass.rows().stream()
                .filter(row -> row.step() >= weir.measure.Steps.MEASURE)
                .mapToDouble(row -> row.second() + row.seconds())
                .max()
                .orElse(Double.MAX_VALUE);
        Map<String, Figure> figures = new TreeMap<>();
        for (Reading reading : pass.readings()) {
            if (reading.second() >= from && reading.second() < to && !Double.isNaN(reading.value())) {
                String name = reading.source() + " " + reading.metric();
                figures.merge(name, Figure.NONE.plus(reading.value()), (a, b) -> a.plus(reading.value()));
            }
        }
        return figures;
    }

    private static void clients(Table table, Pass pass) {
        figures(pass).forEach((name, figure) -> {
            int space = name.lastIndexOf(' ');
            String source = name.substring(0, space);
            if (source.startsWith("client") || source.startsWith("producer") || source.startsWith("consumer")) {
                table.row(
                        pass.label(),
                        source,
                        name.substring(space + 1),
                        Written.number(figure.mean()),
                        Written.number(figure.lowest()),
                        Written.number(figure.highest()));
            }
        });
    }
}
