package weir.feature.http;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import weir.feature.BridgeKind;
import weir.feature.Feature;
import weir.feature.http.HttpSink.SinkAssignment;
import weir.host.FreeDiskSpace;
import weir.host.MachineResources;
import weir.judge.ProbeSeries;
import weir.judge.TrialFiles;
import weir.judge.caveat.CaveatCollector;
import weir.judge.caveat.FeatureCaveats;
import weir.judge.caveat.RunCaveats;
import weir.load.client.ClientDeadLetters;
import weir.load.engine.Producing;
import weir.measure.Count;
import weir.measure.Known;
import weir.measure.Median;
import weir.plan.BridgeSpec;
import weir.plan.LoadSpec;
import weir.plan.RecordKeys;
import weir.plan.Variant;
import weir.plan.check.VariantCheck;
import weir.plan.syntax.CaveatType;
import weir.plan.syntax.Origin;
import weir.plan.syntax.Tree;
import weir.plan.syntax.VariantRule;
import weir.results.value.Event;
import weir.results.value.NumberFormat;
import weir.results.value.TrialEnd;
import weir.results.value.TrialResult;
import weir.worker.Assignment;
import weir.worker.Bridge;
import weir.worker.BridgeStart;
import weir.worker.GivenBridge;
import weir.worker.MessageTransport;
import weir.worker.ServerSite;

/** The HTTP engine for records and events, gateways to Kafka, and balancers in front of gateways. */
public final class HttpFeature implements Feature, MessageTransport, BridgeKind {
    /** The default number of connections for events. It suffices for 10,000 a second if each answer takes 6 ms. */
    private static final String CONNECTIONS = "64";

    @Override
    public List<Class<?>> commands() {
        return List.of(GatewayCommand.class);
    }

    @Override
    public List<Class<? extends Record>> forms() {
        return List.of(
                GatewaySpec.class,
                UrlSpec.class,
                HttpSpec.class,
                ReceiverSpec.class,
                GatewaySettings.class,
                SinkAssignment.class);
    }

    @Override
    public List<Part> parts() {
        return List.of(new HttpCaveats(), (VariantRule) HttpFeature::toOthers, (VariantCheck)
                (spot, variant) -> new HttpChecks(spot, variant).check());
    }

    @Override
    public Producing sending(
            Assignment assignment,
            LoadSpec load,
            List<String> topics,
            boolean asEvents,
            LongSupplier clock,
            Consumer<String> events) {
        return new HttpEngine(
                HttpSettings.of(
                        assignment.servers(),
                        topics,
                        RecordKeys.with(
                                load.part(HttpSpec.class),
                                Map.of("token", assignment.tokens().getOrDefault(HttpSpec.TOKEN, ""))),
                        load.producers().count(),
                        asEvents),
                clock,
                events);
    }

    @Override
    public Receiving receiving(Assignment assignment, LoadSpec load, LongSupplier clock, Consumer<String> events) {
        String parked = assignment.receiving().deadLetters();
        return new HttpReceiving(
                new HttpReceiving.Asked(
                        assignment.receiving(),
                        load.part(ReceiverSpec.class)
                                .with(
                                        assignment.tokens().getOrDefault(ReceiverSpec.TOKEN, ""),
                                        Path.of(assignment.folder())),
                        assignment.seed(),
                        assignment.worker() == 0,
                        parked.isEmpty()
                                ? Optional.empty()
                                : Optional.of(new ClientDeadLetters(assignment.client(), parked, clock, events))),
                clock);
    }

    @Override
    public Bridge sink(ServerSite here, Path folder) {
        return GatewayBridge.sink(here, folder);
    }

    @Override
    public boolean makes(BridgeSpec asked) {
        return asked instanceof GatewaySpec || asked instanceof UrlSpec;
    }

    @Override
    public List<String> servers() {
        return List.of("gateway [1-9][0-9]{0,3}");
    }

    @Override
    public List<String> missing(BridgeSpec asked, String host, MachineResources machine) {
        List<String> lines = new ArrayList<>();
        if (asked instanceof GatewaySpec gateway) {
            machine.missing(gateway.within(), Path.of("")).forEach(line -> lines.add("gateway." + line));
            if (gateway.placed().of(0).equals(host)) {
                lines.addAll(GatewayBridge.missing(gateway, machine));
            }
        }
        return lines;
    }

    @Override
    public Map<String, String> refused(Variant variant) {
        MachineResources here = MachineResources.here(FreeDiskSpace.existing(Path.of("")));
        return variant.bridge() instanceof GatewaySpec gateway
                        && (gateway.placed().remote()
                                || GatewayBridge.missing(gateway, here).isEmpty())
                ? at("bridge.config", GatewayBridge.refused(gateway))
                : Map.of();
    }

    @Override
    public Map<String, String> unreachable(Variant variant) {
        return variant.bridge() instanceof UrlSpec server
                ? at(
                        "bridge.url",
                        HttpEngine.unreachable(server.url(), variant.load().part(HttpSpec.class)))
                : Map.of();
    }

    private static Map<String, String> at(String path, Optional<String> why) {
        return why.map(problem -> Map.of(path, problem)).orElse(Map.of());
    }

    @Override
    public Bridge start(BridgeStart trial, Function<String, ServerSite> sites) {
        BridgeSpec asked = trial.variant().bridge();
        return asked instanceof GatewaySpec gateway
                ? GatewayBridge.start(gateway, trial, sites)
                : new GivenBridge(List.of(asked.url()));
    }

    /** Sets the default number of connections if another system delivers the messages as events. */
    private static Tree.Section toOthers(Tree.Section tree) {
        Tree.Section bridge = tree.section("bridge");
        boolean others = bridge.entries().isEmpty() || bridge.has("url");
        return others && !tree.section("load").text("listen").isEmpty() ? connected(tree, "load.listen") : tree;
    }

    /** Sets the default number of connections; {@code by} is the setting that makes the messages events. */
    public static Tree.Section connected(Tree.Section tree, String by) {
        Tree.Section load = tree.section("load");
        Tree connections = load.entries().get("connections");
        boolean isDefault = connections != null && connections.origin().text().equals("default");
        return isDefault && sendingEngine(load).equals("http")
                ? tree.with("load", load.with("connections", new Tree.Text(CONNECTIONS, true, Origin.unwritten(by))))
                : tree;
    }

    /** Returns the engine that sends; empty if the load names none. */
    public static String sendingEngine(Tree.Section load) {
        return load.entries().get("engine") instanceof Tree.Section each ? each.text("send") : load.text("engine");
    }

    static final class HttpCaveats implements FeatureCaveats {
        private static final CaveatType SERVERS_TAKEN_OUT = CaveatType.named("servers-taken-out");
        private static final CaveatType CONNECTIONS_NOT_KEPT = CaveatType.named("connections-not-kept");
        private static final CaveatType SLOW_PATH = CaveatType.named("slow-path");

        private static final double KEPT = 0.1;
        private static final double TENTH = 0.1;

        @Override
        public void ofTrial(TrialFiles files, TrialResult result, CaveatCollector caveats) {
            List<Event> out = files.folder().events().stream()
                    .filter(event -> event.name().endsWith(Event.SERVERS)
                            && !event.text().contains(" is UP"))
                    .toList();
            if (!out.isEmpty()) {
                Event first = out.get(0);
                String more = out.size() > 1 ? ", and " + (out.size() - 1) + " more" : "";
                caveats.add(SERVERS_TAKEN_OUT, first.name(), first.second(), first.text(), more);
            }
            if (!result.steps().isEmpty()) {
                connections(files, result, caveats);
            }
        }

        private static void connections(TrialFiles files, TrialResult result, CaveatCollector caveats) {
            ProbeSeries readings = files.readings();
            TrialEnd.Measured measured = files.end().measured();
            SortedMap<Long, Double> totals =
                    readings.sums("client", "producer.connection-creation-total", measured.from(), measured.to());
            double opened = totals.isEmpty()
                    ? 0
                    : Objects.requireNonNull(totals.get(totals.lastKey()))
                            - Objects.requireNonNull(totals.get(totals.firstKey()));
            double perRequest =
                    readings.mean("client", "producer.records-per-request-avg", measured.from(), measured.to());
            double requests = result.figures().orZero(Count.ACKED) / perRequest;
            if (requests > 0 && opened > requests * KEPT) {
                double retransmitted = files.conditions().hosts().stream()
                        .flatMap(
                                host -> readings
                                        .sums(host.source(), "tcp.retransmits", measured.from(), measured.to())
                                        .values()
                                        .stream())
                        .mapToDouble(Double::doubleValue)
                        .sum();
                caveats.add(CONNECTIONS_NOT_KEPT, opened, requests, retransmitted);
            }
        }

        /** Reports a path below a tenth of another path's throughput as broken: healthy servers cost far less. */
        @Override
        public void ofRun(RunCaveats run) {
            for (List<String> pair : run.pairs()) {
                List<String> slowest = new ArrayList<>(pair);
                slowest.sort(Comparator.comparingDouble(variant -> acked(variant, run.trials())));
                double slow = acked(slowest.get(0), run.trials());
                double fast = acked(slowest.get(1), run.trials());
                boolean bridged = run.experiment().variants().stream()
                        .filter(variant -> pair.contains(variant.name()))
                        .noneMatch(variant -> variant.bridge().none());
                if (bridged && slow < fast * TENTH) {
                    run.caveats()
                            .add(
                                    SLOW_PATH,
                                    slowest.get(0),
                                    NumberFormat.rate(slow),
                                    slowest.get(1),
                                    NumberFormat.rate(fast));
                }
            }
        }

        private static double acked(String variant, List<TrialResult> trials) {
            return Known.orNaN(Median.of(
                    TrialResult.ofVariant(variant, trials),
                    trial -> trial.figures().ackedPerSecond()));
        }
    }

    public record UrlSpec(String url) implements BridgeSpec {
        @Override
        public boolean queued() {
            return true;
        }

        @Override
        public String ackedNote() {
            return "Weir did not start the server of bridge.url, so acked means answered with 2xx by that server";
        }
    }
}
