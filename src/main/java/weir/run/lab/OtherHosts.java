package weir.run.lab;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import weir.cluster.Cluster;
import weir.feature.Feature;
import weir.host.Children;
import weir.host.Host;
import weir.host.HostUnavailable;
import weir.measure.LoadListener;
import weir.plan.PlacedSpec;
import weir.plan.Variant;
import weir.probe.WatchedProcess;
import weir.results.value.HostFacts;
import weir.worker.ServerSite;
import weir.worker.Worker;
import weir.worker.WorkerJvm;

/** The other hosts of a run. Each is connected once and stays connected until the end of the run. */
public interface OtherHosts extends AutoCloseable {
    /** A switch for a run without probes. Only {@code bench/probes} sets it, to measure the cost of the probes. */
    boolean UNPROBED = Boolean.getBoolean("weir.unprobed");

    interface Maker extends Feature.Part {
        /**
         * Makes the hosts without connecting to them.
         *
         * @param notes receives lines for the user about actions that need the user's help or take long
         */
        OtherHosts make(Children children, LongSupplier clock, HostStarter pods, Consumer<String> notes);
    }

    /** A host with a process of Weir, until the host is lost. */
    interface OtherHost extends Host {
        void watch(WatchedProcess process);

        /** A starter of servers on this host, which kills them after this limit. */
        ServerSite site(Duration limit);
    }

    /** The running brokers of a host; an empty {@code host} is this machine. */
    static List<WatchedProcess> brokers(Cluster cluster, String host) {
        return cluster.brokers().stream()
                .filter(broker -> broker.pid() > 0 && broker.host().equals(host))
                .map(broker -> new WatchedProcess(
                        WatchedProcess.Kind.BROKER, "broker-" + broker.id(), host, broker.pid(), broker.data()))
                .toList();
    }

    /**
     * Connects the unconnected hosts and measures their clocks.
     *
     * @throws weir.host.HostUnavailable if a host is unusable
     */
    void connect(PlacedSpec.Hosts placed, String version);

    /**
     * The IP address at which the hosts reach this machine.
     *
     * @throws weir.host.HostUnavailable without a route to the hosts
     */
    String address(PlacedSpec.Hosts placed);

    OtherHost host(String name);

    Worker start(
            PlacedSpec.Hosts placed, WorkerJvm jvm, int workers, Path folder, Duration limit, LoadListener listener);

    List<HostFacts> facts(Variant variant, Cluster cluster);

    Lab.Activity sample(
            Variant variant, Cluster cluster, long originNanos, LoadListener listener, BiConsumer<String, String> lost);

    @Override
    void close();

    /** A starter of Weir's agents on hosts that are pods. */
    interface HostStarter {
        HostStarter NONE = new HostStarter() {
            @Override
            public void start(List<String> names, String conductor, Path token) {
                throw new HostUnavailable("only a run in a pod can create pods");
            }

            @Override
            public String lossReason(String name) {
                return "";
            }
        };

        /**
         * Starts an agent for each of these names; returns shortly before they connect.
         *
         * @param conductor HOST:PORT for the agents' connection
         * @param token the file that identifies an agent
         * @throws HostUnavailable if an agent cannot be started
         */
        void start(List<String> names, String conductor, Path token);

        /** The reason for the loss of a host according to its creator, such as Kubernetes; empty if unknown. */
        String lossReason(String name);
    }
}
