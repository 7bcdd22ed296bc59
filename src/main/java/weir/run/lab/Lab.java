package weir.run.lab;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
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
 * The environment of a run: time, clusters, workers, probes. {@link ProcessLab} starts processes; tests use fakes on a
 * clock that they control.
 */
public interface Lab extends AutoCloseable {
    interface ProbeActivity extends Activity {
        void watch(WatchedProcess process);

        /** The records for these topics that all brokers counted as incoming. Empty when a broker cannot be asked. */
        OptionalLong messagesIn(List<String> topics);
    }

    /** A process that continues until it is closed. */
    interface ProcessActivity extends Activity {
        long pid();
    }

    interface Opener {
        Lab open(Consumer<String> notes);
    }

    /** An activity that continues until it is closed. */
    interface Activity extends AutoCloseable {
        @Override
        void close();

        /** Joins two activities; {@code next} is closed even when closing this one fails. */
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

    /** Calls {@code look} once a second, on a thread of its own. */
    Activity everySecond(Runnable look);

    /**
     * Calls {@code act} at this time of the steady clock, unless closed before, on a thread that blocks no other work.
     */
    Activity at(long nanos, Runnable act);

    Journal journal();

    void fetch(String release);

    Cluster cluster(ClusterSpec spec, FaultInjection faults, Path logs);

    Cluster sink(Path logs);

    Topics topics(Cluster cluster, UnaryOperator<String> naming);

    /** The faults of the topics of a plan that the cluster would report, by topic. No topic is created. */
    SortedMap<String, String> refused(Cluster cluster, Map<String, TopicSpec> topics);

    /** The reason, as a sentence, why a cluster that is not ours has no coordinator; empty if it has one. */
    String uncoordinated(Cluster cluster, Coordinators.Kind kind, String key);

    /**
     * Connects to the hosts on which workers are placed; returns when all hosts can be used.
     *
     * @param version the version of Weir
     * @throws HostUnavailable when a host cannot be used
     */
    void connect(PlacedSpec.Hosts placed, String version);

    /** The resources of a connected host with this name; an empty name is this machine. */
    MachineResources machine(String host);

    /** The IP address at which these hosts reach this machine. */
    String address(PlacedSpec.Hosts placed);

    /**
     * A worker for one trial.
     *
     * @param limit the time after which those on another machine are killed there, even without contact to this one
     */
    Worker worker(PlacedSpec placed, WorkerJvm jvm, int processes, Path folder, Duration limit, LoadListener listener);

    List<HostFacts> otherHosts(Variant variant, Cluster cluster);

    /**
     * Samples the other machines of a trial and their brokers once a second. The machines must be connected.
     *
     * @param lost receives the name of a lost machine and the reason, on a separate thread
     */
    Activity sampleOtherHosts(
            Variant variant, Cluster cluster, long originNanos, LoadListener listener, BiConsumer<String, String> lost);

    /** The worker that the trials of a search share, so that its JVM keeps its compiled code. */
    Worker warmWorker(WorkerJvm jvm, Path log, LoadListener listener);

    boolean warm();

    void closeWarmWorker();

    /**
     * Starts the servers between the load and Kafka; returns when they accept connections.
     *
     * @param limit the time after which servers on another machine are killed there
     */
    Bridge bridge(BridgeStart trial, Duration limit);

    /** The null target of an engine outside Kafka. */
    Bridge nullServer(Path folder);

    /**
     * Samples this machine and its brokers once a second, and reads the metrics of brokers elsewhere.
     *
     * @param metrics addresses of the metrics of brokers elsewhere
     * @param unseen receives each broker whose metrics cannot be read any more and the reason, on a separate thread
     */
    ProbeActivity probes(
            Cluster cluster,
            List<String> metrics,
            Path data,
            long originNanos,
            Consumer<Reading> out,
            BiConsumer<String, String> unseen);

    /** The extensions that features add to a trial, attached to its processes. */
    List<TrialExtension> companions(TrialExtension.Stage stage);

    /** Starts a process of a disturbance on a connected host; an empty {@code host} is this machine. */
    ProcessActivity process(String host, String name, Function<Host, ProcessActivity> start);

    List<Canary> canaries(Path disk);

    FreeDiskSpace diskRoom(Path folder);

    @Override
    void close();
}
