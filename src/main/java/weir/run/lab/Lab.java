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

        /** Records that all brokers counted as incoming for these topics; empty when one cannot be asked. */
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

    /** The faults that a cluster finds in the topics of a plan, by topic; it creates none of them. */
    SortedMap<String, String> refused(Cluster cluster, Map<String, TopicSpec> topics);

    /** The reason, as a sentence, why a cluster that is not ours has no coordinator; empty if it has one. */
    String uncoordinated(Cluster cluster, Coordinators.Kind kind, String key);

    /**
     * Reaches the hosts on which workers are placed; returns when all can be used.
     *
     * @param version of Weir
     * @throws HostUnavailable when one of them cannot
     */
    void connect(PlacedSpec.Hosts placed, String version);

    /** The resources of a connected host by its name, or of this machine by an empty name. */
    MachineResources machine(String host);

    /** The IP address of this machine as these hosts see it. */
    String address(PlacedSpec.Hosts placed);

    /**
     * A worker for one trial.
     *
     * @param limit the time after which those on another machine are killed there, even without contact to this one
     */
    Worker worker(PlacedSpec placed, WorkerJvm jvm, int processes, Path folder, Duration limit, LoadListener listener);

    List<HostFacts> otherHosts(Variant variant, Cluster cluster);

    /**
     * Looks at the other machines of a trial once a second, which are connected, and at the brokers there.
     *
     * @param lost receives the name of a lost machine, and why, on a thread of its own
     */
    Activity sampleOtherHosts(
            Variant variant, Cluster cluster, long originNanos, LoadListener listener, BiConsumer<String, String> lost);

    /** The worker that the trials of a search share, so that its JVM keeps its compiled code. */
    Worker warmWorker(WorkerJvm jvm, Path log, LoadListener listener);

    boolean warm();

    void closeWarmWorker();

    /**
     * The processes of a trial's bridge; returns when they can be connected to.
     *
     * @param limit the time after which those on another machine are killed there
     */
    Bridge bridge(BridgeStart trial, Duration limit);

    /** The null target of an engine outside Kafka. */
    Bridge nullServer(Path folder);

    /**
     * Looks at the machine and at the brokers here once a second, and reads the metrics of others.
     *
     * @param metrics addresses of the metrics of brokers elsewhere
     * @param unseen receives brokers whose metrics cannot be read any more, and why, on a thread of its own
     */
    ProbeActivity probes(
            Cluster cluster,
            List<String> metrics,
            Path data,
            long originNanos,
            Consumer<Reading> out,
            BiConsumer<String, String> unseen);

    /** The parts of all abilities in a trial, attached to its processes. */
    List<TrialExtension> companions(TrialExtension.Stage stage);

    /** Starts a process of a disturbance on a connected host, or on this machine by an empty name. */
    ProcessActivity process(String host, String name, Function<Host, ProcessActivity> start);

    List<Canary> canaries(Path disk);

    FreeDiskSpace diskRoom(Path folder);

    @Override
    void close();
}
