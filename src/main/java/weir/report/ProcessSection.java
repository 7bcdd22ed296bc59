package weir.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.judge.LoadCurve;
import weir.judge.ProbeSeries;
import weir.judge.trial.HostFigures;
import weir.measure.Known;
import weir.measure.Median;
import weir.report.block.Block;
import weir.report.block.Table;
import weir.results.value.DisturbanceResult;
import weir.results.value.HostFacts;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;
import weir.results.value.TrialResult;

/** The report sections about processes and machines: resources per variant, CPU per record, and hosts. */
final class ProcessSection {
    private static final String GENERATOR = "generator";
    private static final String BROKER = "broker";
    private static final String MEMORY = "memory.rss.mib";
    private static final String HEAP = "heap.used.mib";
    private static final String FILES = "files.open";
    private static final Set<String> METRICS = Set.of(MEMORY, HEAP, FILES);
    private static final String BATCH = "producer.batch-size-avg";
    private static final List<String> USUAL = List.of(GENERATOR, BROKER);
    private static final int MOST_HOSTS = 6;

    private static final double GIB = 1 << 30;

    private ProcessSection() {}

    static boolean isPart(String source, String metric) {
        return METRICS.contains(metric) && (source.startsWith(GENERATOR) || source.startsWith(BROKER));
    }

    private record Column(String name, Function<List<Seen>, String> cell) {
        static Column of(
                String name, Function<Seen, @Nullable Double> figure, Function<@Nullable Double, String> written) {
            return new Column(name, trials -> written.apply(Median.of(trials, figure)));
        }
    }

    private record Seen(TrialResult trial, ProbeSeries readings) {
        @Nullable Double most(String source, String metric) {
            return readings.sums(source, metric, trial.from(), trial.to()).values().stream()
                    .max(Comparator.naturalOrder())
                    .orElse(null);
        }

        /** Returns the longest recovery. A disturbance without an end counts to the end of the trial. */
        @Nullable Double recovery() {
            return Known.most(trial.disturbances(), DisturbanceResult::recovery);
        }
    }

    private static final List<Column> COLUMNS = List.of(
            Column.of("carried", seen -> seen.trial.figures().carriedPerSecond(), NumberFormat::rate),
            new Column(
                    "response p99",
                    trials -> NumberFormat.latency(
                            LatencyResult.median(
                                    trials, seen -> seen.trial.figures().response()),
                            99)),
            Column.of(
                    "mean batch",
                    seen -> Known.of(seen.readings.mean("client", BATCH, seen.trial.from(), seen.trial.to())),
                    bytes -> NumberFormat.quantity(bytes, " B")),
            Column.of("generator memory", seen -> seen.most(GENERATOR, MEMORY), ProcessSection::mebibytes),
            Column.of("generator heap", seen -> seen.most(GENERATOR, HEAP), ProcessSection::mebibytes),
            Column.of("broker memory", seen -> seen.most(BROKER, MEMORY), ProcessSection::mebibytes),
            Column.of("broker heap", seen -> seen.most(BROKER, HEAP), ProcessSection::mebibytes),
            Column.of("open files", seen -> seen.most(BROKER, FILES), NumberFormat::number),
            Column.of("recovery", Seen::recovery, NumberFormat::seconds));

    private static String mebibytes(@Nullable Double mebibytes) {
        return NumberFormat.quantity(mebibytes, " MiB");
    }

    static List<Block> page(RunView run) {
        if (run.variants().size() < 2) {
            return List.of();
        }
        List<List<Seen>> seen = run.variants().stream()
                .map(variant -> run.of(variant).stream()
                        .map(trial -> new Seen(trial.result(), ProbeSeries.of(trial.readings())))
                        .toList())
                .toList();
        Table.Columns<List<Seen>> table = Table.of(1, seen)
                .column("variant", trials -> trials.get(0).trial.variant());
        List<Column> known = COLUMNS.stream()
                .filter(column -> seen.stream()
                        .anyMatch(trials -> !column.cell.apply(trials).equals(NumberFormat.MISSING)))
                .toList();
        known.forEach(column -> table.column(column.name, column.cell));
        List<String> together = Stream.of("memory", "heap", "open files")
                .filter(what -> known.stream().anyMatch(column -> column.name.endsWith(what)))
                .toList();
        String sums = together.isEmpty()
                ? ""
                : "" + NumberFormat.listed(together)
                        + ": all processes of a kind together, in the measured second with the highest sum.";
        return List.of(
                Block.note("Rates and latencies are those of the measured phase. "
                        + (run.repeats() ? "The median over the trials of a variant. " : "") + sums),
                table.as("t-processes", "Resources of each variant"));
    }

    private static boolean costs(TrialResult trial) {
        return (trial.delivered() && !trial.cpu().isEmpty())
                || trial.cpu().keySet().stream().anyMatch(kind -> !USUAL.contains(kind));
    }

    static List<Block> cpu(RunView run) {
        if (run.results().stream().noneMatch(ProcessSection::costs)) {
            return List.of();
        }
        List<Block> blocks = new ArrayList<>();
        blocks.add(Block.note("The table has microseconds of CPU per record, and bytes of heap if a process reports the"
                + " heap. A figure adds up all processes of one kind, and is the mean of the trials of a variant. Only"
                + " sustained rising steps count. If all processes share the cores of one machine, the ratios of rates"
                + " equal the ratios of these sums."));
        List<String> none = notSustained(run);
        if (!none.isEmpty()) {
            blocks.add(Block.note("Over all steps, because no step was sustained: " + NumberFormat.listed(none) + "."));
        }
        List<Cost> rows = new ArrayList<>();
        for (String variant : run.variants()) {
            rows.add(new Cost(variant, "CPU", means(run, variant, TrialResult::cpu), NumberFormat::micros));
            SortedMap<String, Double> heap = means(run, variant, TrialResult::allocated);
            if (!heap.isEmpty()) {
                rows.add(new Cost(variant, "heap", heap, bytes -> NumberFormat.number(Math.rint(bytes)) + " B"));
            }
        }
        Table.Columns<Cost> table =
                Table.of(2, rows).column("variant", Cost::variant).column("", Cost::what);
        run.results().stream()
                .flatMap(trial -> trial.cpu().keySet().stream())
                .distinct()
                .sorted()
                .forEach(kind -> table.column(kind, cost -> cost.of(kind)));
        table.column("all", Cost::sum);
        blocks.add(table.as("t-cpu", "CPU per record"));
        return blocks;
    }

    static List<Block> briefCpu(RunView run) {
        if (run.results().stream().noneMatch(ProcessSection::costs)) {
            return List.of();
        }
        List<Block> blocks = new ArrayList<>();
        for (String variant : run.variants()) {
            List<String> parts = new ArrayList<>();
            means(run, variant, TrialResult::cpu)
                    .forEach((kind, micros) -> parts.add(kind + " " + NumberFormat.micros(micros)));
            String all = notSustained(run).contains(variant) ? " (over all steps, because none was sustained)" : "";
            blocks.add(Block.text("CPU per record, " + variant + ": " + String.join(", ", parts) + all));
        }
        return blocks;
    }

    private static List<String> notSustained(RunView run) {
        return run.variants().stream()
                .filter(variant -> run.of(variant).stream()
                        .map(trial -> LoadCurve.of(variant, List.of(trial.result())))
                        .anyMatch(curve ->
                                !curve.points().isEmpty() && curve.sustained().isEmpty()))
                .toList();
    }

    private record Cost(String variant, String what, SortedMap<String, Double> means, DoubleFunction<String> written) {
        String of(String kind) {
            Double mean = means.get(kind);
            return mean == null ? NumberFormat.MISSING : written.apply(mean);
        }

        String sum() {
            return written.apply(
                    means.values().stream().mapToDouble(mean -> mean).sum());
        }
    }

    private static SortedMap<String, Double> means(
            RunView run, String variant, Function<TrialResult, SortedMap<String, Double>> costs) {
        return run.of(variant).stream()
                .flatMap(trial -> costs.apply(trial.result()).entrySet().stream())
                .collect(Collectors.groupingBy(
                        Map.Entry::getKey, TreeMap::new, Collectors.averagingDouble(Map.Entry::getValue)));
    }

    private record Placed(TrialView trial, HostFigures figures) {}

    static List<Block> hosts(RunView run) {
        if (run.trials().isEmpty() || run.machine().hosts().isEmpty()) {
            return List.of();
        }
        List<Placed> placed = new ArrayList<>();
        for (TrialView trial : run.trials()) {
            HostFigures.of(trial.folder(), trial.result(), trial::readings)
                    .forEach(host -> placed.add(new Placed(trial, host)));
        }
        Table machines = Table.of(4, run.machine().hosts())
                .column("host", HostFacts::name)
                .column("machine", HostFacts::machine)
                .column("system", HostFacts::system)
                .column("Java", HostFacts::java)
                .column("processors", host -> String.valueOf(host.processors()))
                .column(
                        "installed memory",
                        host -> host.memoryBytes() == 0
                                ? NumberFormat.MISSING
                                : NumberFormat.number(host.memoryBytes() / GIB) + " GiB")
                .as("t-machines", "The machines");
        return List.of(
                Block.note("In the column late, the value of a host is the highest value of its workers."),
                figures(Table.of(2, placed)
                                .column("trial", one -> one.trial.label())
                                .column("host", one -> one.figures.host().name()))
                        .as("t-hosts", "Hosts in each trial"),
                machines);
    }

    static List<Block> briefHosts(RunView run) {
        List<Block> blocks = new ArrayList<>();
        for (String variant : run.variants()) {
            TrialView trial = run.median(variant);
            List<Placed> hosts =
                    HostFigures.of(
                                    trial.folder(),
                                    trial.result(),
                                    () -> trial.folder().readings(HostFigures::isPart))
                            .stream()
                            .map(host -> new Placed(trial, host))
                            .toList();
            if (!hosts.isEmpty()) {
                String head = run.variants().size() > 1 ? "hosts, " + variant : "hosts";
                blocks.add(figures(Table.of(1, hosts)
                                .column(head, one -> one.figures.host().name()))
                        .table()
                        .most(MOST_HOSTS));
            }
        }
        return blocks;
    }

    private static Table.Columns<Placed> figures(Table.Columns<Placed> hosts) {
        return hosts.column("runs", one -> runs(one.figures.host()))
                .column(
                        "load, mean",
                        one -> loads(one) ? NumberFormat.rate(one.figures.perSecond()) : NumberFormat.MISSING)
                .column("share of load", one -> {
                    Double share = one.figures.share();
                    return percent(loads(one) && share != null ? 100 * share : null);
                })
                .column("CPU busy", one -> percent(one.figures.busy()))
                .column("stolen", one -> percent(one.figures.stolen()))
                .column("waiting for a CPU", one -> percent(one.figures.waiting()))
                .column("late p99", one -> NumberFormat.millis(one.figures.late()))
                .column(
                        "clock error",
                        one -> one.figures.clockError() == null
                                ? NumberFormat.MISSING
                                : "± " + NumberFormat.millis(one.figures.clockError()));
    }

    private static boolean loads(Placed one) {
        return !one.figures.host().workers().isEmpty();
    }

    private static String runs(HostFacts host) {
        List<String> runs = new ArrayList<>();
        if (!host.workers().isEmpty()) {
            runs.add(counted(host.workers().size(), "worker"));
        }
        if (!host.brokers().isEmpty()) {
            runs.add(counted(host.brokers().size(), "broker"));
        }
        runs.addAll(host.others());
        return runs.isEmpty() ? NumberFormat.MISSING : String.join(", ", runs);
    }

    private static String counted(int many, String what) {
        return many + " " + what + (many == 1 ? "" : "s");
    }

    private static String percent(@Nullable Double percent) {
        return percent == null ? NumberFormat.MISSING : String.format(Locale.ROOT, "%.1f %%", percent);
    }
}
