package weir.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import weir.cluster.Broker;
import weir.cluster.Cluster;
import weir.cluster.ClusterUnavailable;
import weir.cluster.FaultInjection;
import weir.cluster.Impairment;
import weir.cluster.NodeDeath;
import weir.cluster.admin.ConsumerGroups;
import weir.cluster.admin.Coordinators;
import weir.cluster.admin.Topics;
import weir.cluster.admin.Topics.BrokerObserver;
import weir.cluster.admin.Topics.TopicPartitionLeader;
import weir.cluster.admin.Topics.TransactionalIds;
import weir.host.FakeMachine;
import weir.host.FreeDiskSpace;
import weir.host.Host;
import weir.host.HostUnavailable;
import weir.host.Journal;
import weir.host.MachineResources;
import weir.host.ProcessAction;
import weir.measure.Canary;
import weir.measure.LoadListener;
import weir.measure.Reading;
import weir.plan.BridgeSpec;
import weir.plan.ClusterSpec;
import weir.plan.DisturbanceSpec;
import weir.plan.LoadSpec;
import weir.plan.PlacedSpec;
import weir.plan.TopicSpec;
import weir.plan.Variant;
import weir.plan.property.Property;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.probe.Footprint;
import weir.probe.WatchedProcess;
import weir.results.RunResult;
import weir.results.value.HostFacts;
import weir.run.lab.Lab;
import weir.run.lab.TrialExtension;
import weir.worker.Bridge;
import weir.worker.BridgeStart;
import weir.worker.Worker;
import weir.worker.WorkerJvm;

/**
 * A lab without processes. Its clock advances only while a fake worker plays a load. Planned events of a second happen
 * between two messages.
 */
public final class FakeLab implements Lab {
    static final long SECOND = 1_000_000_000L;
    static final String SINK = "127.0.0.1:2";
    private static final Instant EPOCH = Instant.parse("2026-01-01T00:00:00Z");

    private final Path state;
    private final List<Runnable> looks = new ArrayList<>();
    LongSupplier appended = () -> 0;
    private final Map<String, Runnable> events = new HashMap<>();
    private final PriorityQueue<Due> dues = new PriorityQueue<>(Comparator.comparingLong(Due::nanos));
    private long nanos = 1_000 * SECOND;

    /** Records per second that the cluster accepts, and that a load at full speed sends. */
    public double capacity = 50_000;

    /** Number of partitions up to which throughput grows in proportion; 1 if all together accept no more than one. */
    public int adding = 1;

    /** Factor of the capacity for a variant. */
    public ToDoubleFunction<Variant> factor = variant -> 1;

    /** Delay with which the generator sends the messages of measured steps. */
    Duration late = Duration.ZERO;

    /** Records per second that one consumer reads from the log. */
    public double reading = 1e6;

    /** Acknowledged records that are missing when they are read back. */
    public int loses;

    /** Reason why no cluster is available; empty if one is. */
    String unavailable = "";
    /** The release that no repository has. */
    String unfetched = "";
    /** Reason why a host cannot be used; empty if all can. */
    String unreachable = "";
    /** The resources of this machine and of all others. */
    public FakeMachine machine = FakeMachine.large();

    /** Reason why no topic is deleted; empty if all are. */
    String undeleted = "";

    /** Reason why topics cannot be made; empty if they can. */
    String refuses = "";

    long diskRoom = 1L << 40;

    /** Properties that the brokers do not know. */
    List<String> unknown = List.of();

    /** The names of topics that were made and not deleted. */
    final Set<String> topics = new TreeSet<>();

    /** Extensions that features add to a trial. */
    public Function<TrialExtension.Stage, List<TrialExtension>> companions = stage -> List.of();

    /** Number of trials with a worker that other trials used before or after. */
    public int lent;

    /** Receives a lost host and the reason. */
    @Nullable BiConsumer<String, String> losing;

    final List<Duration> limits = new ArrayList<>();

    /** Drain limit of the last load; {@code verified} is true if the load was read back. */
    Duration drained = Duration.ZERO;

    boolean verified;

    List<TopicPartitionLeader> underReplicated = List.of();

    /** The leader of each partition. */
    List<Integer> leaders = List.of(1, 2, 3);

    public final List<String> acts = new ArrayList<>();
    /** The number of received records that the brokers report. */
    OptionalLong messagesIn = OptionalLong.empty();

    /** A broker whose exporter dies when a trial begins; empty for none. */
    public String unseen = "";

    final List<FakeCluster> clusters = new ArrayList<>();
    static final Duration NOTICED = Duration.ofMillis(1_300);
    static final Duration CAUGHT_UP = Duration.ofMillis(700);
    /** The closed views of exporters. */
    final List<String> views = new ArrayList<>();

    /** @param state folder for its journal */
    public FakeLab(Path state) {
        this.state = state;
    }

    /** A listener that gives every question the same answer. */
    public static RunListener listener(boolean agrees, Consumer<String> notes) {
        return new RunListener() {
            @Override
            public boolean agrees(String question) {
                return agrees;
            }

            @Override
            public void note(String text) {
                notes.accept(text);
            }
        };
    }

    /** Runs a plan with its files in a folder, and adds the notes of the run to {@code noted}. */
    public RunResult run(Path dir, String plan, List<String> noted) throws IOException {
        Path file = Files.writeString(dir.resolve("e.yaml"), "name: e\n" + plan);
        RunOptions options =
                new RunOptions(dir.resolve("runs"), false, 0, 0, RunOptions.NEW, "test", "weir run e.yaml");
        return new Runner(PlanReader.read(file, Overrides.NONE), options, listener(false, noted::add), notes -> this)
                .run();
    }

    public void loses(String host, String why) {
        Objects.requireNonNull(losing).accept(host, why);
        clusters.get(0).isLost();
    }

    /** The actions on the brokers of each cluster. */
    public List<List<String>> clusterActs() {
        return clusters.stream().map(cluster -> List.copyOf(cluster.acts)).toList();
    }

    /** Adds an event in this second of a trial, counted from the beginning of its load. */
    public void in(int trial, int second, Runnable event) {
        events.put(trial + "@" + second, event);
    }

    /** Advances the clock, and runs the events that are due until then. */
    public void passes(long until) {
        for (Due next = dues.poll(); next != null; next = dues.poll()) {
            if (next.nanos > until) {
                dues.add(next);
                break;
            }
            nanos = Math.max(nanos, next.nanos);
            next.act.run();
        }
        nanos = Math.max(nanos, until);
    }

    private record Due(long nanos, Runnable act) {}

    @Override
    public Activity at(long when, Runnable act) {
        Due due = new Due(when, act);
        dues.add(due);
        return () -> dues.remove(due);
    }

    void second(int trial, long second) {
        List.copyOf(looks).forEach(Runnable::run);
        happens(trial, second);
    }

    /** Second 0 is the preparation of a trial. */
    void happens(int trial, long second) {
        Runnable event = events.remove(trial + "@" + second);
        if (event != null) {
            event.run();
        }
    }

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public Instant wall() {
        return EPOCH.plusNanos(nanos);
    }

    @Override
    public Activity everySecond(Runnable look) {
        looks.add(look);
        return () -> looks.remove(look);
    }

    @Override
    public Journal journal() {
        return Journal.open(state);
    }

    @Override
    public void fetch(String release) {
        if (release.equals(unfetched)) {
            throw new ClusterUnavailable(release + " cannot be fetched");
        }
    }

    @Override
    public Cluster cluster(ClusterSpec spec, FaultInjection faults, Path logs) {
        if (!unavailable.isEmpty()) {
            throw new ClusterUnavailable(unavailable);
        }
        FakeCluster cluster = new FakeCluster("127.0.0.1:1", spec.startedByWeir(), () -> nanos);
        cluster.faults = faults;
        cluster.spec = spec;
        clusters.add(cluster);
        return cluster;
    }

    @Override
    public Cluster sink(Path logs) {
        return new FakeCluster(SINK, true);
    }

    @Override
    public Topics topics(Cluster cluster, UnaryOperator<String> naming) {
        return new FakeTopics(this, naming);
    }

    @Override
    public String uncoordinated(Cluster cluster, Coordinators.Kind kind, String key) {
        return "";
    }

    @Override
    public SortedMap<String, String> refused(Cluster cluster, Map<String, TopicSpec> topics) {
        SortedMap<String, String> refused = new TreeMap<>();
        if (!refuses.isEmpty()) {
            topics.keySet().forEach(topic -> refused.put(topic, refuses));
        }
        return refused;
    }

    @Override
    public void connect(PlacedSpec.Hosts placed, String version) {
        acts.add("connect " + placed.names());
        if (!unreachable.isEmpty()) {
            throw new HostUnavailable(unreachable);
        }
    }

    @Override
    public MachineResources machine(String host) {
        return machine;
    }

    @Override
    public String address(PlacedSpec.Hosts placed) {
        return "10.9.8.7";
    }

    @Override
    public List<HostFacts> otherHosts(Variant variant, Cluster cluster) {
        LoadSpec load = variant.load();
        return load.placed() instanceof PlacedSpec.Hosts hosts
                ? hosts.names().stream()
                        .map(name -> new HostFacts(
                                name,
                                "",
                                8,
                                1L << 33,
                                "",
                                "17",
                                PlacedSpec.on(name, hosts, load.processes()),
                                List.of(),
                                variant.others(name::equals)))
                        .toList()
                : List.of();
    }

    @Override
    public Activity sampleOtherHosts(
            Variant variant,
            Cluster cluster,
            long originNanos,
            LoadListener listener,
            BiConsumer<String, String> lost) {
        losing = lost;
        return () -> {};
    }

    @Override
    public Worker worker(
            PlacedSpec placed, WorkerJvm jvm, int processes, Path folder, Duration limit, LoadListener listener) {
        limits.add(limit);
        return new FakeWorker(this, listener);
    }

    @Override
    public Worker warmWorker(WorkerJvm jvm, Path log, LoadListener listener) {
        lent++;
        return new FakeWorker(this, listener);
    }

    @Override
    public boolean warm() {
        return false;
    }

    @Override
    public void closeWarmWorker() {
        // Nothing is warm.
    }

    @Override
    public Bridge bridge(BridgeStart trial, Duration limit) {
        BridgeSpec asked = trial.variant().bridge();
        return bridge(asked.instances() > 0 ? asked.instances() + " gateways" : "the bridge");
    }

    @Override
    public Bridge nullServer(Path folder) {
        return bridge("1 gateways");
    }

    private Bridge bridge(String what) {
        acts.add("start " + what);
        return new Bridge() {
            @Override
            public List<String> urls() {
                return List.of("http://127.0.0.1:1");
            }

            @Override
            public List<WatchedProcess> processes() {
                return List.of(new WatchedProcess(WatchedProcess.Kind.JVM, "gateway-1", "", 1));
            }

            @Override
            public String receiver() {
                return "127.0.0.1:2";
            }

            @Override
            public List<String> holders() {
                return List.of("http://127.0.0.1:1");
            }

            @Override
            public void act(ProcessAction action, DisturbanceSpec.Server server) {
                acts.add(action + " " + server.text());
            }

            @Override
            public void close() {
                acts.add("end " + what);
            }
        };
    }

    @Override
    public ProbeActivity probes(
            Cluster cluster,
            List<String> metrics,
            Path data,
            long originNanos,
            Consumer<Reading> out,
            BiConsumer<String, String> unseen) {
        if (!this.unseen.isEmpty()) {
            unseen.accept(this.unseen, "http://exporter/metrics: it answered with HTTP 503");
        }
        return new ProbeActivity() {
            @Override
            public void watch(WatchedProcess process) {
                acts.add("look at " + process.source());
            }

            @Override
            public OptionalLong messagesIn(List<String> topics) {
                messagesIn.ifPresent(count -> acts.add("count " + String.join(" ", topics)));
                return messagesIn;
            }

            @Override
            public void close() {
                // There are no readings.
            }
        };
    }

    @Override
    public List<TrialExtension> companions(TrialExtension.Stage stage) {
        return companions.apply(stage);
    }

    @Override
    public ProcessActivity process(String host, String name, Function<Host, ProcessActivity> start) {
        acts.add(name + on(host));
        return new ProcessActivity() {
            @Override
            public long pid() {
                return 1;
            }

            @Override
            public void close() {
                acts.add("end " + name + on(host));
            }
        };
    }

    private static String on(String host) {
        return host.isEmpty() ? "" : " on " + host;
    }

    /** Returns the CPU use of all processes in the lab. */
    Footprint footprint() {
        return new Footprint(nanos / (double) SECOND, 100, 100);
    }

    @Override
    public List<Canary> canaries(Path disk) {
        return List.of(new Canary(Canary.ALL_CORES, "M steps/s", true, 0.1, List.of(100.0, 100.0, 100.0)));
    }

    @Override
    public FreeDiskSpace diskRoom(Path folder) {
        return new FreeDiskSpace(folder, diskRoom);
    }

    @Override
    public void close() {
        // Each test checks the remains itself.
    }

    /** A broker of Weir, which dies when the test says so. */
    static final class FakeCluster implements Cluster {
        FaultInjection faults = FaultInjection.NONE;

        @Nullable ClusterSpec spec;

        private final String bootstrap;
        private final boolean startedByWeir;
        private @Nullable Consumer<NodeDeath> listener;
        private boolean dead;
        boolean closed;

        final List<String> acts = new ArrayList<>();

        /** Reason why brokers cannot be disturbed; empty if they can. */
        String inert = "";

        /** Times at which brokers went and came back. */
        private final Map<Integer, Long> down = new HashMap<>();

        private final Map<Integer, Long> up = new HashMap<>();
        private final LongSupplier clock;

        FakeCluster(String bootstrap, boolean ours) {
            this(bootstrap, ours, () -> 0);
        }

        FakeCluster(String bootstrap, boolean ours, LongSupplier clock) {
            this.bootstrap = bootstrap;
            this.startedByWeir = ours;
            this.clock = clock;
        }

        /** Others take over {@link #NOTICED} after its end. It is in sync {@link #CAUGHT_UP} after its return. */
        private BrokerObserver.ReplicaCounts standing(int broker) {
            long now = clock.getAsLong();
            long went = down.getOrDefault(broker, Long.MAX_VALUE);
            long came = up.getOrDefault(broker, Long.MAX_VALUE);
            return new BrokerObserver.ReplicaCounts(
                    now - NOTICED.toNanos() >= went ? 0 : 1, now - CAUGHT_UP.toNanos() >= came ? 0 : 1);
        }

        void dies() {
            ends(137, "broker-1.log");
        }

        void diesOnAFullDisk() {
            ends(1, "/proc/broker-1.log");
        }

        /** The host is lost, so the end of the broker is not visible. */
        void isLost() {
            ends(-1, "broker-1.log");
        }

        private void ends(int code, String log) {
            dead = true;
            if (listener != null) {
                listener.accept(new NodeDeath(
                        "broker-1", 1, "4.4.0", code, Duration.ofSeconds(5), Path.of(log), List.of("Killed")));
            }
        }

        @Override
        public String bootstrap() {
            return bootstrap;
        }

        @Override
        public SortedMap<String, String> clientProperties() {
            return new TreeMap<>(Map.of("bootstrap.servers", bootstrap()));
        }

        @Override
        public String id() {
            return "fake";
        }

        @Override
        public String version() {
            return "4.3.1";
        }

        @Override
        public List<Broker> brokers() {
            return List.of();
        }

        @Override
        public boolean startedByWeir() {
            return startedByWeir;
        }

        @Override
        public boolean gone() {
            return dead;
        }

        @Override
        public void onDeath(Consumer<NodeDeath> listener) {
            this.listener = listener;
        }

        @Override
        public void act(ProcessAction action, int broker) {
            if (!inert.isEmpty()) {
                throw new ClusterUnavailable(inert);
            }
            acts.add(action + " " + broker);
            boolean back = action == ProcessAction.RESTART || action == ProcessAction.RESUME;
            (back ? up : down).put(broker, clock.getAsLong());
        }

        @Override
        public Impairment impair(DisturbanceSpec.Network asked) {
            return impair("NETWORK", asked.broker());
        }

        @Override
        public Impairment impair(DisturbanceSpec.Disk asked) {
            return impair("DISK", asked.broker());
        }

        private Impairment impair(String what, int broker) {
            acts.add("WORSEN " + what + " " + broker);
            return () -> acts.add("MEND " + what + " " + broker);
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    /** Topics that exist as soon as a test asks for them. */
    private record FakeTopics(FakeLab lab, UnaryOperator<String> naming) implements Topics {
        @Override
        public void create(Map<String, TopicSpec> asked) {
            asked.keySet().forEach(topic -> lab.topics.addAll(names(topic)));
        }

        @Override
        public List<String> names(String topic) {
            return List.of(naming.apply(topic));
        }

        @Override
        public List<Property> properties(Consumer<String> unknown) {
            return List.of();
        }

        @Override
        public List<String> unknownBrokerProperties() {
            return lab.unknown;
        }

        @Override
        public TransactionalIds transactionalIds() {
            throw new UnsupportedOperationException("transactions need a real broker");
        }

        @Override
        public ConsumerGroups groups() {
            throw new UnsupportedOperationException("groups need a real broker");
        }

        @Override
        public int feature(String name) {
            return 0;
        }

        @Override
        public List<TopicPartitionLeader> underReplicated() {
            return lab.underReplicated;
        }

        @Override
        public long appended() {
            return lab.appended.getAsLong();
        }

        @Override
        public List<Integer> leaders() {
            return lab.leaders;
        }

        @Override
        public int activeController() {
            return 102;
        }

        @Override
        public BrokerObserver outside(int broker) {
            FakeCluster cluster = lab.clusters.get(lab.clusters.size() - 1);
            return new BrokerObserver() {
                @Override
                public ReplicaCounts standing() {
                    return cluster.standing(broker);
                }

                @Override
                public void close() {
                    lab.views.add("closed " + broker);
                }
            };
        }

        @Override
        public void delete() {
            if (!lab.undeleted.isEmpty()) {
                throw new ClusterUnavailable(lab.undeleted);
            }
            lab.topics.clear();
        }

        @Override
        public void close() {
            // There are no resources.
        }
    }
}
