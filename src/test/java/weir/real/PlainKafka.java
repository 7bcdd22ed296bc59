package weir.real;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import weir.cluster.release.Release;

/** One broker that is not Weir's: Kafka's own main with a file of properties, of which all that is not given is Kafka's default. */
final class PlainKafka implements AutoCloseable {
    private final Process process;
    private final Map<String, String> addresses;
    private final Path log;

    /**
     * A listener on loopback.
     *
     * @param advertised empty for where it listens
     */
    record Listener(String name, String protocol, String host, String advertised) {
        Listener(String name, String protocol) {
            this(name, protocol, "127.0.0.1", "");
        }
    }

    private PlainKafka(Process process, Map<String, String> addresses, Path log) {
        this.process = process;
        this.addresses = addresses;
        this.log = log;
    }

    /** @param listeners the first is also that of the broker itself */
    static PlainKafka start(Path folder, List<Listener> listeners, Map<String, String> more) throws Exception {
        Map<String, String> addresses = new LinkedHashMap<>();
        List<ServerSocket> taken = new ArrayList<>();
        List<Listener> all = new ArrayList<>(listeners);
        all.add(new Listener("CONTROLLER", "PLAINTEXT"));
        for (Listener listener : all) {
            ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(listener.host()));
            taken.add(socket);
            addresses.put(listener.name(), listener.host() + ":" + socket.getLocalPort());
        }
        Map<String, String> properties = new TreeMap<>(Map.of(
                "node.id",
                "1",
                "process.roles",
                "broker,controller",
                "controller.listener.names",
                "CONTROLLER",
                "controller.quorum.voters",
                "1@" + addresses.get("CONTROLLER"),
                "inter.broker.listener.name",
                listeners.get(0).name(),
                "log.dirs",
                folder.resolve("data").toString()));
        properties.put("listeners", joined(all, each -> each.name() + "://" + addresses.get(each.name())));
        properties.put(
                "advertised.listeners",
                joined(
                        listeners,
                        each -> each.name() + "://"
                                + (each.advertised().isEmpty() ? addresses.get(each.name()) : each.advertised())));
        properties.put("listener.security.protocol.map", joined(all, each -> each.name() + ":" + each.protocol()));
        properties.putAll(more);
        Path file = folder.resolve("server.properties");
        Files.write(
                file,
                properties.entrySet().stream()
                        .map(each -> each.getKey() + "=" + each.getValue().replace("\\", "\\\\"))
                        .toList());
        Path log = folder.resolve("kafka.log");
        String id = "PlainKafka-AAAAAAAAAAAA".substring(0, 22);
        Process format = java(log, "kafka.tools.StorageTool", "format", "-t", id, "-c", file.toString());
        if (format.waitFor() != 0) {
            throw new AssertionError(Files.readString(log));
        }
        for (ServerSocket socket : taken) {
            socket.close();
        }
        PlainKafka kafka = new PlainKafka(java(log, "kafka.Kafka", file.toString()), addresses, log);
        listeners.forEach(listener -> kafka.await(kafka.at(listener.name())));
        return kafka;
    }

    private interface Text {
        String of(Listener listener);
    }

    private static String joined(List<Listener> listeners, Text text) {
        return listeners.stream().map(text::of).collect(Collectors.joining(","));
    }

    private static Process java(Path log, String main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                Release.fetch("4.4.0", text -> {}).joined(),
                main));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    private void await(String address) {
        String[] parts = address.split(":", -1);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
        while (true) {
            try (Socket socket = new Socket(parts[0], Integer.parseInt(parts[1]))) {
                if (socket.isConnected()) {
                    return;
                }
            } catch (IOException notYet) {
                if (!process.isAlive() || System.nanoTime() > deadline) {
                    process.destroyForcibly();
                    throw new AssertionError("no Kafka; its log: " + log, notYet);
                }
                LockSupport.parkNanos(50_000_000);
            }
        }
    }

    String at(String listener) {
        return Objects.requireNonNull(addresses.get(listener));
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
