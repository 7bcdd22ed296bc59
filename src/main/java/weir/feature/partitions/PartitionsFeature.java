package weir.feature.partitions;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import weir.cli.FlagPlan;
import weir.cli.SearchCommand;
import weir.feature.Feature;
import weir.feature.partitions.PartitionsResult.PartitionTrial;
import weir.judge.Capacities;
import weir.report.RunView;
import weir.report.SearchSection;
import weir.report.Section;
import weir.report.TextLines;
import weir.report.block.Axis;
import weir.report.block.Block;
import weir.report.block.Chart;
import weir.report.block.Table;
import weir.results.value.Attempt;
import weir.results.value.CapacityResult;
import weir.results.value.Figures;
import weir.results.value.NumberFormat;
import weir.results.value.TrialResult;

/** The search for the number of partitions that sustains a rate. */
public final class PartitionsFeature implements Feature {
    @Override
    public List<Class<?>> commands() {
        return List.of(PartitionsCommand.class);
    }

    @Override
    public List<Part> parts() {
        return List.of(
                new PartitionsKind(),
                new Section(120, "partitions", "Partitions", PartitionsSection::page, PartitionsSection::brief));
    }

    @Command(
            name = "partitions",
            header = "Find the number of partitions for a rate.",
            footer = "Example: weir partitions --for 50k/s",
            description = {
                "T is the rate of --for. The search measures P, the rate that one partition accepts, and C, the"
                        + " rate that one consumer reads from one partition. The number of partitions is"
                        + " max(T/P, T/C), rounded up. The answer gives the number and its interval.",
                "The search also tests whether throughput grows with 1, 2, 4 and 8 partitions. Then trials at the rate"
                        + " T use the calculated number of partitions, and one partition less. If this machine cannot"
                        + " carry T, the trials use a share of T, and the report names the share.",
                "With --bootstrap-server, no trial exceeds T or --max-rate."
            })
    static final class PartitionsCommand extends SearchCommand {
        @Option(
                names = "--for",
                paramLabel = "RATE",
                required = true,
                description = "Rate T to carry, such as 10M/s or 2GB/s.")
        private String target = "";

        @Mixin
        private Limits limits = new Limits();

        @Override
        protected String question() {
            return "How many partitions carry " + target + "?";
        }

        @Override
        protected String partitions() {
            return "";
        }

        @Override
        protected void search(FlagPlan plan) {
            plan.value("    for", "--for", target);
            limits.add(plan);
        }
    }

    static final class PartitionsSection {
        private static final int MOST = 14;

        private PartitionsSection() {}

        static List<Block> page(RunView run) {
            List<PartitionsResult> found = run.found().of(PartitionsResult.class);
            if (found.isEmpty()) {
                return List.of();
            }
            Map<Integer, TrialResult> trials = SearchSection.trials(run);
            List<Block> blocks = new ArrayList<>();
            blocks.add(Block.note("T is the rate to carry. One partition accepts the rate P, and one consumer reads the"
                    + " rate C. The number of partitions is max(T/P, T/C), rounded up. The interval of this number"
                    + " follows from the intervals of P and C. The formula is right only if N partitions accept N × P."
                    + " The search tests this condition. Then the search tests the number, and one partition less."));
            for (int i = 0; i < found.size(); i++) {
                PartitionsResult result = found.get(i);
                String id = "t-partitions-" + i;
                blocks.add(calculated(result)
                        .as(id, "How many partitions “" + result.of() + "” needs for " + result.target()));
                blocks.add(Block.charts(adding(result, id + "-add")));
                if (!result.carrying().isEmpty()) {
                    blocks.add(carrying(result, trials)
                            .as(id + "-carry", "Numbers of partitions tried with the whole load"));
                }
                blocks.add(SearchSection.trace(result.producing(), id + "-one", trials));
            }
            return blocks;
        }

        private static Table calculated(PartitionsResult result) {
            CapacityResult one = result.producing();
            Table table = new Table(1, "", "rate", "95 % interval", "partitions for it");
            table.row("T, to carry", NumberFormat.rate(result.rate()), "", "");
            table.row(
                    "P, one partition accepts",
                    NumberFormat.rate(one.rate()),
                    Capacities.interval(one),
                    number(result.rate(), one.rate()));
            table.row(
                    "C, one consumer reads from one partition",
                    NumberFormat.rate(result.consuming()),
                    result.consumingLow() == null
                            ? result.consuming() == null ? NumberFormat.MISSING : "above 2 × P or 2 × T"
                            : NumberFormat.interval(result.consumingLow(), result.consumingHigh(), NumberFormat::number)
                                    .strip(),
                    number(result.rate(), result.consuming()));
            return table.row(
                    "the number", "", result.interval(), result.written().split(" ", 2)[0]);
        }

        private static String number(double target, @Nullable Double one) {
            // 30.03 means 31 partitions, so the number needs two decimals.
            return one == null ? NumberFormat.MISSING : String.format(Locale.ROOT, "%,.2f", target / one);
        }

        private static List<Block> adding(PartitionsResult result, String id) {
            List<PartitionTrial> adding = result.adding().stream()
                    .filter(one -> one.carried() != null)
                    .toList();
            if (adding.size() < 2) {
                return List.of();
            }
            double[] xs =
                    adding.stream().mapToDouble(PartitionTrial::partitions).toArray();
            double[] ys = adding.stream()
                    .mapToDouble(one -> Objects.requireNonNull(one.carried()))
                    .toArray();
            double most = xs[xs.length - 1];
            Chart chart = new Chart(
                            "Does the rate grow in proportion to the partitions?",
                            Axis.fromZero("partitions"),
                            Axis.fromZero("operations/s"))
                    .note("Trials at full speed. The numbers of producers and consumers grow with the number of "
                            + "partitions.")
                    .line("carried", "c1 solid", xs, ys)
                    .line("N times the rate of one", "c4 dashed", new double[] {0, most}, 0, ys[0] * most);
            for (int i = 0; i < xs.length; i++) {
                chart.dot(xs[i], ys[i], "c1", adding.get(i).partitions() + ": " + NumberFormat.rate(ys[i]));
            }
            return List.of(chart.table(Table.of(1, adding)
                    .column("partitions", one -> String.valueOf(one.partitions()))
                    .column("carried", one -> NumberFormat.rate(one.carried()))
                    .column("of N times the rate of one", one -> NumberFormat.percent(result.added(one)))
                    .as(id, "Rates of several partitions")));
        }

        private static Table carrying(PartitionsResult result, Map<Integer, TrialResult> trials) {
            Function<PartitionTrial, SearchSection.AttemptRow> figures = one -> new SearchSection.AttemptRow(
                    one.tried(), trials.get(one.tried().trial()));
            return Table.of(1, result.carrying())
                    .column("trial", one -> String.valueOf(one.tried().trial()))
                    .column("partitions", one -> String.valueOf(one.partitions()))
                    .column("rate", one -> NumberFormat.rate(one.tried().rate()))
                    .column(
                            "",
                            one -> SearchSection.state(one.tried()),
                            one -> "state "
                                    + (one.sustained()
                                            ? "sustained"
                                            : one.tried().outcome() == Attempt.Outcome.REFUSED ? "broken" : "degraded"))
                    .column("carried", one -> NumberFormat.rate(one.carried()))
                    .latencies("response ", one -> figures.apply(one).latency(Figures::response), 99)
                    .latencies("e2e ", one -> figures.apply(one).latency(Figures::e2e), 99)
                    .latencies("late ", one -> figures.apply(one).latency(Figures::late), 99)
                    .column("why not", one -> one.tried().why(), one -> "text")
                    .table();
        }

        static List<Block> brief(RunView run) {
            List<PartitionsResult> found = run.found().of(PartitionsResult.class);
            if (found.isEmpty()) {
                return List.of();
            }
            Table table = new Table(1, "", "partitions", "rate", "carried", TextLines.WHY).most(MOST);
            for (PartitionsResult result : found) {
                String of = found.size() > 1 ? result.of() + " " : "";
                CapacityResult one = result.producing();
                table.row(of + "P", "1", NumberFormat.rate(one.rate()), "", one.reason());
                table.row(of + "C", "1", NumberFormat.rate(result.consuming()), "", "");
                result.adding()
                        .forEach(each -> table.row(
                                of + "at full speed",
                                String.valueOf(each.partitions()),
                                "",
                                NumberFormat.rate(each.carried()),
                                ""));
                result.carrying()
                        .forEach(each -> table.row(
                                of + SearchSection.state(each.tried()),
                                String.valueOf(each.partitions()),
                                NumberFormat.rate(each.tried().rate()),
                                NumberFormat.rate(each.carried()),
                                each.tried().why()));
            }
            return List.of(table);
        }
    }
}
