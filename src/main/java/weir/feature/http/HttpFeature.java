package weir.feature.http;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import weir.feature.BridgeKind;
import weir.feature.Feature;
import weir.feature.http.GatewayAssignment.SinkAssignment;
import weir.host.DiskRoom;
import weir.host.MachineResources;
import weir.judge.caveat.FeatureCaveats;
import weir.load.client.ClientDeadLetters;
import weir.load.engine.Producing;
import weir.plan.BridgeSpec;
import weir.plan.LoadSpec;
import weir.plan.Variant;
import weir.plan.check.VariantCheck;
import weir.plan.syntax.Tree;
import weir.worker.Assignment;
import weir.worker.Bridge;
import weir.worker.BridgeStart;
import weir.worker.GivenBridge;
import weir.worker.MessageTransport;
import weir.worker.ServerSite;

/** An engine that sends records and events by HTTP, its gateways to Kafka, and balancers before them. */
public final class HttpFeature implements Feature, MessageTransport, BridgeKind {
    @Override
    public List<Class<?>> commands() {
        return List.of(GatewayCommand.class);
    }

    @Override
    public List<FeatureCaveats> caveats() {
        return List.of(new HttpCaveats());
    }

    @Override
    public List<MessageTransport> transports() {
        return List.of(this);
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
                new HttpEngine.Asked(
                        assignment.servers(),
                        topics,
                        load.part(HttpSpec.class).withToken(assignment.tokens().getOrDefault(HttpSpec.TOKEN, "")),
                        load.producers().count(),
                        asEvents),
                clock,
                events);
    }

    @Override
    public Receiving receiving(Assignment assignment, LoadSpec load, LongSupplier clock, Consumer<String> events) {
        Assignment.Receiving delivery = assignment.receiving();
        String parked = delivery.deadLetters();
        return new HttpReceiving(
                new HttpReceiving.Asked(
                        delivery.listen(),
                        load.part(ReceiverSpec.class)
                                .with(
                                        assignment.tokens().getOrDefault(ReceiverSpec.TOKEN, ""),
                                        Path.of(assignment.folder())),
                        assignment.seed(),
                        delivery.holders(),
                        delivery.inMemory(),
                        delivery.foreign(),
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
    public List<Class<? extends Record>> forms() {
        return List.of(
                GatewaySpec.class,
                UrlSpec.class,
                HttpSpec.class,
                ReceiverSpec.class,
                GatewayAssignment.class,
                SinkAssignment.class);
    }

    @Override
    public List<BridgeKind> bridges() {
        return List.of(this);
    }

    @Override
    public List<UnaryOperator<Tree.Section>> variantRules() {
        return List.of(EventSenders::toOthers);
    }

    @Override
    public List<VariantCheck> variantChecks() {
        return List.of((spot, variant) -> new HttpChecks(spot, variant).check());
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
        MachineResources here = MachineResources.here(DiskRoom.existing(Path.of("")));
        return variant.bridge() instanceof GatewaySpec gateway
                        && (gateway.placed().elsewhere()
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
        return why.map(said -> Map.of(path, said)).orElse(Map.of());
    }

    @Override
    public Bridge start(BridgeStart trial, Function<String, ServerSite> sites) {
        BridgeSpec asked = trial.variant().bridge();
        return asked instanceof GatewaySpec gateway
                ? GatewayBridge.start(gateway, trial, sites)
                : new GivenBridge(List.of(asked.url()));
    }
}
