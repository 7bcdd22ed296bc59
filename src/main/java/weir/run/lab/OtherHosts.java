package weir.run.lab;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import weir.host.Children;
import weir.host.Host;
import weir.plan.PlacedSpec;
import weir.probe.WatchedProcess;
import weir.results.value.HostFacts;
import weir.worker.ServerSite;
import weir.worker.Worker;
import weir.worker.WorkerJvm;
import weir.measure.LoadListener;

/** The hosts of a run other than this machine, connected once and until the run is over. */
public interface OtherHosts extends AutoCloseable {
    interface Maker {
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
        HostFacts facts(List<Integer> workers, List<Integer> brokers, List<String> others);

        /** Reports the reason once if the host is lost. */
        void onLost(Consumer<String> hears);

        /**
         * Samples the host itself each second until the result is run; one sampling at a time.
         *
         * @param originNanos second 0 of them
         * @param brokers on that host, which are sampled too
         * @param listener receives them with the source {@code host-NAME}
         */
        Runnable look(long originNanos, List<HostedBroker> brokers, LoadListener listener);

        /** Samples a process as long as the host itself. */
        void watch(String source, WatchedProcess process);

        /** @param limit the time after which its servers are killed */
        ServerSite site(Duration limit);
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

    @Override
    void close();
}
