package weir.worker;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import weir.feature.Feature;
import weir.feature.Features;
import weir.host.MachineResources;
import weir.load.engine.Consuming;
import weir.load.engine.LogView;
import weir.load.engine.Producing;
import weir.plan.BridgeSpec;
import weir.plan.HttpSpec;
import weir.plan.LoadSpec;
import weir.plan.property.ResolvedSecrets;

/** A feature's way for messages beside Kafka's protocol: its engines, its servers, and the bridges to Kafka. */
public interface MessageTransport {
    /** The transport of {@code engine: http}. */
    static MessageTransport http() {
        return Features.first(Feature::transports, "engine http");
    }

    /** A reader that is the log of its messages, too. */
    interface Receiving extends Consuming, LogView {}

    /**
     * Returns an engine that sends.
     *
     * @param topics names on the cluster, in the order of their indexes; without meaning for events
     * @param asEvents true when each message is an event
     */
    Producing sending(
            Assignment assignment,
            LoadSpec load,
            List<String> topics,
            boolean asEvents,
            LongSupplier clock,
            Consumer<String> events);

    Receiving receiving(Assignment assignment, LoadSpec load, LongSupplier clock, Consumer<String> events);

    /** Starts the server of an assignment; returns what ends it. */
    Runnable serve(ServerAssignment assignment) throws IOException;

    /**
     * Starts gateways and their balancers; returns when all of them can be connected to.
     *
     * @param sites the machines by the names of hosts; this one by an empty name
     * @param producer all properties of the gateways' producers, secrets resolved
     * @param folder of the trial, for their logs and configurations
     */
    Bridge gateways(
            Function<String, ServerSite> sites,
            BridgeSpec.Gateway asked,
            SortedMap<String, String> producer,
            List<String> classPath,
            ResolvedSecrets secrets,
            Path folder);

    /** Starts a server that answers each request at once, and keeps nothing. */
    Bridge sink(ServerSite here, Path folder);

    /** The programs that the balancers need and this machine lacks, one line each. */
    List<String> missing(BridgeSpec.Gateway asked, MachineResources machine);

    /** The reason why the user's balancer configuration cannot be used; empty if there is none of either. */
    Optional<String> refused(BridgeSpec.Gateway asked);

    /** The reason why a server cannot be sent to; empty if there is none. */
    Optional<String> unreachable(String url, HttpSpec http);
}
