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
import weir.measure.LoadListener;
import weir.plan.PlacedSpec;
import weir.plan.Variant;
import weir.probe.WatchedProcess;
import weir.results.value.HostFacts;
import weir.worker.ServerSite;
import weir.worker.Worker;
import weir.worker.WorkerJvm;

/** The hosts of a run other than this machine, connected once and until the run is over. */
public interface OtherHosts extends AutoCloseable {
    /** Set by {@code bench/probes} alone, which measures the cost of the probes. */
    boolean UNPROBED = Boolean.getBoolean("weir.unprobed");

    interface Maker extends Feature.Part {
        /**
         * Makes them; none is connected.
         *
         * @param clock of the run
         * @param pods makes hosts that are pods
         * @param notes receives lines about steps that need the user or take a while
         */
        OtherHosts make(Children children, LongSupplier clock, HostStarter pods, Consumer<String> notes);
    }

    /** A host with a process of Weir on it, until it is lost. */
    interface OtherHost extends Host {
        /** Samples a process as long as the host itself. */
        void watch(WatchedProcess process);

        /** A site of servers, which are killed after this limit. */
        ServerSite site(Duration limit);
    }

    /** The running brokers of a host, which is empty for this machine. */
    static List<WatchedProcess> brokers(Cluster cluster, String host) {
        return cluster.brokers().stream()
                .filter(broker -> broker.pid() > 0 && broker.host().equals(host))
                .map(broker -> new WatchedProcess(
                        WatchedProcess.Kind.BROKER, "broker-" + broker.id(), host, broker.pid(), broker.data()))
                .toList();
    }

    /**
     * Returns when all hosts are connected and their clocks are known; connected hosts stay connected.
     *
     * @param version of Weir
     * @throws weir.host.HostUnavailable when one of them cannot be used
     */
    void connect(PlacedSpec.Hosts placed, String version);

    /**
     * The IP address of this machine as the hosts see it.
     *
     * @throws weir.host.HostUnavailable when there is no route to them
     */
    String address(PlacedSpec.Hosts placed);

    OtherHost host(String name);

    Worker start(
            PlacedSpec.Hosts placed, WorkerJvm jvm, int workers, Path folder, Duration limit, LoadListener listener);

    /** The hosts on which parts of a variant run. */
    List<HostFacts> facts(Variant variant, Cluster cluster);

    /** Samples the hosts of a trial, as {@link Lab#sampleOtherHosts} does. */
    Lab.Activity sample(
            Variant variant, Cluster cluster, long originNanos, LoadListener listener, BiConsumer<String, String> lost);

    @Override
    void close();
}
