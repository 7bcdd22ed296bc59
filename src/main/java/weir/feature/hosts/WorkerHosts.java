package weir.feature.hosts;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import weir.cluster.Broker;
import weir.cluster.Cluster;
import weir.feature.hosts.LinkListener.Hello;
import weir.host.Children;
import weir.host.HostUnavailable;
import weir.host.LocalChild;
import weir.http.Access;
import weir.measure.LoadListener;
import weir.plan.PlacedSpec;
import weir.plan.Variant;
import weir.results.value.HostFacts;
import weir.run.lab.Lab;
import weir.run.lab.OtherHosts;
import weir.run.lab.OtherHosts.HostStarter;
import weir.time.DaemonThreads;
import weir.time.MachineClock;
import weir.time.TimeLimit;
import weir.worker.Fleet;
import weir.worker.Worker;
import weir.worker.WorkerFailed;
import weir.worker.WorkerJvm;

/** The hosts of a run's workers, connected once for the whole run. */
final class WorkerHosts implements OtherHosts {
    private static final Duration STARTING = Duration.ofSeconds(60);
    private static final Duration BY_HAND = Duration.ofMinutes(5);
    /** The limit of the clock error; above it, times on different hosts are not comparable. */
    static final long CLOCK_NANOS = 1_000_000;

    /** Above the eight seconds that an agent on a busy machine needs. */
    private static final Duration CLOCKING = Duration.ofSeconds(10);

    private static final int AT_ONCE = 16;
    private static final int DISCARD = 9;

    private final Children children;
    private final LongSupplier clock;
    private final HostStarter pods;
    private final Consumer<String> notes;
    private final Map<String, RemoteHosts> doors = new TreeMap<>();

    private final Map<String, RemoteHost> connected = new TreeMap<>();
    private final List<LocalChild> started = new ArrayList<>();

    WorkerHosts(Children children, LongSupplier clock, HostStarter pods, Consumer<String> notes) {
        this.children = children;
        this.clock = clock;
        this.pods = pods;
        this.notes = notes;
    }

    @Override
    public String address(PlacedSpec.Hosts placed) {
        String asked = placed.host();
        try {
            if (!asked.isEmpty()) {
                return own(InetAddress.getByName(asked));
            }
            String first = PlacedSpec.called(placed.names().get(0));
            return addressTowards(new InetSocketAddress(InetAddress.getByName(first), DISCARD));
        } catch (UnknownHostException e) {
            throw new HostUnavailable(
                    asked.isEmpty()
                            ? "only ssh can resolve host '" + placed.names().get(0)
                                    + "', so this machine's address for the host is unknown; write load.placed.address"
                            : "load.placed.address: cannot resolve host name '" + asked + "'");
        } catch (SocketException e) {
            throw new HostUnavailable("no route to host '" + placed.names().get(0) + "': " + e.getMessage());
        }
    }

    static String addressTowards(InetSocketAddress other) throws SocketException {
        try (DatagramSocket socket = new DatagramSocket()) {
            // connect sends nothing: it only looks up the route.
            socket.connect(other);
            return socket.getLocalAddress().getHostAddress();
        }
    }

    private static String own(InetAddress address) throws SocketException {
        if (NetworkInterface.getByInetAddress(address) == null) {
            String ours = NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(Inet4Address.class::isInstance)
                    .map(InetAddress::getHostAddress)
                    .sorted()
                    .collect(Collectors.joining(", "));
            throw new HostUnavailable("load.placed.address: must be an address of this machine (" + ours + "), found '"
                    + address.getHostAddress() + "'");
        }
        return address.getHostAddress();
    }

    @Override
    public synchronized void connect(PlacedSpec.Hosts placed, String version) {
        List<String> missing = placed.names().stream()
                .filter(name -> !connected.containsKey(PlacedSpec.called(name)))
                .toList();
        if (missing.isEmpty()) {
            return;
        }
        String address = address(placed);
        RemoteHosts door = doors.computeIfAbsent(
                address + ":" + placed.port(), at -> open(new InetSocketAddress(address, placed.port()), version));
        String at = Access.bracketed(address) + ":" + door.address().getPort();
        if (placed.start() == PlacedSpec.Start.POD) {
            pods.start(missing, at, door.token());
        } else if (placed.start() == PlacedSpec.Start.BY_HAND) {
            notes.accept("waiting for hosts " + String.join(", ", missing) + ": copy " + door.token()
                    + " to each, and start there: weir worker --connect " + at + " --token FILE --name NAME");
        } else {
            notes.accept("starting workers on " + String.join(", ", missing));
            start(placed, missing, at, door);
        }
        Duration limit = placed.start() == PlacedSpec.Start.BY_HAND ? BY_HAND : STARTING;
        for (String name : missing) {
            RemoteHost host = clocked(arrived(door, name, limit));
            if (placed.start() == PlacedSpec.Start.POD) {
                host.isPod(() -> pods.lossReason(name));
            }
            connected.put(PlacedSpec.called(name), host);
        }
    }

    private RemoteHosts open(InetSocketAddress address, String version) {
        try {
            return new RemoteHosts(address, children.journal().newFolder("hosts"), version, clock);
        } catch (UncheckedIOException e) {
            throw new HostUnavailable(e.getMessage()
                    + (address.getPort() == 0 ? "" : "; write another port in load.placed.address, or none"));
        }
    }

    private void start(PlacedSpec.Hosts placed, List<String> names, String at, RemoteHosts door) {
        ProgramFiles program;
        byte[] token;
        try {
            program = ProgramFiles.ofThisProcess();
            token = Files.readAllBytes(door.token());
        } catch (IOException | IllegalStateException e) {
            throw new HostUnavailable(String.valueOf(e.getMessage()));
        }
        Path log = door.token().resolveSibling("");
        ExecutorService threads = Executors.newFixedThreadPool(Math.min(AT_ONCE, names.size()));
        try {
            List<CompletableFuture<LocalChild>> starts = names.stream()
                    .map(name -> CompletableFuture.supplyAsync(
                            () -> new SshHost(
                                            name,
                                            placed.ssh(),
                                            children,
                                            log.resolve("ssh-" + PlacedSpec.called(name) + ".log"))
                                    .start(program, at, token),
                            threads))
                    .toList();
            for (CompletableFuture<LocalChild> start : starts) {
                started.add(start.join());
            }
        } catch (CompletionException e) {
            throw e.getCause() instanceof HostUnavailable unreachable ? unreachable : e;
        } finally {
            threads.shutdown();
        }
    }

    private RemoteHost arrived(RemoteHosts door, String name, Duration limit) {
        try {
            return door.await(PlacedSpec.called(name), limit);
        } catch (WorkerFailed e) {
            String output = started.stream()
                    .filter(child -> child.name().equals("ssh " + name))
                    .flatMap(child -> child.lastLines(1).stream())
                    .reduce("", (before, last) -> last);
            throw new HostUnavailable(e.getMessage() + (output.isBlank() ? "" : "; its output: " + output));
        }
    }

    private static RemoteHost clocked(RemoteHost host) {
        if (!host.clocked(CLOCK_NANOS, CLOCKING)) {
            throw new HostUnavailable(String.format(
                    Locale.ROOT,
                    "the clock error of host '%s' must be at most 1 ms, found %.1f ms: the fastest answer in %d s took"
                            + " %.1f ms; place the load nearer, or stop other work on both machines",
                    host.name(),
                    host.errorNanos() / 1e6,
                    CLOCKING.toSeconds(),
                    2 * host.errorNanos() / 1e6));
        }
        return host;
    }

    @Override
    public Worker start(
            PlacedSpec.Hosts placed, WorkerJvm jvm, int workers, Path folder, Duration limit, LoadListener listener) {
        return Fleet.start(
                workers,
                folder,
                listener,
                (number, log, listening) -> host(placed.of(number))
                        .start(jvm, "worker-" + (number + 1), log, limit, listening)
                        .worker());
    }

    @Override
    public synchronized RemoteHost host(String name) {
        RemoteHost host = connected.get(PlacedSpec.called(name));
        if (host == null) {
            throw new IllegalStateException("host '" + name + "' is not connected");
        }
        return host;
    }

    @Override
    public List<HostFacts> facts(Variant variant, Cluster cluster) {
        List<HostFacts> all = new ArrayList<>();
        for (String name : names(variant)) {
            Hello hello = host(name).hello();
            all.add(new HostFacts(
                    hello.name(),
                    hello.host(),
                    hello.processors(),
                    hello.memoryBytes(),
                    "",
                    hello.java(),
                    PlacedSpec.on(name, variant.load().placed(), variant.load().processes()),
                    cluster.brokers().stream()
                            .filter(broker -> broker.host().equals(name))
                            .map(Broker::id)
                            .toList(),
                    variant.others(name::equals)));
        }
        return all;
    }

    private static List<String> names(Variant variant) {
        return variant.placements().stream()
                .flatMap(hosts -> hosts.each().stream())
                .distinct()
                .toList();
    }

    @Override
    public Lab.Activity sample(
            Variant variant,
            Cluster cluster,
            long originNanos,
            LoadListener listener,
            BiConsumer<String, String> lost) {
        List<String> names = names(variant);
        // A host and its listeners outlive the trial.
        AtomicBoolean over = new AtomicBoolean();
        names.forEach(name -> host(name).onLost(why -> {
            if (!over.get()) {
                lost.accept(name, why);
            }
        }));
        List<Runnable> looking = new ArrayList<>();
        for (String name : UNPROBED ? List.<String>of() : names) {
            looking.add(host(name).sample(originNanos, OtherHosts.brokers(cluster, name), listener));
        }
        return () -> {
            over.set(true);
            looking.forEach(Runnable::run);
        };
    }

    @Override
    public synchronized void close() {
        doors.values().forEach(RemoteHosts::close);
        for (LocalChild child : started) {
            if (!child.endsWithin(Duration.ofSeconds(5))) {
                child.kill();
            }
            child.close();
        }
        started.clear();
        connected.clear();
        doors.values().forEach(door -> children.journal().delete(door.token().resolveSibling("")));
        doors.clear();
    }

    static final class RemoteHosts implements AutoCloseable {
        private static final long POLL_MILLIS = 500;

        private final RunCertificates certificates;
        private final LongSupplier clock;
        private final LinkListener listener;
        private final Map<String, RemoteHost> hosts = new TreeMap<>();
        private final ScheduledExecutorService watch =
                Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("weir-hosts"));

        /**
         * Opens the port for agents.
         *
         * @param address on loopback, or an address that other hosts can reach; port 0 takes a free port
         * @param folder for the token file; only this user can read it
         * @param version version of Weir; agents with another version are refused
         */
        RemoteHosts(InetSocketAddress address, Path folder, String version, LongSupplier clock) {
            this.certificates = RunCertificates.make(folder);
            this.clock = clock;
            this.listener = new LinkListener(
                    address,
                    certificates,
                    ProgramFiles.build(version),
                    this::arrived,
                    LinkListener.IntroductionLimit.of(LinkListener.TIMEOUT));
            var unused = watch.scheduleAtFixedRate(
                    () -> hosts().forEach(RemoteHost::check), POLL_MILLIS, POLL_MILLIS, TimeUnit.MILLISECONDS);
        }

        public InetSocketAddress address() {
            return listener.address();
        }

        public Path token() {
            return certificates.token();
        }

        private synchronized void arrived(Hello hello, LinkListener.LinkFactory links) throws LinkRefused {
            RemoteHost there = hosts.get(hello.name());
            if (there != null) {
                throw new LinkRefused("a worker named '" + hello.name() + "' "
                        + (there.isLost()
                                ? "was lost in this run and cannot join it again"
                                : "is already connected; choose another name with --name"));
            }
            try {
                hosts.put(hello.name(), new RemoteHost(hello, links, clock));
            } catch (IOException gone) {
                throw new LinkRefused("the connection broke", gone);
            }
        }

        public synchronized List<RemoteHost> hosts() {
            return List.copyOf(hosts.values());
        }

        public RemoteHost await(String name, Duration limit) {
            TimeLimit deadline = MachineClock.within(limit);
            RemoteHost host =
                    deadline.awaits(() -> arrived(name) != null, RemoteHost.POLL_INTERVAL) ? arrived(name) : null;
            if (host == null) {
                throw new WorkerFailed("host '" + name + "' did not connect to "
                        + address().getHostString() + ":"
                        + address().getPort() + " within " + limit.toSeconds()
                        + " s; start there: weir worker --connect"
                        + " ADDRESS:" + address().getPort() + " --token FILE --name " + name);
            }
            if (!host.clocked(RemoteHost.UNKNOWN - 1, deadline.left())) {
                throw new WorkerFailed("host '" + name + "' connected but did not answer");
            }
            return host;
        }

        private synchronized @Nullable RemoteHost arrived(String name) {
            return hosts.get(name);
        }

        @Override
        public void close() {
            listener.close();
            watch.shutdownNow();
            hosts().forEach(RemoteHost::close);
        }
    }
}
