package weir.cluster.start;

import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntSupplier;
import weir.cluster.Broker;
import weir.cluster.Cluster;
import weir.cluster.ClusterUnavailable;
import weir.cluster.sink.SinkMain;
import weir.host.Child;
import weir.host.Children;
import weir.host.Command;
import weir.host.JavaRuntime;
import weir.host.Ports;
import weir.io.Io;
import weir.time.MachineClock;
import weir.time.TimeLimit;

/** The null target, a process that acknowledges records and drops them, so that no broker limits the engine. */
public record NullCluster(Child child, Path log, String address) implements Cluster {
    public static final String VERSION = "null target";

    private static final int ATTEMPTS = 3;
    private static final int LINES = 20;
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration LOOK = Duration.ofMillis(10);
    // The JVM compiles little code, so the second compiler would only take CPU from the generator.
    private static final List<String> FLAGS =
            List.of("-Xms48m", "-Xmx48m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:MaxDirectMemorySize=1g");

    public static NullCluster start(Children children, Path logs) {
        return start(children, logs, new Ports());
    }

    static NullCluster start(Children children, Path logs, IntSupplier ports) {
        Path log = logs.resolve("sink.log").toAbsolutePath();
        Io.attempt("preparing " + log, () -> Files.createDirectories(logs));
        for (int attempt = 1; ; attempt++) {
            int port = ports.getAsInt();
            Child child = children.start(new Command("sink", command(children, port), log, Command.Output.LOGGED));
            if (up(child, port)) {
                return new NullCluster(
                        child, log, InetAddress.getLoopbackAddress().getHostAddress() + ":" + port);
            }
            List<String> lines = child.lastLines(LINES);
            child.close();
            boolean taken = lines.stream().anyMatch(line -> line.contains("Address already in use"));
            if (!taken || attempt == ATTEMPTS) {
                throw new ClusterUnavailable(
                        "the null target did not start; last lines of " + log + ":\n" + String.join("\n", lines));
            }
        }
    }

    private static List<String> command(Children children, int port) {
        List<String> command = new ArrayList<>();
        command.add(JavaRuntime.own().launcher().toString());
        command.addAll(FLAGS);
        command.add("-Djava.io.tmpdir=" + children.temporary());
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(SinkMain.class.getName());
        if (children.tied()) {
            command.add(SinkMain.WATCHING);
        }
        command.add(String.valueOf(port));
        return command;
    }

    /** True once the sink prints that it listens. Another process may listen at a port that the sink did not get. */
    private static boolean up(Child child, int port) {
        TimeLimit deadline = MachineClock.within(LIMIT);
        while (!deadline.passed() && !child.endsWithin(LOOK)) {
            if (child.lastLines(LINES).contains(SinkMain.LISTENING + port)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public String bootstrap() {
        return address;
    }

    @Override
    public SortedMap<String, String> clientProperties() {
        return new TreeMap<>(Map.of("bootstrap.servers", address));
    }

    @Override
    public String id() {
        return "weir-null-target";
    }

    @Override
    public String version() {
        return VERSION;
    }

    @Override
    public List<Broker> brokers() {
        long pid = child.alive() ? child.pid() : -1;
        return List.of(new Broker(1, address, "", "", pid, log, log.resolveSibling("")));
    }

    @Override
    public boolean startedByWeir() {
        return true;
    }

    @Override
    public SortedMap<String, String> facts() {
        return new TreeMap<>(Map.of("sink.jvm", String.join(" ", FLAGS)));
    }

    @Override
    public void close() {
        child.close();
    }
}
