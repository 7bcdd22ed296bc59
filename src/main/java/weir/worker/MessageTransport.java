package weir.worker;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import weir.feature.Feature;
import weir.feature.Features;
import weir.load.engine.Consuming;
import weir.load.engine.LogView;
import weir.load.engine.Producing;
import weir.plan.LoadSpec;

/** A feature that transports messages over another protocol than Kafka's: its engines, and their null target. */
public interface MessageTransport extends Feature.Part {
    /** The transport of this build for another protocol than Kafka's. */
    static MessageTransport known() {
        return Features.first(MessageTransport.class, "engine outside Kafka");
    }

    /** A reader that is also the log of its messages. */
    interface Receiving extends Consuming, LogView {}

    /**
     * Returns an engine that sends.
     *
     * @param topics the names on the cluster, in the order of their indexes; unused for events
     * @param asEvents true if each message is an event
     */
    Producing sending(
            Assignment assignment,
            LoadSpec load,
            List<String> topics,
            boolean asEvents,
            LongSupplier clock,
            Consumer<String> events);

    Receiving receiving(Assignment assignment, LoadSpec load, LongSupplier clock, Consumer<String> events);

    /** Starts a server that answers each request immediately and stores nothing. */
    Bridge sink(ServerSite here, Path folder);
}
