package weir.worker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import weir.bridge.BalancerConfig;
import weir.host.Child;
import weir.host.Children;
import weir.host.Command;
import weir.host.OwnedFolders;
import weir.host.Ports;
import weir.host.ProcessAction;
import weir.host.Programs;
import weir.load.http.HttpEngine;
import weir.plan.BridgeSpec;
import weir.plan.DisturbanceSpec;
import weir.plan.EnumNames;
import weir.plan.HttpSpec;
import weir.plan.Limits;
import weir.plan.property.ResolvedSecrets;

/** The gateways of one trial and the balancers before them, each a fresh process, until it is closed. */
public final class LocalBridge implements Bridge {
    private static final Duration UP = Duration.ofSeconds(10);
    private static final long GLANCE_MILLIS = 10;

    private final Children children;
    private final Path folder;
    private final Ports ports = new Ports();
    private final List<ServerProcess> gateways = new ArrayList<>();
    private final SortedMap<String, Child> balancers = new TreeMap<>();
    private List<InetSocketAddress> front = List.of();
    private volatile boolean closed;

    private LocalBridge(Children children, Path folder) {
        this.children = children;
        this.folder = folder;
    }

    /**
     * Returns when all of them can be connected to.
     *
     * @param producer all properties of the gateways' producers, secrets resolved
     * @param folder of the trial, for their logs and configurations
     */
    public static LocalBridge start(
            Children children,
            BridgeSpec.Gateway asked,
            SortedMap<String, String> producer,
            ResolvedSecrets secrets,
            Path folder) {
        LocalBridge bridge = new LocalBridge(children, folder);
        try {
            for (int i = 1; i <= asked.instances(); i++) {
                bridge.gateway(i, asked, producer, secrets);
            }
            bridge.front = bridge.gateways.stream().map(ServerProcess::address).toList();
            for (int i = asked.balancers().size(); i >= 1; i--) {
                bridge.balancer(
                        asked.balancers().get(i - 1), asked.balancers().size() > 1 ? "-" + i : "", asked.config());
            }
            return bridge;
        } catch (IOException e) {
            bridge.close();
            throw new UncheckedIOException("starting a balancer: " + e.getMessage(), e);
        } catch (RuntimeException e) {
            bridge.close();
            throw e;
        }
    }

    /** A server that acknowledges whatever it is sent. */
    public static LocalBridge sink(Children children, Path folder) {
        LocalBridge bridge = new LocalBridge(children, folder);
        WorkerJvm jvm = WorkerJvm.gateway(Collections.emptySortedMap(), Limits.NONE);
        ServerProcess sink = new ServerProcess(
                new ServerAssignment.Sink(bridge.ports.getAsInt()),
                () -> LocalWorker.start(
                        children, jvm, "http-sink", folder.resolve("http-sink.log"), WorkerListener.NONE));
        bridge.gateways.add(sink);
        bridge.front = List.of(sink.address());
        return bridge;
    }

    /** The programs that are not here, each with what would help. */
    public static List<String> missing(BridgeSpec.Gateway asked) {
        return missing(asked, Programs::named);
    }

    static List<String> missing(BridgeSpec.Gateway asked, Function<String, Path> programs) {
        return asked.balancers().stream()
                .distinct()
                .map(EnumNames::of)
                .filter(name -> programs.apply(name).toString().isEmpty())
                .map(name -> "balancer needs the program " + name + ", which is not on the PATH: apt install " + name)
                .toList();
    }

    /** Why a user's own configuration of the balancer cannot be used; empty where it can, or there is none. */
    public static Optional<String> refused(BridgeSpec.Gateway asked) {
        if (asked.config().toString().isEmpty()) {
            return Optional.empty();
        }
        String name = String.valueOf(asked.config().getFileName());
        BridgeSpec.Balancer balancer = asked.balancers().get(0);
        String own;
        try {
            own = Files.readString(asked.config());
        } catch (IOException e) {
            return Optional.of("'" + asked.config() + "' cannot be read: " + e.getMessage());
        }
        Optional<String> absent = BalancerConfig.absent(own, asked.instances());
        if (absent.isPresent()) {
            return Optional.of(name + " has no " + absent.get() + ": the address of each of the " + asked.instances()
                    + " gateways, and {port} to listen on, have to stand in it");
        }
        return said(asked, balancer, own).map(said -> name + " is refused by " + EnumNames.of(balancer) + ": " + said);
    }

    /** The first line in which a balancer refuses a configuration; empty when it takes it. */
    private static Optional<String> said(BridgeSpec.Gateway asked, BridgeSpec.Balancer balancer, String own) {
        Ports ports = new Ports();
        List<InetSocketAddress> servers = IntStream.range(0, asked.instances())
                .mapToObj(i -> new InetSocketAddress(InetAddress.getLoopbackAddress(), ports.getAsInt()))
                .toList();
        String text = BalancerConfig.of(own, ports.getAsInt(), servers);
        try {
            Path folder = Files.createTempDirectory("weir-balancer-");
            try {
                Path config = Files.writeString(folder.resolve(asked.config().getFileName()), text);
                Path program = Programs.named(EnumNames.of(balancer));
                Programs.run(
                        BalancerConfig.check(balancer, program, config, folder).toArray(String[]::new));
                return Optional.empty();
            } catch (IllegalStateException refused) {
                List<String> lines =
                        String.valueOf(refused.getMessage()).lines().toList();
                String place = asked.config().getFileName() + ":";
                String first = lines.stream()
                        .filter(line -> line.contains(place))
                        .findFirst()
                        .orElse(lines.get(0));
                return Optional.of(first.replace(folder + "/", ""));
            } finally {
                OwnedFolders.delete(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("checking " + asked.config(), e);
        }
    }

    /** Why nothing can be sent to a server that is there already; empty when something can. */
    public static Optional<String> unreachable(String url, HttpSpec http) {
        return HttpEngine.unreachable(url, http);
    }

    private void gateway(
            int number, BridgeSpec.Gateway asked, SortedMap<String, String> producer, ResolvedSecrets secrets) {
        WorkerJvm jvm = WorkerJvm.gateway(producer, asked.within());
        Path log = folder.resolve("gateway-" + number + ".log");
        ServerAssignment assignment = new ServerAssignment.Gateway(ports.getAsInt(), producer, asked.answer(), secrets);
        gateways.add(new ServerProcess(
                assignment, () -> LocalWorker.start(children, jvm, "gateway-" + number, log, WorkerListener.NONE)));
    }

    private void balancer(BridgeSpec.Balancer balancer, String number, Path given) throws IOException {
        String name = EnumNames.of(balancer) + number;
        int port = ports.getAsInt();
        Path own = Files.createDirectories(folder.resolve(name).toAbsolutePath());
        Path config = own.resolve(name + ".conf");
        Files.writeString(
                config,
                given.toString().isEmpty()
                        ? BalancerConfig.of(balancer, port, front, own)
                        : BalancerConfig.of(Files.readString(given), port, front));
        Path program = Programs.named(EnumNames.of(balancer));
        Child child = children.start(new Command(
                name,
                BalancerConfig.command(balancer, program, config, own),
                folder.resolve(name + ".log"),
                Command.Output.LOGGED));
        balancers.put(name, child);
        front = List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        awaitListener(child, front.get(0));
    }

    private static void awaitListener(Child child, InetSocketAddress address) {
        long deadline = System.nanoTime() + UP.toNanos();
        while (!listens(address)) {
            if (!child.alive() || System.nanoTime() > deadline) {
                throw new IllegalStateException(child.name() + " does not listen at port " + address.getPort() + ": "
                        + String.join(" / ", child.lastLines(3)));
            }
            try {
                Thread.sleep(GLANCE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while " + child.name() + " started", e);
            }
        }
    }

    private static boolean listens(InetSocketAddress address) {
        try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    @Override
    public List<String> urls() {
        return front.stream()
                .map(address -> "http://" + address.getAddress().getHostAddress() + ":" + address.getPort())
                .toList();
    }

    @Override
    public SortedMap<String, Long> pids() {
        SortedMap<String, Long> all = new TreeMap<>();
        for (int i = 0; i < gateways.size(); i++) {
            all.put("gateway-" + (i + 1), gateways.get(i).pid());
        }
        balancers.forEach((name, child) -> all.put(name, child.pid()));
        return Collections.unmodifiableSortedMap(all);
    }

    @Override
    public void act(ProcessAction action, DisturbanceSpec.Server server) {
        gateways.get(server.number() - 1).act(action);
    }

    @Override
    public void onDeath(Consumer<BridgeDeath> listener) {
        for (Child balancer : balancers.values()) {
            var unused = balancer.exit().thenAccept(code -> {
                if (!closed) {
                    listener.accept(BridgeDeath.of(balancer, code));
                }
            });
        }
        gateways.forEach(gateway -> gateway.onDeath(listener));
    }

    /** Leaves no process. */
    @Override
    public void close() {
        closed = true;
        for (Child balancer : balancers.values()) {
            balancer.close();
        }
        for (ServerProcess gateway : gateways) {
            gateway.close();
        }
    }
}
