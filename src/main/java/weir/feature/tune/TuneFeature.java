package weir.feature.tune;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import weir.cli.FlagPlan;
import weir.cli.SearchCommand;
import weir.feature.Feature;
import weir.feature.tune.TuneResult.Effect;
import weir.feature.tune.TuneResult.Finalist;
import weir.feature.tune.TuneResult.RatioToDefaults;
import weir.feature.tune.TuneResult.TuneTrial;
import weir.measure.Median;
import weir.report.RunView;
import weir.report.Section;
import weir.report.block.Axis;
import weir.report.block.Block;
import weir.report.block.Chart;
import weir.report.block.Table;
import weir.results.value.NumberFormat;

/** The search for the client settings on the Pareto front of throughput, latency and durability. */
public final class TuneFeature implements Feature {
    @Override
    public List<Class<?>> commands() {
        return List.of(TuneCommand.class);
    }

    @Override
    public List<Part> parts() {
        return List.of(new TuneKind(), new Section(110, "tune", "Settings", TuneSection::page, TuneSection::brief));
    }

    /** The {@code weir tune} command, which finds the best client settings without an experiment file. */
    @Command(
            name = "tune",
            header = "Find the best client settings for throughput, latency and durability.",
            footer = "Example:" + " weir tune --goal latency --budget 10m",
            description = {
                "Tries each setting in two short trials: one at full speed for throughput, and one at a common"
                        + " rate for latency. Then Weir measures the best settings and the defaults again, in turns."
                        + " The figures come only from these last trials.",
                "The answer lists the best trade-offs of throughput, latency and durability, with intervals. No"
                        + " listed setting is worse than another listed setting in all three measures. If the"
                        + " defaults are best, the answer says so.",
                "With --bootstrap-server, --max-rate is required."
            })
    static final class TuneCommand extends SearchCommand {
        private static final String PRODUCER = "load.producer.";

        enum Goal {
            THROUGHPUT(Map.of(
                    PRODUCER + "linger.ms", List.of("0", "5", "20", "100"),
                    PRODUCER + "batch.size", List.of("16384", "65536", "131072", "262144"),
                    PRODUCER + "compression.type", List.of("none", "lz4", "zstd"),
                    PRODUCER + "buffer.memory", List.of("33554432", "134217728"))),
            LATENCY(Map.of(
                    PRODUCER + "linger.ms", List.of("0", "1", "5"),
                    PRODUCER + "batch.size", List.of("4096", "16384", "65536"),
                    PRODUCER + "compression.type", List.of("none", "lz4"),
                    PRODUCER + "max.in.flight.requests.per.connection", List.of("1", "2", "5"))),
            DURABILITY(Map.of(
                    PRODUCER + "acks", List.of("0", "1", "all"),
                    PRODUCER + "linger.ms", List.of("0", "5", "20"),
                    PRODUCER + "max.in.flight.requests.per.connection", List.of("1", "5")));

            @SuppressWarnings("ImmutableEnumChecker") // An immutable map of immutable lists.
            private final Map<String, List<String>> space;

            Goal(Map<String, List<String>> space) {
                this.space = space;
            }
        }

        @Option(
                names = "--goal",
                paramLabel = "throughput|latency|durability",
                description = "Try the settings that affect this goal.")
        private @Nullable Goal goal;

        @Option(
                names = "--try",
                paramLabel = "PATH=VALUES",
                description = "Try these values of a setting, such as load.producer.linger.ms=0,10,100. It excludes"
                        + " --goal. Repeatable.")
        private List<String> values = List.of();

        @Option(
                names = "--at",
                paramLabel = "RATE",
                description = "Rate for comparing latencies (default: 50%% of capacity).")
        private String at = "";

        @Option(names = "--budget", paramLabel = "TIME", description = "Time limit of the search (default: 20m).")
        private String budget = "";

        @Option(names = "--partitions", paramLabel = "N", description = "Partitions of the topic (default: 6).")
        private String partitions = "6";

        @Override
        protected String question() {
            if (goal != null && !values.isEmpty()) {
                throw wrong("--goal and --try exclude each other; remove one of them");
            }
            return values.isEmpty()
                    ? "Which client settings serve " + goal().name().toLowerCase(Locale.ROOT) + " best?"
                    : "Which of these client settings are best?";
        }

        private Goal goal() {
            return goal == null ? Goal.THROUGHPUT : goal;
        }

        @Override
        protected String partitions() {
            return partitions;
        }

        @Override
        protected void search(FlagPlan plan) {
            plan.value("    at", "--at", at)
                    .value("    budget", "--budget", budget)
                    .add("    space:");
            (values.isEmpty() ? new TreeMap<>(goal().space) : space())
                    .forEach((path, each) -> plan.add(
                            "      " + FlagPlan.quoted(path) + ": " + each,
                            values.isEmpty() ? "--goal" : "--try " + path));
        }

        private Map<String, List<String>> space() {
            Map<String, List<String>> space = new LinkedHashMap<>();
            for (String each : values) {
                int equals = each.indexOf('=');
                if (equals < 1 || equals == each.length() - 1) {
                    throw wrong("--try: '" + each + "' is not PATH=VALUES, such as load.producer.linger.ms=0,10,100");
                }
                String path = each.substring(0, equals);
                if (space.containsKey(path)) {
                    throw wrong("--try: '" + path + "' is set twice; write all its values in one --try");
                }
                space.put(
                        path,
                        Arrays.stream(each.substring(equals + 1).split(",", -1))
                                .map(FlagPlan::quoted)
                                .toList());
            }
            return space;
        }
    }

    static final class TuneSection {
        private static final int MOST = 14;

        private TuneSection() {}

        private record Dot(SortedMap<String, String> settings, double perSecond, double millis) {}

        static List<Block> page(RunView run) {
            List<TuneResult> found = run.found().of(TuneResult.class);
            if (found.isEmpty()) {
                return List.of();
            }
            List<Block> blocks = new ArrayList<>();
            blocks.add(Block.note(
                    "Each point is one set of settings, with its throughput at full speed and its latency at a common"
                            + " rate. Short trials chose the finalists. In the finals, the finalists and the defaults"
                            + " took turns, and their figures come only from the finals. Each interval belongs to a"
                            + " ratio to the defaults. With 95 % probability, all intervals contain the true ratios."));
            for (int i = 0; i < found.size(); i++) {
                TuneResult result = found.get(i);
                String id = "t-tune-" + i;
                blocks.add(front(result, id));
                if (!result.effects().isEmpty()) {
                    blocks.add(Table.of(3, result.effects())
                            .column("setting", effect -> TunedVariant.property(effect.path()))
                            .column("value", Effect::value)
                            .column("against", Effect::against)
                            .column(
                                    result.throughput(),
                                    effect -> effect.throughput().written())
                            .column(result.latency(), effect -> effect.latency().written())
                            .as(
                                    id + "-effects",
                                    "Effect of each setting alone, over all trials, with its 95 % interval"));
                }
            }
            return blocks;
        }

        private static Block front(TuneResult result, String id) {
            List<Dot> tried = tried(result);
            if (tried.isEmpty()) {
                return Block.text(result.of() + ": " + result.reason());
            }
            List<Finalist> finalists = result.finalists().stream()
                    .filter(one -> one.perSecond() != null && one.millis() != null)
                    .toList();
            String title = result.of() + ": throughput and latency of the tried settings";
            Chart chart = new Chart(
                            title,
                            Axis.fromZero(result.throughput().replace("/s", " records/s")),
                            Axis.log(result.latency() + ", ms"))
                    .wide()
                    .height(420)
                    .key("on the front", "c1 block")
                    .key("finalist", "c2 block")
                    .key("the defaults", "c4 block")
                    .key("tried before the finals", "c3 block");
            tried.forEach(dot -> chart.dot(
                    dot.perSecond(),
                    dot.millis(),
                    "c3 small",
                    dot.settings().isEmpty() ? "the defaults" : TunedVariant.name(dot.settings())));
            List<Finalist> front = finalists.stream()
                    .filter(Finalist::front)
                    .sorted(Comparator.comparingDouble(TuneSection::perSecond))
                    .toList();
            chart.line(
                    "",
                    "c1 dashed",
                    front.stream().mapToDouble(TuneSection::perSecond).toArray(),
                    front.stream().mapToDouble(TuneSection::millis).toArray());
            finalists.forEach(one -> chart.dot(
                    perSecond(one), millis(one), one.defaults() ? "c4" : one.front() ? "c1" : "c2", one.name()));
            return chart.note(result.scope() + "; latency at " + NumberFormat.rate(result.at())
                            + (result.reason().isEmpty() ? "" : "; " + result.reason()))
                    .table(
                            result.finalists().isEmpty()
                                    ? new Table(1, "settings", result.throughput(), result.latency()).as(id, title)
                                    : finals(result).as(id, "The finals"));
        }

        private static double perSecond(Finalist one) {
            return Objects.requireNonNull(one.perSecond());
        }

        private static double millis(Finalist one) {
            return Objects.requireNonNull(one.millis());
        }

        private static Table finals(TuneResult result) {
            return Table.of(1, result.finalists())
                    .column("settings", Finalist::name, one -> "text")
                    .column("front", one -> one.front() ? "●" : "")
                    .column(result.throughput(), one -> NumberFormat.rate(one.perSecond()))
                    .column("× the defaults", one -> versus(one, one.throughput()))
                    .column(result.latency(), one -> NumberFormat.millis(one.millis()))
                    .column("× theirs", one -> versus(one, one.latency()))
                    .column(NumberFormat.CPU, one -> NumberFormat.micros(one.micros()))
                    .column("durability class", Finalist::durability, one -> "text")
                    .column("verdict", TuneSection::verdict, one -> "text")
                    .table();
        }

        private static List<Dot> tried(TuneResult result) {
            Map<SortedMap<String, String>, List<TuneTrial>> points = new LinkedHashMap<>();
            result.trials().stream()
                    .filter(one -> one.round() == 0)
                    .forEach(one -> points.computeIfAbsent(one.settings(), settings -> new ArrayList<>())
                            .add(one));
            List<Dot> dots = new ArrayList<>();
            points.forEach((settings, own) -> {
                Double rate = Median.of(own, one -> one.paced() ? null : one.perSecond());
                Double millis = Median.of(own, one -> one.paced() ? one.millis() : null);
                if (rate != null && millis != null) {
                    dots.add(new Dot(settings, rate, millis));
                }
            });
            return dots;
        }

        private static String versus(Finalist one, RatioToDefaults ratio) {
            return one.defaults() ? "" : ratio.written();
        }

        private static String verdict(Finalist one) {
            return one.defaults()
                    ? ""
                    : one.verdict().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }

        static List<Block> brief(RunView run) {
            return run.found().of(TuneResult.class).stream()
                    .<Block>map(result -> Table.of(1, result.finalists())
                            .column("", one -> (one.front() ? "* " : "  ") + one.name())
                            .column(result.throughput(), one -> NumberFormat.rate(one.perSecond()))
                            .column("×", one -> versus(one, one.throughput()))
                            .column(result.latency(), one -> NumberFormat.millis(one.millis()))
                            .column("×", one -> versus(one, one.latency()))
                            .column("verdict", TuneSection::verdict)
                            .table()
                            .most(MOST))
                    .toList();
        }
    }
}
