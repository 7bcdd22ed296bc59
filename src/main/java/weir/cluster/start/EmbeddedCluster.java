package weir.cluster.start;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import weir.cluster.Broker;
import weir.cluster.Cluster;
import weir.cluster.ClusterUnavailable;
import weir.cluster.Impairment;
import weir.cluster.NodeDeath;
import weir.cluster.NodeSetting;
import weir.cluster.Progress;
import weir.cluster.release.KafkaVersion;
import weir.cluster.start.BrokerProcess.NodeExits;
import weir.cluster.start.Node.NodeHome;
import weir.cluster.start.NodeLayout.NodeFiles;
import weir.cluster.start.NodeLayout.RelayedListeners;
import weir.cluster.start.StartOptions.Relaying;
import weir.host.Children;
import weir.host.DiskImage;
import weir.host.DiskThrottle;
import weir.host.Host;
import weir.host.LocalHost;
import weir.host.ProcessAction;
import weir.host.ProcessId;
import weir.host.Shield;
import weir.io.Io;
import weir.plan.ClusterSpec;
import weir.plan.DisturbanceSpec;
import weir.plan.Limits;

/** A Kafka cluster that Weir starts, here or on other hosts: each broker is a child JVM, numbered from 1. */
public final class EmbeddedCluster implements Cluster {
    private static final int ATTEMPTS = 3;

    private final ClusterSpec spec;
    private final Children children;
    private final NodeLayout layout;
    private final ClusterCredentials credentials;
    private final SortedMap<String, Site> sites = new TreeMap<>();

    private final Set<ClusterFolder> folders = new LinkedHashSet<>();
    private final SortedMap<Integer, DiskImage> images = new TreeMap<>();

    private final List<BrokerProcess> processes = new ArrayList<>();
    private final List<NodeSetting> settings = new ArrayList<>();
    private final NodeExits deaths;
    private @Nullable Relaying relays;
    private String id = "";

    private record ClusterFolder(Host host, Path path) {}

    private record Site(NodeFiles files, BrokerJvm jvm) {}

    private EmbeddedCluster(ClusterSpec spec, BrokerJvm jvm, Children children, Path logs, StartOptions options) {
        KafkaVersion version = KafkaVersion.of(spec.kafka());
        this.spec = spec;
        this.children = children;
        this.deaths = new NodeExits();
        Host here = new LocalHost(children).at(spec.address());
        Path secrets = here.newFolder("cluster");
        folders.add(new ClusterFolder(here, secrets));
        int most = Math.max(spec.brokers().size() + options.spares(), spec.dedicatedControllers());
        List<Host> hosts = IntStream.range(0, most)
                .mapToObj(number -> options.hosts().of(number, here))
                .toList();
        try {
            Files.createDirectories(logs);
            credentials = ClusterCredentials.make(
                    spec.security(),
                    version,
                    secrets,
                    hosts.stream().map(Host::address).collect(Collectors.toCollection(TreeSet::new)));
            for (Host host : hosts) {
                site(host, secrets, version, jvm);
            }
            layout = NodeLayout.of(
                    spec,
                    version,
                    credentials,
                    options.ports(),
                    number -> home(hosts.get(number), secrets, logs),
                    !options.relayed()
                            ? RelayedListeners.NONE
                            : spec.dedicatedControllers() > 0 ? RelayedListeners.ALL : RelayedListeners.CLIENTS,
                    options.spares());
            for (Node node : layout.nodes()) {
                prepare(node, version, logs, options.disks());
            }
        } catch (IOException e) {
            close();
            throw new UncheckedIOException("preparing the brokers in " + logs, e);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private void site(Host host, Path secrets, KafkaVersion version, BrokerJvm jvm) throws IOException {
        if (sites.containsKey(host.name())) {
            return;
        }
        Path folder = host.name().isEmpty() ? secrets : host.newFolder("cluster");
        folders.add(new ClusterFolder(host, folder));
        NodeFiles files = new NodeFiles(host, secrets, folder);
        files.write(credentials, version);
        sites.put(host.name(), new Site(files, on(host, jvm)));
    }

    private BrokerJvm on(Host host, BrokerJvm jvm) {
        return host.name().isEmpty() ? jvm : jvm.at(host, spec.java());
    }

    private Site site(String place) {
        return Objects.requireNonNull(sites.get(place));
    }

    private NodeFiles files(Node node) {
        return site(node.home().place()).files();
    }

    private NodeHome home(Host host, Path secrets, Path logs) {
        boolean here = host.name().isEmpty();
        Path own = here ? logs : site(host.name()).files().folder();
        Path asked = here ? spec.data().toAbsolutePath() : spec.data();
        Path data = (spec.data().toString().isEmpty() ? own : asked).resolve("data-" + secrets.getFileName());
        return new NodeHome(host.name(), host.address(), here ? ClusterSpec.LOOPBACK : host.address(), data);
    }

    private void prepare(Node node, KafkaVersion version, Path logs, boolean own) throws IOException {
        NodeFiles files = files(node);
        Host host = files.host();
        Path parent = node.data().resolveSibling("");
        folders.add(new ClusterFolder(host, parent));
        host.own(parent);
        host.folder(node.data());
        files.write(node, layout);
        Path log = logs.resolve(node.name() + ".log").toAbsolutePath();
        BrokerJvm jvm = site(node.home().place()).jvm();
        List<NodeSetting> flags = flags(node, jvm, version, log);
        settings.addAll(layout.settings(node));
        settings.addAll(flags);
        if (node.broker() && own) {
            images.put(node.id(), DiskImage.mount(children.journal(), node.data()));
        }
        Limits limits = own ? DiskThrottle.prepared(spec.within()) : spec.within();
        Shield shield = node.broker() ? host.shield(node.name(), limits, node.data()) : Shield.NONE;
        processes.add(new BrokerProcess(node, spec.kafka(), jvm.program(flags), log, host, shield, deaths::add));
    }

    private List<NodeSetting> flags(Node node, BrokerJvm jvm, KafkaVersion version, Path log) {
        NodeFiles files = files(node);
        boolean here = node.home().place().isEmpty();
        return jvm.flags(
                node,
                spec.heap().bytes(),
                files.logging(version),
                (here ? log.resolveSibling("") : files.folder()).resolve(node.name() + "-crash.log"),
                files.temporary());
    }

    @Override
    public void install(String release, int id) {
        BrokerProcess process = process(id);
        Node node = process.node;
        KafkaVersion version = KafkaVersion.of(release);
        NodeFiles files = files(node);
        BrokerJvm jvm = on(files.host(), jvm(release, spec, children, what -> {}));
        Io.attempt("writing the files of " + node.name(), () -> {
            files.write(credentials, version);
            files.write(node, layout.at(version));
        });
        process.program(release, jvm.program(flags(node, jvm, version, process.log)));
    }

    /** Starts a cluster, and waits until records can be written and read. */
    public static EmbeddedCluster start(ClusterSpec spec, Children children, Path logs, Progress progress) {
        return start(spec, children, logs, StartOptions.plain(), progress);
    }

    /** Downloads and creates everything for a start of this release in advance, so that the start is fast. */
    public static void prepare(String version, Children children, Progress progress) {
        BrokerJvm unused = BrokerJvm.prepared(version, Path.of(""), List.of(), children, progress);
    }

    public static EmbeddedCluster start(
            ClusterSpec spec, Children children, Path logs, StartOptions options, Progress progress) {
        for (String release : options.releases()) {
            BrokerJvm unused = jvm(release, spec, children, progress);
        }
        return start(spec, jvm(spec.kafka(), spec, children, progress), children, logs, options, progress);
    }

    private static BrokerJvm jvm(String release, ClusterSpec spec, Children children, Progress progress) {
        // Another machine has its own runtime and keeps no archive of classes.
        return spec.placed().remote()
                ? BrokerJvm.fetched(release, Path.of(""), spec.jvm(), progress)
                : BrokerJvm.prepared(release, spec.java(), spec.jvm(), children, progress);
    }

    static EmbeddedCluster start(
            ClusterSpec spec, BrokerJvm jvm, Children children, Path logs, StartOptions options, Progress progress) {
        for (int attempt = 1; ; attempt++) {
            EmbeddedCluster cluster = new EmbeddedCluster(spec, jvm, children, logs, options);
            boolean up = false;
            try {
                progress.report("starting Kafka " + spec.kafka());
                if (options.relayed()) {
                    cluster.relays = options.relays().apply(cluster);
                }
                cluster.comeUp();
                up = true;
                return cluster;
            } catch (ClusterUnavailable e) {
                boolean taken = cluster.processes.stream().anyMatch(node -> node.logContains("Address already in use"));
                if (!taken || attempt == ATTEMPTS) {
                    throw e;
                }
                progress.report("a port of a broker was in use; Weir tries other ports");
            } finally {
                if (!up) {
                    cluster.close();
                }
            }
        }
    }

    private void comeUp() {
        processes.stream().filter(process -> !layout.spare(process.node)).forEach(this::start);
        id = new Readiness(clientProperties(), layout.brokers(), () -> deaths.check(0)).awaitRecords();
    }

    private void start(BrokerProcess process) {
        process.awaitEntry();
        boolean format = layout.formatted() && !process.everStarted();
        process.start(files(process.node).arguments(process.node, format));
    }

    @Override
    public boolean startedByWeir() {
        return true;
    }

    @Override
    public boolean unlimitedWriteback() {
        return processes.stream().anyMatch(process -> process.shield.unlimitedWriteback());
    }

    @Override
    public boolean gone() {
        return processes.stream().noneMatch(process -> process.node.broker() && process.running());
    }

    @Override
    public void onDeath(Consumer<NodeDeath> listener) {
        deaths.addListener(listener);
    }

    @Override
    public String bootstrap() {
        return layout.bootstrap();
    }

    @Override
    public SortedMap<String, String> clientProperties() {
        SortedMap<String, String> client = new TreeMap<>(credentials.client());
        client.put("bootstrap.servers", bootstrap());
        return client;
    }

    /**
     * Returns the properties for load clients, which connect through relays. Clients that query the cluster connect
     * directly, so that a degraded network does not affect them.
     */
    @Override
    public SortedMap<String, String> loadProperties() {
        return relays == null ? clientProperties() : relayedProperties();
    }

    /** The properties of clients that connect through relays; requires a relay in front of each broker. */
    public SortedMap<String, String> relayedProperties() {
        SortedMap<String, String> client = clientProperties();
        client.put(
                "bootstrap.servers",
                layout.brokers().stream()
                        .map(node -> node.advertised(Node.RELAYED))
                        .collect(Collectors.joining(",")));
        return client;
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public String version() {
        return spec.kafka();
    }

    @Override
    public SortedMap<String, Long> others() {
        SortedMap<String, Long> others = new TreeMap<>();
        processes.stream()
                .filter(process ->
                        !process.node.broker() && process.node.home().place().isEmpty())
                .forEach(process -> others.put(process.node.name(), process.pid()));
        return others;
    }

    @Override
    public List<Integer> controllers() {
        return layout.nodes().stream()
                .filter(node -> node.controller() && !node.broker())
                .map(Node::id)
                .toList();
    }

    @Override
    public List<Broker> brokers() {
        return processes.stream()
                .filter(process -> process.node.broker() && process.everStarted())
                .map(process -> new Broker(
                        process.node.id(),
                        process.node.address(spec.security().name()),
                        process.node.rack(),
                        process.node.home().place(),
                        process.pid(),
                        process.log,
                        process.node.data()))
                .toList();
    }

    @Override
    public List<NodeSetting> settings() {
        return settings.stream()
                .map(setting -> setting.name().endsWith("jaas.config")
                        ? new NodeSetting(setting.node(), setting.name(), "(secret)", setting.reason())
                        : setting)
                .toList();
    }

    @Override
    public SortedMap<String, String> facts() {
        String first = layout.nodes().get(0).name();
        // The flags of the other nodes differ in paths only.
        String flags = settings.stream()
                .filter(setting ->
                        setting.name().equals("jvm") && setting.node().equals(first))
                .map(NodeSetting::value)
                .collect(Collectors.joining(" "));
        SortedMap<String, String> facts = new TreeMap<>(Map.of("broker.jvm", flags));
        SortedMap<String, String> limits = processes.stream()
                .filter(process -> process.node.broker())
                .findFirst()
                .map(process -> process.shield.kept())
                .orElse(Collections.emptySortedMap());
        if (!limits.isEmpty()) {
            facts.put("broker.limits", limits.toString());
        }
        if (!images.isEmpty()) {
            facts.put("cluster.disks", "in every variant, each broker writes to an ext4 image on a loop device");
        }
        if (relays != null) {
            facts.put("cluster.relayed", "in every variant, Weir's own relays are between clients and brokers");
        }
        return facts;
    }

    @Override
    public SortedMap<String, String> asked(int broker) {
        return process(broker).node.asked();
    }

    @Override
    public void act(ProcessAction action, int broker) {
        switch (action) {
            case KILL -> process(broker).kill();
            case STOP -> process(broker).stop();
            case PAUSE, RESUME -> process(broker).signal(action);
            case RESTART -> restart(broker);
        }
    }

    @Override
    public Impairment impair(DisturbanceSpec.Network asked) {
        return relays == null ? Cluster.super.impair(asked) : relays.impair(asked);
    }

    @Override
    public Impairment impair(DisturbanceSpec.Disk asked) {
        BrokerProcess process = process(asked.broker());
        DiskImage image = images.get(asked.broker());
        if (image == null) {
            throw new IllegalStateException("broker " + asked.broker() + " has no disk of its own");
        }
        List<Impairment> undo = new ArrayList<>();
        if (asked.ioPerSecond().bytes() > 0) {
            // A stopped broker will run in its own shield, or in the shield of this process.
            long pid =
                    process.running() ? process.pid() : ProcessHandle.current().pid();
            undo.add(image.throttle(asked.ioPerSecond().bytes(), pid)::close);
        }
        if (asked.full()) {
            undo.add(() -> {
                image.empty();
                if (process.endedUnasked()) {
                    restart(asked.broker());
                }
            });
            image.fill();
        }
        return () -> undo.forEach(Impairment::close);
    }

    /** Starts a stopped or spare node; returns when a broker serves clients (unfenced), or a controller listens. */
    public void restart(int broker) {
        BrokerProcess process = process(broker);
        int before = deaths.count();
        start(process);
        new Readiness(clientProperties(), List.of(process.node), () -> deaths.check(before)).awaitNodes();
    }

    public List<Node> nodes() {
        return layout.nodes();
    }

    public Node node(int broker) {
        return process(broker).node;
    }

    private BrokerProcess process(int broker) {
        return processes.stream()
                .filter(process -> !process.node.zooKeeper() && process.node.id() == broker)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no broker " + broker
                        + "; the brokers are 1 to " + spec.brokers().size()));
    }

    /** The processes in the order to stop them: brokers first, because a broker's stop needs a controller. */
    List<ProcessId> processIds() {
        return processes.stream().map(BrokerProcess::id).toList();
    }

    List<Path> folders() {
        return folders.stream()
                .filter(folder -> folder.host().name().isEmpty())
                .map(ClusterFolder::path)
                .toList();
    }

    /** Kills the brokers and deletes their data, but not their logs. */
    @Override
    public void close() {
        processes.forEach(BrokerProcess::close);
        images.values().forEach(DiskImage::close);
        List<ClusterFolder> left = new ArrayList<>(folders);
        Collections.reverse(left);
        left.forEach(folder -> folder.host().delete(folder.path()));
        if (relays != null) {
            relays.close();
        }
    }
}
