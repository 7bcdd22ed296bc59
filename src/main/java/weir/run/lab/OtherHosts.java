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

/** The hosts of a run other than this machine. Each is connected once and stays connected until the run is over. */
public interface OtherHosts extends AutoCloseable {
    /** A switch that turns the probes off. Only {@code bench/probes} sets it, to measure the cost of the probes. */
    boolean UNPROBED = Boolean.getBoolean("weir.unprobed");

    interface Maker extends Feature.Part {
        /**
         * Makes the hosts without connecting to them.
         *
         * @param clock the clock of the run
         * @param pods starts hosts that are pods
         * @param notes receives lines for the user about steps that need the user's help or take long
         */
        OtherHosts make(Children children, LongSupplier clock, HostStarter pods, Consumer<String> notes);
    }

    /** A host with a process of Weir on it, until it is lost. */
    interface OtherHost extends Host {
        /** Samples a process for as long as the host is sampled. */
        void watch(WatchedProcess process);

        /** A starter of servers on this host; the host kills them after this limit. */
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
     * Connects the hosts that are not connected yet and measures their clocks.
     *
     * @param version the version of Weir
     * @throws weir.host.HostUnavailable when a host cannot be used
     */
    void connect(PlacedSpec.Hosts placed, String version);

    /**
     * The IP address at which the hosts reach this machine.
     *
     * @throws weir.host.HostUnavailable when there is no route to the hosts
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
