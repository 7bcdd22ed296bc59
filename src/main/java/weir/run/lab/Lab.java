package weir.run.lab;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import weir.cluster.Cluster;
import weir.cluster.FaultInjection;
import weir.cluster.admin.Coordinators;
import weir.cluster.admin.Topics;
import weir.host.FreeDiskSpace;
import weir.host.Host;
import weir.host.HostUnavailable;
import weir.host.Journal;
import weir.host.MachineResources;
import weir.measure.Canary;
import weir.measure.LoadListener;
import weir.measure.Reading;
import weir.plan.ClusterSpec;
import weir.plan.PlacedSpec;
import weir.plan.TopicSpec;
import weir.plan.Variant;
import weir.probe.WatchedProcess;
import weir.results.value.HostFacts;
import weir.worker.Bridge;
import weir.worker.BridgeStart;
import weir.worker.Worker;
import weir.worker.WorkerJvm;

/**
 * The environment of a run: time, clusters, workers, probes. {@link ProcessLab} starts processes; tests use fakes with
 * their own clock.
 */
public interface Lab extends AutoCloseable {
    interface ProbeActivity extends Activity {
        void watch(WatchedProcess process);

        /** The records for these topics that all brokers counted as incoming; empty if a broker does not answer. */
        OptionalLong messagesIn(List<String> topics);
    }

    interface ProcessActivity extends Activity {
        long pid();
    }

    /** An activity that ends by itself. Closing it earlier cancels its later steps; {@code done} then never completes. */
    interface Operation extends Activity {
        CompletableFuture<Void> done();
    }

    interface Opener {
        Lab open(Consumer<String> notes);
    }

    interface Activity extends AutoCloseable {
        @Override
        void close();

        /** Joins two activities; {@code next} is closed even if closing this one fails. */
        default Activity andThen(Activity next) {
            return () -> {
                try (next) {
                    close();
                }
            };
        }
    }

    long nanos();

    Instant wall();

    /** Calls {@code look} once a second, on a separate thread. */
    Activity everySecond(Runnable look);

    /** Calls {@code act} at this time, unless closed earlier, on a thread that blocks no other work. */
    Activity at(long nanos, Runnable act);

    Journal journal();

    void fetch(String release);

    Cluster cluster(ClusterSpec spec, FaultInjection faults, Path logs);

    Cluster sink(Path logs);

    Topics topics(Cluster cluster, UnaryOperator<String> naming);

    /** The faults of a plan's topics on the cluster, by topic. Creates no topic. */
    SortedMap<String, String> refused(Cluster cluster, Map<String, TopicSpec> topics);

    /** A sentence with the reason why an external cluster has no coordinator; empty if it has one. */
    String uncoordinated(Cluster cluster, Coordinators.Kind kind, String key);

    /**
     * Connects to the hosts of workers, and waits until all hosts are usable.
     *
     * @throws HostUnavailable if a host is unusable
     */
    void connect(PlacedSpec.Hosts placed, String version);

    /** The resources of a connected host with this name; an empty name is this machine. */
    MachineResources machine(String host);

    /** The IP address at which these hosts reach this machine. */
    String address(PlacedSpec.Hosts placed);

    /** A worker for one trial; after {@code limit}, other machines kill their workers, even without contact. */
    Worker worker(PlacedSpec placed, WorkerJvm jvm, int processes, Path folder, Duration limit, LoadListener listener);

    List<HostFacts> otherHosts(Variant variant, Cluster cluster);

    /**
     * Samples the other machines of a trial and their brokers once a second. The machines must be connected.
     *
     * @param lost receives the name of a lost machine and the reason, on a separate thread
     */
    Activity sampleOtherHosts(
            Variant variant, Cluster cluster, long originNanos, LoadListener listener, BiConsumer<String, String> lost);

    /** The shared worker of a search's trials, whose JVM keeps its compiled code. */
    Worker warmWorker(WorkerJvm jvm, Path log, LoadListener listener);

    boolean warm();

    void closeWarmWorker();

    /**
     * Starts the servers between the load and Kafka, and waits until they accept connections. After {@code limit},
     * other machines kill them.
     */
    Bridge bridge(BridgeStart trial, Duration limit);

    /** The null target of an engine outside Kafka. */
    Bridge nullServer(Path folder);

    /**
     * Samples this machine and its brokers once a second, and reads the metrics of other brokers.
     *
     * @param metrics addresses of the metrics of other brokers
     * @param unseen receives each broker whose metrics became unreadable and the reason, on a separate thread
     */
    ProbeActivity probes(
            Cluster cluster,
            List<String> metrics,
            Path data,
            long originNanos,
            Consumer<Reading> out,
            BiConsumer<String, String> unseen);

    List<TrialExtension> companions(TrialExtension.Stage stage);

    /** Starts a process of a disturbance on a connected host; an empty {@code host} is this machine. */
    ProcessActivity process(String host, String name, Function<Host, ProcessActivity> start);

    List<Canary> canaries(Path disk);

    FreeDiskSpace diskRoom(Path folder);

    @Override
    void close();
}
