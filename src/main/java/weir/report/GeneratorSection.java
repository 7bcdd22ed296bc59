package weir.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.measure.Known;
import weir.measure.LatencyKind;
import weir.measure.Reading;
import weir.report.block.Block;
import weir.report.block.Table;
import weir.results.value.GeneratorResult;
import weir.results.value.GeneratorResult.AloneResult;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;
import weir.results.value.TrialResult;

/** The section about the generator: its reserve, its lateness, its cost, and the metrics of its clients. */
final class GeneratorSection {
    private static final String GENERATOR = "generator";
    private static final String LONGEST = "pause.longest.ms";
    /** Two overlapping metrics: a garbage collection pause is also a safepoint pause, which ends slightly later. */
    private static final Set<String> PAUSES = Set.of("gc.pause.longest.ms", "safepoint.longest.ms");

    private static final String TOTAL = "-total";

    private GeneratorSection() {}

    private record Read(TrialView trial, String source, Map<String, Figure> figures) {
        String shown(String metric, ToDoubleFunction<Figure> of, String unit) {
            return figures.getOrDefault(source + " " + metric, Figure.NONE).shown(of, unit);
        }

        LatencyResult latency(LatencyKind kind) {
            return trial.result().figures().latency(kind);
        }

        String mostAcked() {
            TrialResult result = trial.result();
            return NumberFormat.rate(result.figures().ackedPerSecond() == null ? null : result.mostAckedPerSecond());
        }

        String cores() {
            return shown("cpu.cores", Figure::mean, " cores");
        }

        GeneratorResult generator() {
            return trial.result().generator();
        }
    }

    static List<Block> page(RunView run) {
        if (run.trials().isEmpty()) {
            return List.of();
        }
        List<Read> read = run.trials().stream()
                .map(trial -> new Read(trial, GENERATOR, figures(trial)))
                .toList();
        List<Block> blocks = new ArrayList<>();
        Stream.concat(reserves(run).stream(), alone(run).stream())
                .forEach(sentence -> blocks.add(Block.text(sentence + ".")));
        Table.Columns<Read> trials = Table.of(1, read)
                .column("trial", one -> one.trial.label())
                .column("late p99", one -> NumberFormat.latency(one.latency(LatencyKind.LATE), 99))
                .column(
                        "late max",
                        one -> NumberFormat.millis(one.latency(LatencyKind.LATE).max()))
                .latencies("backpressure ", one -> one.latency(LatencyKind.BACKPRESSURE), 99)
                .column("acked, most of a step", Read::mostAcked)
                .column("ceiling", one -> NumberFormat.rate(one.generator().ceilingPerSecond()))
                .column(
                        "CPU per record",
                        one -> NumberFormat.quantity(one.generator().cpuNanosPerRecord(), " ns"))
                .column("CPU, mean", Read::cores)
                .column("memory", one -> NumberFormat.quantity(one.generator().rssMiB(), " MiB"));
        blocks.add(pauses(trials)
                .as(
                        "t-generator",
                        "The generator in each trial, over the measured phase. CPU per record excludes rests between"
                                + " steps. Memory is the highest since the process started"));
        List<Read> workers = new ArrayList<>();
        for (Read one : read) {
            int many = Objects.requireNonNullElse(one.generator().workers(), 1);
            for (int worker = 1; worker <= many && many > 1; worker++) {
                workers.add(new Read(one.trial, GENERATOR + "-" + worker, one.figures));
            }
        }
        if (!workers.isEmpty()) {
            Table.Columns<Read> table = Table.of(2, workers)
                    .column("trial", one -> one.trial.label())
                    .column("worker", one -> one.source.substring(GENERATOR.length() + 1))
                    .column("CPU, mean", Read::cores);
            blocks.add(pauses(table).as("t-workers", "Workers; the table above adds up their CPU, memory and heap"));
        }
        blocks.addAll(clients(read));
        return blocks;
    }

    private static Table.Columns<Read> pauses(Table.Columns<Read> table) {
        return table.column("peak heap", one -> one.shown("heap.used.mib", Figure::highest, " MiB"))
                .column("total GC", one -> one.shown("gc.pause.ms", Figure::sum, " ms"))
                .column("longest pause", one -> one.shown(LONGEST, Figure::highest, " ms"));
    }

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
            return NumberFormat.quantity(count == 0 ? null : of.applyAsDouble(this), unit);
        }
    }

    private static Map<String, Figure> figures(TrialView trial) {
        Map<String, Figure> figures = new TreeMap<>();
        Map<String, Double> totals = new HashMap<>();
        for (Reading reading : trial.readings()) {
            String metric = reading.metric();
            String name = reading.source() + " " + (PAUSES.contains(metric) ? LONGEST : metric);
            double value = reading.value();
            if (Double.isNaN(value)) {
                continue;
            }
            if (metric.endsWith(TOTAL)) {
                // A new client counts from zero.
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

    private static List<Block> clients(List<Read> all) {
        List<String> names = all.stream()
                .flatMap(one -> one.figures.keySet().stream())
                .filter(name -> name.substring(0, name.lastIndexOf(' ')).startsWith("client"))
                .distinct()
                .sorted()
                .toList();
        if (names.isEmpty()) {
            return List.of();
        }
        Table.Columns<String> table = Table.of(2, names)
                .column("client", name -> name.substring(0, name.lastIndexOf(' ')))
                .column("figure", name -> name.substring(name.lastIndexOf(' ') + 1));
        for (Read one : all) {
            table.column(
                    one.trial.label(),
                    name -> one.figures
                            .getOrDefault(name, Figure.NONE)
                            .shown(name.endsWith(TOTAL) ? Figure::sum : Figure::mean, ""));
        }
        return List.of(
                table.as("t-clients", "Client metrics: mean over the measured phase, or for each -total the increase"));
    }

    static List<Block> brief(RunView run) {
        List<Block> blocks = new ArrayList<>();
        List<String> parts = new ArrayList<>();
        for (String variant : run.variants()) {
            TrialResult trial = run.median(variant).result();
            @Nullable Double used = trial.generator().used(trial.mostAckedPerSecond());
            if (used != null) {
                parts.add((run.variants().size() > 1 ? variant + " " : "") + NumberFormat.percent(used) + " of "
                        + NumberFormat.rate(trial.generator().ceilingPerSecond()));
            }
        }
        if (!parts.isEmpty()) {
            blocks.add(Block.text("generator used " + String.join(", ", parts) + ", its ceiling (null target)"));
        }
        alone(run).forEach(sentence -> blocks.add(Block.text(sentence)));
        return blocks;
    }

    private static List<String> reserves(RunView run) {
        List<String> sentences = new ArrayList<>();
        for (String variant : run.variants()) {
            TrialResult trial = run.median(variant).result();
            String sentence = reserve(trial);
            if (!sentence.isEmpty()) {
                boolean named = run.variants().size() > 1 && trial.generator().ceilingPerSecond() != null;
                sentences.add(named ? variant + ": " + sentence : sentence);
            }
        }
        return sentences.stream().distinct().toList();
    }

    private static String reserve(TrialResult trial) {
        GeneratorResult generator = trial.generator();
        @Nullable Double used = generator.used(trial.mostAckedPerSecond());
        String note = Objects.requireNonNullElse(generator.ceilingNote(), "");
        if (used == null) {
            return note.isEmpty() ? "" : "the generator's own ceiling: " + note;
        }
        if (used > 1) {
            return "the generator sent more than its ceiling, the rate against a null target before the trials ("
                    + NumberFormat.rate(generator.ceilingPerSecond()) + "), so the true ceiling is higher";
        }
        return "the generator sent " + NumberFormat.percent(used) + " of its ceiling on this machine ("
                + NumberFormat.rate(generator.ceilingPerSecond()) + " against a null target"
                + (note.isEmpty() ? "" : ", " + note) + ")";
    }

    private static List<String> alone(RunView run) {
        return run.results().stream()
                .map(trial -> trial.generator().alone())
                .filter(steps -> !steps.isEmpty())
                .map(GeneratorSection::alone)
                .distinct()
                .toList();
    }

    private static String alone(List<AloneResult> steps) {
        AloneResult worst = steps.stream()
                .filter(step -> !step.holds())
                .min(Comparator.comparingDouble(AloneResult::rate))
                .orElse(null);
        double late = steps.stream()
                .mapToDouble(step -> Known.orZero(step.lateP99()))
                .max()
                .orElse(0);
        double highest = steps.stream().mapToDouble(AloneResult::rate).max().orElse(0);
        return worst == null
                ? "the generator alone sustains every step, up to " + NumberFormat.rate(highest)
                        + " against a null target: late p99 " + NumberFormat.millis(late) + " at most"
                : "the generator does not sustain " + NumberFormat.rate(worst.rate())
                        + " even alone, against a null target: achieved " + NumberFormat.percent(worst.achieved())
                        + ", late p99 " + NumberFormat.millis(worst.lateP99());
    }
}
