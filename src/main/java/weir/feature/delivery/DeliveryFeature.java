package weir.feature.delivery;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import weir.feature.BridgeKind;
import weir.feature.Feature;
import weir.feature.http.HttpFeature;
import weir.host.MachineResources;
import weir.judge.ProbeSeries;
import weir.judge.TrialFiles;
import weir.judge.caveat.CaveatCollector;
import weir.judge.caveat.FeatureCaveats;
import weir.judge.trial.JudgedTrial.EventHops;
import weir.measure.Count;
import weir.measure.Known;
import weir.plan.BridgeSpec;
import weir.plan.check.VariantCheck;
import weir.plan.syntax.CaveatType;
import weir.plan.syntax.Origin;
import weir.plan.syntax.Tree;
import weir.plan.syntax.VariantRule;
import weir.report.RunView;
import weir.report.Section;
import weir.report.TrialView;
import weir.report.block.Block;
import weir.report.block.Table;
import weir.results.TrialFolder;
import weir.results.value.HopResult;
import weir.results.value.NumberFormat;
import weir.results.value.StepResult;
import weir.results.value.TrialResult;
import weir.worker.Bridge;
import weir.worker.BridgeStart;
import weir.worker.ServerSite;

/** The delivery of events through processes: ingress, channel, filter and source. */
public final class DeliveryFeature implements Feature, BridgeKind {
    private static final String SOURCE = "kafka-source";
    private static final String HTTP = "http";
    private static final double TOLERABLE = 0.05;

    @Override
    public List<Class<? extends Record>> forms() {
        return List.of(PathSpec.class, EventProcessSettings.class);
    }

    @Override
    public List<Part> parts() {
        return List.of(
                (EventHops) HopCalculation::of,
                new Section(170, "hops", "Where the time goes", DeliveryFeature::hops, DeliveryFeature::hopsInBrief),
                new DeliveryCaveats(),
                (VariantRule) DeliveryFeature::sent,
                (VariantCheck) (spot, variant) -> new DeliveryChecks(spot, variant).check());
    }

    private static Tree.Section sent(Tree.Section tree) {
        String path = tree.section("bridge").text("path");
        return path.isEmpty()
                ? tree
                : HttpFeature.connected(path.equals(SOURCE) ? sentByClient(tree) : tree, "path " + path);
    }

    /** The tree for a Kafka source, where a Kafka client writes the events and HTTP only receives them. */
    private static Tree.Section sentByClient(Tree.Section tree) {
        Tree engine = tree.section("load").entries().get("engine");
        if (engine == null || !HttpFeature.sendingEngine(tree.section("load")).equals(HTTP)) {
            return tree;
        }
        Origin origin = engine.origin().in("path " + SOURCE);
        Tree.Section sides = engine instanceof Tree.Section each ? each : Tree.Section.empty(origin);
        sides = sides.with("send", new Tree.Text("client", true, origin));
        sides = engine instanceof Tree.Section ? sides : sides.with("receive", new Tree.Text(HTTP, true, origin));
        return tree.with("load", tree.section("load").with("engine", sides));
    }

    @Override
    public boolean makes(BridgeSpec asked) {
        return asked instanceof PathSpec;
    }

    @Override
    public List<String> servers() {
        return DeliveryChecks.PROCESSES;
    }

    @Override
    public List<String> missing(BridgeSpec asked, String host, MachineResources machine) {
        return machine.missing(asked.within(), Path.of(""));
    }

    @Override
    public Bridge start(BridgeStart trial, Function<String, ServerSite> sites) {
        return LocalEventProcesses.start((PathSpec) trial.variant().bridge(), trial, sites.apply(""));
    }

    private static List<Block> hops(RunView run) {
        if (withHops(run).isEmpty()) {
            return List.of();
        }
        List<Block> blocks = new ArrayList<>();
        blocks.add(
                Block.note(
                        "Each row is one part of the time from the due time of an event to its receipt. The figures are of the "
                                + (run.repeats() ? "median " : "")
                                + "trial of each variant, at the lowest rate of the load. If all parts measure the same events, the sum of the"
                                + " means is the mean e2e. An arrow (→) is the time until a process has received a whole request. Writing ends"
                                + " with Kafka's acknowledgement. Fetching ends when a process has read the event from Kafka. If the process is"
                                + " faster than the acknowledgement, fetching is negative. Waiting ends when the next request is written."));
        int number = 0;
        for (TrialView trial : withHops(run)) {
            double whole = meanE2e(trial);
            double sum =
                    trial.result().hops().stream().mapToDouble(HopResult::mean).sum();
            StepResult step = trial.result().slowestRising();
            blocks.add(Table.of(1, trial.result().hops())
                    .column("", HopResult::name)
                    .column("mean", hop -> NumberFormat.millis(hop.mean()))
                    .column("share of e2e", hop -> NumberFormat.share(hop.mean() / whole))
                    .column("p99 of the worst second", hop -> NumberFormat.millis(hop.worst()))
                    .column("events", hop -> NumberFormat.count(hop.count()))
                    .table()
                    .row(
                            "sum, with a mean e2e of " + NumberFormat.millis(whole),
                            NumberFormat.millis(sum),
                            NumberFormat.share(sum / whole),
                            NumberFormat.MISSING,
                            NumberFormat.MISSING)
                    .as(
                            "t-hops-" + number++,
                            trial.label() + (step == null ? "" : " at " + NumberFormat.rate(step.rate()))));
            double off = sum / whole - 1;
            if (Math.abs(off) > TOLERABLE) {
                blocks.add(Block.warning("The sum of all parts is " + NumberFormat.share(Math.abs(off))
                        + (off > 0 ? " more" : " less")
                        + " than the mean e2e, because the parts did not all measure the same events."));
            }
        }
        return blocks;
    }

    private static List<Block> hopsInBrief(RunView run) {
        return withHops(run).stream()
                .<Block>map(trial -> Block.text(trial.result().variant() + ", parts of the mean e2e of "
                        + NumberFormat.millis(meanE2e(trial)) + ": "
                        + trial.result().hops().stream()
                                .map(hop -> hop.name() + " " + NumberFormat.millis(hop.mean()))
                                .collect(Collectors.joining(", "))))
                .toList();
    }

    private static List<TrialView> withHops(RunView run) {
        return run.variants().stream()
                .map(run::median)
                .filter(trial -> !trial.result().hops().isEmpty())
                .toList();
    }

    private static double meanE2e(TrialView trial) {
        StepResult step = trial.result().slowestRising();
        return Known.orNaN(step == null ? null : step.figures().e2e().mean());
    }

    /** The caveats about rejected, dropped or filtered events on the path, including warm-up and drain. */
    static final class DeliveryCaveats implements FeatureCaveats {
        private static final CaveatType CHANNEL_FULL = CaveatType.named("channel-full");
        private static final CaveatType EVENTS_DROPPED = CaveatType.named("events-dropped");

        private static final String DROPPED = "events.dropped";
        private static final String FILTERED = "events.filtered";

        @Override
        public void ofTrial(TrialFiles files, TrialResult result, CaveatCollector caveats) {
            if (!result.steps().isEmpty()) {
                add(files.readings(), result.figures().count(Count.LOST), caveats);
            }
        }

        /** @param lost number of lost messages of the measured phase in the ledger; null without a ledger */
        static void add(ProbeSeries readings, @Nullable Long lost, CaveatCollector caveats) {
            String ledger = "these counts include warm-up and drain, but the ledger counts only the measured phase"
                    + (lost == null ? "" : ": " + NumberFormat.count(lost));
            long full = total(readings, "events.full");
            caveats.addIf(full > 0, "", CHANNEL_FULL, full);
            long dropped = total(readings, DROPPED);
            if (dropped > 0) {
                caveats.addAs("dropped", EVENTS_DROPPED, dropped, total(readings, "events.retried"), ledger);
            }
            long filtered = total(readings, FILTERED);
            caveats.addIf(filtered > 0, "filtered", EVENTS_DROPPED, filtered, ledger);
        }

        @Override
        public long dropped(TrialFolder folder) {
            ProbeSeries drops =
                    ProbeSeries.of(folder, (source, metric) -> metric.equals(DROPPED) || metric.equals(FILTERED));
            return total(drops, DROPPED) + total(drops, FILTERED);
        }

        private static long total(ProbeSeries readings, String metric) {
            return DeliveryChecks.PROCESSES.stream()
                    .mapToLong(process -> readings.growth(process, metric, metric, 0, Double.MAX_VALUE)
                            .count())
                    .sum();
        }
    }
}
