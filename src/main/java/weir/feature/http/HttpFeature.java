package weir.feature.http;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import weir.feature.Feature;
import weir.host.MachineResources;
import weir.judge.caveat.FeatureCaveats;
import weir.load.client.ClientDeadLetters;
import weir.load.engine.Producing;
import weir.plan.BridgeSpec;
import weir.plan.HttpSpec;
import weir.plan.LoadSpec;
import weir.plan.property.ResolvedSecrets;
import weir.worker.Assignment;
import weir.worker.Bridge;
import weir.worker.MessageTransport;
import weir.worker.ServerAssignment;
import weir.worker.ServerSite;

/** An engine that sends records and events by HTTP, its gateways to Kafka, and balancers before them. */
public final class HttpFeature implements Feature, MessageTransport {
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
                        load.producers().http().withToken(assignment.producer().getOrDefault(Assignment.TOKEN, "")),
                        load.producers().count(),
                        asEvents),
                clock,
                events);
    }

    @Override
    public Receiving receiving(Assignment assignment, LoadSpec load, LongSupplier clock, Consumer<String> events) {
        Assignment.EventDelivery delivery = assignment.delivery();
        String parked = delivery.deadLetters();
        return new HttpReceiving(
                new HttpReceiving.Asked(
                        delivery.listen(),
                        load.consumers().receiver().with(delivery.token(), Path.of(assignment.folder())),
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
    public Runnable serve(ServerAssignment assignment) throws IOException {
        if (assignment instanceof ServerAssignment.Sink sink) {
            return HttpSink.start(sink.port())::close;
        }
        if (assignment instanceof ServerAssignment.Gateway gateway) {
            GatewaySettings settings = new GatewaySettings(
                    gateway.host(),
                    gateway.port(),
                    gateway.producer(),
                    gateway.answer(),
                    GatewaySettings.LIMITS,
                    gateway.vouched(),
                    "",
                    Optional.empty());
            return Gateway.start(settings)::close;
        }
        throw new AssertionError("a server of an unknown kind: " + assignment);
    }

    @Override
    public Bridge gateways(
            Function<String, ServerSite> sites,
            BridgeSpec.Gateway asked,
            SortedMap<String, String> producer,
            List<String> classPath,
            ResolvedSecrets secrets,
            Path folder) {
        return GatewayBridge.start(sites, asked, producer, classPath, secrets, folder);
    }

    @Override
    public Bridge sink(ServerSite here, Path folder) {
        return GatewayBridge.sink(here, folder);
    }

    @Override
    public List<String> missing(BridgeSpec.Gateway asked, MachineResources machine) {
        return GatewayBridge.missing(asked, machine);
    }

    @Override
    public Optional<String> refused(BridgeSpec.Gateway asked) {
        return GatewayBridge.refused(asked);
    }

    @Override
    public Optional<String> unreachable(String url, HttpSpec http) {
        return HttpEngine.unreachable(url, http);
    }
}
