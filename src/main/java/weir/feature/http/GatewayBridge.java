package weir.feature.http;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import weir.host.Child;
import weir.host.Command;
import weir.host.Host;
import weir.host.MachineResources;
import weir.host.OwnedFolders;
import weir.host.Ports;
import weir.host.ProcessAction;
import weir.host.Programs;
import weir.http.Access;
import weir.http.HttpHead;
import weir.http.HttpServer.RequestLimits;
import weir.io.Io;
import weir.plan.DisturbanceSpec;
import weir.plan.EnumNames;
import weir.plan.PlacedSpec;
import weir.probe.WatchedProcess;
import weir.probe.WatchedProcess.Kind;
import weir.results.value.Event;
import weir.time.MachineClock;
import weir.time.TimeLimit;
import weir.worker.Bridge;
import weir.worker.BridgeDeath;
import weir.worker.BridgeStart;
import weir.worker.ServerProcess;
import weir.worker.ServerSite;
import weir.worker.WorkerJvm;

/** The gateways of one trial and their balancers, each a new process on this machine or on another host. */
public final class GatewayBridge implements Bridge {
    private static final Duration UP = Duration.ofSeconds(10);
    private static final long POLL_MILLIS = 10;

    private final Function<String, ServerSite> sites;
    private final PlacedSpec placed;
    private final Path folder;
    private final List<ServerProcess> gateways = new ArrayList<>();
    private final SortedMap<String, Child> balancers = new TreeMap<>();
    private final BalancerLogs logs;
    private final List<Path> balancerFolders = new ArrayList<>();
    private List<InetSocketAddress> front = List.of();
    private volatile boolean closed;

    private GatewayBridge(Function<String, ServerSite> sites, PlacedSpec placed, Path folder) {
        this.sites = sites;
        this.placed = placed;
        this.folder = folder;
        this.logs = new BalancerLogs(folder);
    }

    static GatewayBridge start(GatewaySpec asked, BridgeStart trial, Function<String, ServerSite> sites) {
        GatewayBridge bridge = new GatewayBridge(sites, asked.placed(), trial.folder());
        SortedMap<String, String> producer = trial.complete().apply(asked.producer());
        try {
            for (int i = 1; i <= asked.instances(); i++) {
                bridge.gateway(i, asked, producer, trial);
            }
            bridge.front = bridge.gateways.stream().map(ServerProcess::address).toList();
            if (!asked.balancer().isEmpty()) {
                bridge.front.forEach(GatewayBridge::awaitAnswer);
            }
            for (int i = asked.balancer().size(); i >= 1; i--) {
                bridge.balancer(asked.balancer().get(i - 1), asked.balancer(i), asked.config());
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

    static GatewayBridge sink(ServerSite here, Path folder) {
        GatewayBridge bridge = new GatewayBridge(name -> here, new PlacedSpec.Here(), folder);
        ServerProcess sink = HttpSink.process(here, "http-sink", folder);
        bridge.gateways.add(sink);
        bridge.front = List.of(sink.address());
        return bridge;
    }

    static List<String> missing(GatewaySpec asked, MachineResources machine) {
        return asked.balancer().stream()
                .distinct()
                .map(EnumNames::of)
                .filter(name -> machine.program(name).toString().isEmpty())
                .map(name ->
                        "balancer: program '" + name + "' is not on the PATH; install it, as with apt install " + name)
                .toList();
    }

    /**
     * The fault of the user's balancer configuration; empty for none. A local balancer checks its configuration itself.
     */
    static Optional<String> refused(GatewaySpec asked) {
        if (asked.config().toString().isEmpty()) {
            return Optional.empty();
        }
        String name = String.valueOf(asked.config().getFileName());
        GatewaySpec.Balancer balancer = asked.balancer().get(0);
        String own;
        try {
            own = Files.readString(asked.config());
        } catch (IOException e) {
            return Optional.of("'" + asked.config() + "' cannot be read: " + e.getMessage());
        }
        Optional<String> absent = BalancerConfig.absent(own, asked.instances());
        if (absent.isPresent()) {
            return Optional.of(name + " has no " + absent.get() + "; the file must contain {port} for listening, and"
                    + " the address of each of the " + asked.instances() + " gateways");
        }
        if (asked.placed().remote()) {
            return Optional.empty();
        }
        return refusal(asked, balancer, own).map(why -> EnumNames.of(balancer) + " refused " + name + ": " + why);
    }

    private static Optional<String> refusal(GatewaySpec asked, GatewaySpec.Balancer balancer, String own) {
        Ports ports = new Ports();
        List<InetSocketAddress> servers = IntStream.range(0, asked.instances())
                .mapToObj(i -> new InetSocketAddress(InetAddress.getLoopbackAddress(), ports.getAsInt()))
                .toList();
        String text = BalancerConfig.of(
                own, new InetSocketAddress(InetAddress.getLoopbackAddress(), ports.getAsInt()), servers);
        try {
            Path folder = Files.createTempDirectory("weir-balancer-");
            try {
                Path config = Files.writeString(folder.resolve(asked.config().getFileName()), text);
                Path program = Programs.named(EnumNames.of(balancer));
                Programs.run(BalancerConfig.command(balancer, program, config, folder, true)
                        .toArray(String[]::new));
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

    private void gateway(int number, GatewaySpec asked, SortedMap<String, String> producer, BridgeStart trial) {
        ServerSite site = sites.apply(placed.of(number - 1));
        WorkerJvm jvm = WorkerJvm.gateway(producer, trial.classPath(), asked.within());
        GatewaySettings settings = new GatewaySettings(
                site.host().address(),
                site.host().freePort(),
                site.files().apply(producer),
                asked.answer(),
                RequestLimits.DEFAULT,
                !asked.config().toString().isEmpty(),
                "",
                Path.of(""),
                Path.of(""),
                trial.secrets());
        gateways.add(new ServerProcess(settings, site, jvm, GatewaySpec.gateway(number), folder));
    }

    private void balancer(GatewaySpec.Balancer balancer, String name, Path given) throws IOException {
        Host host = sites.apply(placed.of(0)).host();
        InetSocketAddress address = new InetSocketAddress(host.address(), host.freePort());
        Path kept = Files.createDirectories(folder.resolve(name).toAbsolutePath());
        Path own = kept;
        if (placed.remote()) {
            own = host.newFolder(name);
            balancerFolders.add(own);
        }
        String text = given.toString().isEmpty()
                ? BalancerConfig.of(balancer, address, front)
                : BalancerConfig.of(Files.readString(given), address, front);
        Files.writeString(kept.resolve(name + ".conf"), text);
        Path config = own.resolve(name + ".conf");
        if (placed.remote()) {
            host.write(config, text.getBytes(StandardCharsets.UTF_8));
        }
        Path program = host.resources().program(EnumNames.of(balancer));
        Child child = host.start(new Command(
                name,
                BalancerConfig.command(balancer, program, config, own, false),
                folder.resolve(name + ".log"),
                Command.Output.LOGGED));
        balancers.put(name, child);
        front = List.of(address);
        awaitListener(child, address);
    }

    /** Waits for a first answer, because HAProxy drops a server with a slow first answer. */
    private static void awaitAnswer(InetSocketAddress gateway) {
        String url = ServerProcess.url(gateway) + HttpHead.HEALTH;
        try {
            HttpURLConnection asked =
                    (HttpURLConnection) URI.create(url).toURL().openConnection(Proxy.NO_PROXY);
            asked.setConnectTimeout((int) UP.toMillis());
            asked.setReadTimeout((int) UP.toMillis());
            asked.getResponseCode();
            asked.disconnect();
        } catch (IOException e) {
            throw new IllegalStateException("waiting for the first answer of " + url + ": " + e.getMessage(), e);
        }
    }

    private static void awaitListener(Child child, InetSocketAddress address) {
        TimeLimit deadline = MachineClock.within(UP);
        while (!listens(address)) {
            if (!child.alive() || deadline.passed()) {
                throw new IllegalStateException(child.name() + " did not listen at " + Access.hostPort(address) + ": "
                        + String.join(" / ", child.lastLines(3)));
            }
            try {
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while starting " + child.name() + "", e);
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
        return front.stream().map(ServerProcess::url).toList();
    }

    @Override
    public List<WatchedProcess> processes() {
        List<WatchedProcess> all = new ArrayList<>();
        for (int i = 0; i < gateways.size(); i++) {
            long pid = gateways.get(i).pid();
            all.add(new WatchedProcess(Kind.JVM, GatewaySpec.gateway(i + 1), placed.of(i), pid));
        }
        balancers.forEach((name, child) -> all.add(new WatchedProcess(Kind.PROGRAM, name, placed.of(0), child.pid())));
        return all;
    }

    @Override
    public SortedMap<String, Long> jvms() {
        SortedMap<String, Long> jvms = new TreeMap<>();
        processes().stream()
                .filter(process -> process.kind() == Kind.JVM && process.host().isEmpty())
                .forEach(process -> jvms.put(process.source(), process.pid()));
        return jvms;
    }

    @Override
    public void act(ProcessAction action, DisturbanceSpec.Server server) {
        gateways.get(server.number() - 1).act(action);
    }

    @Override
    public void markEvents(BiConsumer<String, String> marks) {
        balancers.keySet().forEach(balancer -> logs.markEvents(balancer, marks));
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

    @Override
    public void close() {
        closed = true;
        for (Child balancer : balancers.values()) {
            balancer.close();
        }
        for (ServerProcess gateway : gateways) {
            gateway.close();
        }
        balancerFolders.forEach(sites.apply(placed.of(0)).host()::delete);
    }

    /**
     * The configuration of a balancer, from the user or from Weir. Weir's configurations send requests to each server
     * in turn and keep connections open. HAProxy queries {@code /healthz}, nginx counts failed requests. Both skip a
     * server that does not answer. The timeouts are 5 s for a connection and 50 s for an answer.
     */
    static final class BalancerConfig {
        private static final String PORT = "{port}";
        private static final String ADDRESS = "{address}";

        private BalancerConfig() {}

        public static String of(GatewaySpec.Balancer balancer, InetSocketAddress own, List<InetSocketAddress> servers) {
            boolean haproxy = balancer == GatewaySpec.Balancer.HAPROXY;
            StringBuilder lines = new StringBuilder();
            for (int i = 0; i < servers.size(); i++) {
                String server = Access.hostPort(servers.get(i));
                lines.append(
                        haproxy
                                ? "    server gateway-" + (i + 1) + " " + server + " check\n"
                                : "        server " + server + " max_fails=1 fail_timeout=1s;\n");
            }
            String template = Io.resource("/weir/feature/http/" + (haproxy ? "haproxy.cfg" : "nginx.conf"));
            return of(template.replace("{servers}\n", lines), own, List.of());
        }

        /** Replaces {@code {address}}, {@code {port}} and {@code {gateway-1}} in the user's own text. */
        public static String of(String template, InetSocketAddress own, List<InetSocketAddress> servers) {
            String text = template.replace(
                            ADDRESS, Access.bracketed(own.getAddress().getHostAddress()))
                    .replace(PORT, String.valueOf(own.getPort()));
            for (int i = 1; i <= servers.size(); i++) {
                text = text.replace(server(i), Access.hostPort(servers.get(i - 1)));
            }
            return text;
        }

        /** Returns the first required placeholder that a user's configuration lacks; empty if it lacks none. */
        public static Optional<String> absent(String own, int servers) {
            return Stream.concat(
                            Stream.of(PORT), IntStream.rangeClosed(1, servers).mapToObj(BalancerConfig::server))
                    .filter(place -> !own.contains(place))
                    .findFirst();
        }

        private static String server(int number) {
            return "{gateway-" + number + "}";
        }

        /**
         * Returns the command that runs the balancer in the foreground, in one process that ends with its parent.
         *
         * @param checks true for a command that only checks the configuration
         */
        public static List<String> command(
                GatewaySpec.Balancer balancer, Path program, Path config, Path folder, boolean checks) {
            if (balancer == GatewaySpec.Balancer.HAPROXY) {
                return List.of(program.toString(), checks ? "-c" : "-db", "-f", config.toString());
            }
            // Paths are relative to -p, because nginx splits a path in its configuration at blanks.
            String single = "daemon off; master_process off; pid nginx.pid;";
            List<String> command = new ArrayList<>(List.of(program.toString(), "-p", folder.toString()));
            command.addAll(List.of("-c", config.toString(), "-e", "stderr", "-g", single));
            command.addAll(checks ? List.of("-t", "-q") : List.of());
            return command;
        }
    }

    /** The reader of balancer logs, which once a second marks lines about servers that go out or come back. */
    static final class BalancerLogs {
        /** Log lines of HAProxy (the first two) and of nginx, for each request. */
        private static final Pattern SERVER_STATES =
                Pattern.compile("(Server \\S+ is (?:DOWN|UP)\\b[^.]*|backend '[^']+' has no server available"
                        + "|upstream server temporarily disabled|no live upstreams)");

        private static final int MOST_BYTES = 1 << 20;

        private final Path folder;
        private final Map<String, Long> read = new HashMap<>();

        BalancerLogs(Path folder) {
            this.folder = folder;
        }

        void markEvents(String balancer, BiConsumer<String, String> marks) {
            SERVER_STATES
                    .matcher(more(balancer, marks))
                    .results()
                    .map(MatchResult::group)
                    .distinct()
                    .forEach(line -> marks.accept(balancer + Event.SERVERS, line));
        }

        private String more(String balancer, BiConsumer<String, String> marks) {
            Path log = folder.resolve(balancer + ".log");
            if (!Files.isRegularFile(log)) {
                return "";
            }
            try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
                long from = read.getOrDefault(balancer, 0L);
                byte[] bytes = new byte[(int) Math.min(MOST_BYTES, Math.max(0, file.length() - from))];
                file.seek(from);
                file.readFully(bytes);
                String text = new String(bytes, StandardCharsets.ISO_8859_1);
                int whole = text.lastIndexOf('\n') + 1;
                // A line longer than MOST_BYTES is dropped.
                read.put(balancer, whole == 0 && bytes.length == MOST_BYTES ? file.length() : from + whole);
                return text.substring(0, whole);
            } catch (IOException e) {
                marks.accept("note", "cannot read the log of " + balancer + ": " + e.getMessage());
                return "";
            }
        }
    }
}
