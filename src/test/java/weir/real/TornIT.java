package weir.real;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import weir.cluster.admin.TrialTopics;
import weir.cluster.start.EmbeddedCluster;
import weir.cluster.start.Node;

/** The messages about torn transactions, and the remains of a killed producer. */
@Timeout(150)
class TornIT {
    @TempDir
    static Path folder;

    private static OwnKafka kafka;
    private static EmbeddedCluster cluster;

    @BeforeAll
    static void startKafka() {
        kafka = OwnKafka.startRelayed(
                folder, Kafkas.of("4.4.0", 1).broker("transaction.state.log.num.partitions", "3"));
        cluster = kafka.cluster();
    }

    @AfterAll
    static void stopKafka() {
        kafka.close();
    }

    private static Door door(String name) throws Exception {
        return new Door(Files.createDirectory(folder.resolve(name)).toRealPath());
    }

    private static Path run(Door door) throws Exception {
        try (Stream<Path> runs = Files.list(door.folder().resolve("runs"))) {
            return runs.findFirst().orElseThrow(() -> new AssertionError("no run"));
        }
    }

    @Test
    @Tag("long")
    void swappedTransactionEndsAreDetectedAndEveryRecordIsListed() throws Exception {
        Door door = door("liar");
        door.file("torn.yaml", """
                name: torn
                cluster: { bootstrap: "%s" }
                topics: { source: {}, target: {} }
                load:
                  workload: stream
                  from: source
                  to: target
                  backlog: 200 records
                  rate: 50/s
                  transaction: { records: 4, abort: 40%% }
                warmup: none
                measure: { operations: 100 }
                """.formatted(cluster.relayedProperties().get("bootstrap.servers")));
        try (Liar liar = new Liar(cluster.node(1), Set.of(5, -2))) {
            Door.Ended ended = door.weir("run", "--short", "torn.yaml", "--yes");
            assertThat(liar.told()).as(ended.err()).containsExactlyInAnyOrder(5, -2);
            assertThat(ended.exit()).as(ended.err()).isEqualTo(5);
            JsonNode found = new ObjectMapper()
                    .readTree(run(door).resolve("trials/01-base-1/trial.json").toFile())
                    .findValue("atomicity");
            assertThat(found.get("offsetsWithoutRecord").asLong())
                    .as("%s", found)
                    .isEqualTo(4);
            // On an abort, a client drops its unsent records. These aborted records have reached the brokers.
            assertThat(found.get("abortedReads").asLong()).as("%s", found).isEqualTo(4);
            assertThat(found.get("writtenTwice").asLong()).as("%s", found).isEqualTo(4);
            List<String> named = new ArrayList<>();
            found.get("violations").forEach(line -> named.add(line.asText()));
            String place = ".*target-0@\\d+ \\(producer 1, message \\d+\\)";
            assertNamed(named, 4, "aborted read: " + place + ", whose transaction was aborted");
            assertNamed(named, 4, "duplicated: .*source-0@\\d+ was written again as " + place);
            assertNamed(named, 4, "lost: the offset of .*source-0@\\d+ is committed .*");
            assertNamed(named, 1, "lost: producer 1, messages \\d+ to \\d+");
            String html = Files.readString(run(door).resolve("report.html"));
            String text = door.weir("report", "torn").out().replaceAll("\\s+", " ");
            for (String line : named) {
                assertThat(ended.err()).contains(line);
                assertThat(html).contains(line);
            }
            for (String line : named.subList(0, 4)) {
                assertThat(text).contains(line);
            }
            assertThat(Files.readString(run(door).resolve("conclusion.json"))).contains("transactions were torn");
        }
    }

    private static void assertNamed(List<String> named, int times, String line) {
        assertThat(named.stream().filter(text -> text.matches(line)))
                .as("%s of %s", line, named)
                .hasSize(times);
    }

    @Test
    @Tag("long")
    void openTransactionOfAKilledProducerIsAbortedAndNeverRead() throws Exception {
        int together = 40;
        Door door = door("killed");
        door.file("killed.yaml", """
                name: killed
                cluster: { bootstrap: "%s" }
                topics: { left: { existing: true }, right: { existing: true } }
                load: { workload: write, rate: 20/s, producers: 2, transaction: { records: %d } }
                warmup: none
                measure: 40s
                """.formatted(cluster.bootstrap(), together));
        try (TrialTopics topics = TrialTopics.on(cluster, name -> name, kafka.journal())) {
            try (Admin admin = Admin.create(new HashMap<>(cluster.clientProperties()))) {
                admin.createTopics(List.of(new NewTopic("left", 1, (short) 1), new NewTopic("right", 1, (short) 1)))
                        .all()
                        .get();
            }
            Door.Running run = door.start("run", "--short", "killed.yaml", "--yes");
            run.awaitErr("acked ");
            while (topics.transactionalIds().inUse("weir-killed-").size() < 2
                    || Log.read(cluster, "left").entries().size() < 2 * together) {
                LockSupport.parkNanos(50_000_000);
            }
            run.child("WorkerMain").destroyForcibly();
            Door.Ended ended = run.end();
            assertThat(ended.exit()).as(ended.err()).isEqualTo(4);
            assertThat(run(door).resolve("failure.txt")).doesNotExist();
            assertThat(ended.err().replaceAll("\\s+", " "))
                    .contains("to run the rest: weir run --short killed.yaml --yes --resume ")
                    .contains(run(door).getFileName().toString());
            assertThat(topics.transactionalIds().inUse("weir-killed-"))
                    .as(ended.err())
                    .isEmpty();
            assertThat(Files.readString(run(door).resolve("trials/01-base-1/windows.csv.part"))
                            .lines())
                    .as("what was measured is kept")
                    .hasSizeGreaterThan(1);
        }
        Map<Integer, Set<Long>> seen = new TreeMap<>();
        long written = 0;
        for (String topic : List.of("left", "right")) {
            written += Log.read(cluster, topic).entries().size();
            for (Log.Entry entry : Log.readCommitted(cluster, topic).entries()) {
                assertThat(seen.computeIfAbsent(entry.producer(), none -> new HashSet<>())
                                .add(entry.sequence()))
                        .as("%s is there once", entry)
                        .isTrue();
            }
        }
        assertThat(seen.values().stream().mapToInt(Set::size).sum())
                .isPositive()
                .isLessThan((int) written);
        // A transaction is a number of consecutive messages, so the numbers identify the transaction.
        seen.forEach((producer, messages) -> {
            Map<Long, Integer> each = new TreeMap<>();
            messages.forEach(message -> each.merge(message / together, 1, Integer::sum));
            assertThat(each.values()).as("producer %d: %s", producer, each).containsOnly(together);
        });
    }

    /**
     * A relay in front of a broker that reverses some ends of transactions: the producer requests a commit and the
     * broker gets an abort, or the other way round. Everything else passes unchanged.
     */
    static final class Liar implements AutoCloseable {
        private static final short END_TXN = 26;
        private static final int MAX_REQUEST = 16 << 20;

        private final Node door;
        private final Set<Integer> turned;
        private final ServerSocket server;
        private final Set<Integer> told = ConcurrentHashMap.newKeySet();
        private final Set<Socket> open = ConcurrentHashMap.newKeySet();
        private int commits;
        private int aborts;

        /** {@code turned}: commits, counted from 1, and aborts, counted from -1 downwards, that are reversed. */
        Liar(Node door, Set<Integer> turned) throws IOException {
            this.door = door;
            this.turned = turned;
            this.server = new ServerSocket(door.relayPort(), 50, InetAddress.getLoopbackAddress());
            start(this::accept);
        }

        /** Returns the reversed ones that it has met. */
        Set<Integer> told() {
            return told;
        }

        private static void start(Runnable what) {
            Thread thread = new Thread(what, "weir-liar");
            thread.setDaemon(true);
            thread.start();
        }

        private void accept() {
            try {
                while (true) {
                    Socket client = server.accept();
                    Socket broker = new Socket(InetAddress.getLoopbackAddress(), door.port(Node.RELAYED));
                    open.add(client);
                    open.add(broker);
                    start(() -> requests(client, broker));
                    start(() -> replies(broker, client));
                }
            } catch (IOException closed) {
                end();
            }
        }

        private void requests(Socket client, Socket broker) {
            try (client;
                    broker;
                    DataInputStream in = new DataInputStream(client.getInputStream());
                    DataOutputStream out = new DataOutputStream(broker.getOutputStream())) {
                while (true) {
                    byte[] request = new byte[Math.min(in.readInt(), MAX_REQUEST)];
                    in.readFully(request);
                    if (request.length > 8 && (short) (request[0] << 8 | request[1]) == END_TXN) {
                        end(request);
                    }
                    out.writeInt(request.length);
                    out.write(request);
                    out.flush();
                }
            } catch (IOException over) {
                open.remove(client);
            }
        }

        // The flag is at the end of the request; only the tags follow, and there are none.
        private synchronized void end(byte[] request) {
            boolean commit = request[request.length - 2] == 1;
            int number = commit ? ++commits : --aborts;
            if (turned.contains(number)) {
                told.add(number);
                request[request.length - 2] = (byte) (commit ? 0 : 1);
            }
        }

        private void replies(Socket broker, Socket client) {
            try (broker;
                    client) {
                broker.getInputStream().transferTo(client.getOutputStream());
            } catch (IOException over) {
                open.remove(broker);
            }
        }

        private void end() {
            try {
                server.close();
                for (Socket socket : open) {
                    socket.close();
                }
            } catch (IOException e) {
                throw new UncheckedIOException("closing what stands before a broker", e);
            }
        }

        @Override
        public void close() {
            end();
        }
    }
}
