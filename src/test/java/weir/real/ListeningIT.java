package weir.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The sockets on which the processes of a run listen. */
class ListeningIT {
    /** A broker, two gateways, HAProxy and a worker, with the page of the run. */
    private static final String ALL_KINDS = """
            name: all-kinds
            cluster: { heap: 256MiB, jvm: [-XX:TieredStopAtLevel=1] }
            topics: { t: { partitions: 1 } }
            bridge: { gateway: { instances: 2 }, balancer: haproxy }
            load: { workload: deliver, engine: { send: http, receive: client }, rate: 100/s }
            warmup: none
            measure: 60s
            """;

    private static final String LISTENS = "0A";

    @TempDir
    private Path folder;

    /** A socket in a table of the kernel: its process, and its address. */
    private record Listener(String process, String address) {
        /** 127.0.0.0/8, ::1, and the former in IPv6; words of four bytes, each with its last byte first. */
        boolean loopback() {
            String host = address.substring(0, address.indexOf(':'));
            return host.matches("[0-9A-F]{6}7F|0{24}01000000|0{16}FFFF0000[0-9A-F]{6}7F");
        }
    }

    private static List<Listener> listeners(Stream<ProcessHandle> processes) throws IOException {
        Map<String, String> addresses = new HashMap<>();
        for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
            for (String line : Files.readAllLines(Path.of(table))) {
                String[] words = line.strip().split("\\s+", -1);
                if (words[3].equals(LISTENS)) {
                    addresses.put("socket:[" + words[9] + "]", words[1]);
                }
            }
        }
        List<Listener> listeners = new ArrayList<>();
        processes.forEach(process -> {
            Path proc = Path.of("/proc/" + process.pid());
            try (Stream<Path> files = Files.list(proc.resolve("fd"))) {
                String name = Files.readString(proc.resolve("cmdline"))
                        .replaceAll("\0", " ")
                        .replaceAll(" -cp \\S+", "");
                for (Path file : files.toList()) {
                    String address = addresses.get(target(file));
                    if (address != null) {
                        listeners.add(new Listener(name, address));
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException("a process of the run has ended", e);
            }
        });
        return listeners;
    }

    private static String target(Path file) {
        try {
            return Files.readSymbolicLink(file).toString();
        } catch (IOException closed) {
            return "";
        }
    }

    /** Waits until a probe has read an MBean of the broker. */
    private void awaitMBeans(Door.Running run) throws IOException {
        boolean read = false;
        while (!read) {
            assertThat(run.process().isAlive()).as(Files.readString(run.err())).isTrue();
            LockSupport.parkNanos(100_000_000);
            Path runs = folder.resolve("runs");
            try (Stream<Path> all = Files.isDirectory(runs) ? Files.list(runs) : Stream.of()) {
                for (Path one : all.toList()) {
                    Path readings = one.resolve("trials/01-base-1/probes.csv.part");
                    read |= Files.exists(readings) && Files.readString(readings).contains("request.queue");
                }
            }
        }
    }

    @Test
    @Tag("long")
    @Timeout(120)
    void allProcessesOfARunListenOnLoopbackOnly() throws Exception {
        Door door = new Door(folder.toRealPath());
        Door.Running run =
                door.start("run", "--live", door.file("all.yaml", ALL_KINDS).toString());
        try {
            run.awaitErr("live page: ", "\n");
            awaitMBeans(run);
            List<Listener> listeners = listeners(Stream.concat(
                    Stream.of(run.process().toHandle()), run.process().descendants()));
            assertThat(listeners).extracting(Listener::process).satisfies(names -> {
                for (String kind : List.of("BrokerMain", "WorkerMain", "haproxy", "run --live")) {
                    assertThat(names).anyMatch(name -> name.contains(kind));
                }
            });
            assertThat(listeners).filteredOn(listener -> !listener.loopback()).isEmpty();
        } finally {
            run.signal("INT");
            run.end();
        }
    }
}
