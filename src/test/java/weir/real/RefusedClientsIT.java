package weir.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TransactionState;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import weir.KnownToWork;
import weir.cluster.start.EmbeddedCluster;
import weir.host.Journal;

/** Runs that the clients or the brokers refuse, with one line of error. */
@ExtendWith(SharedKafka.class)
@Execution(ExecutionMode.CONCURRENT)
class RefusedClientsIT {
    @TempDir
    private Path folder;

    private final EmbeddedCluster cluster;
    private Door door = new Door(Path.of(""));

    RefusedClientsIT(SharedKafka.Clusters clusters) {
        cluster = clusters.one();
    }

    @BeforeEach
    void open() throws Exception {
        door = new Door(folder.toRealPath());
    }

    private void topic(String name) throws Exception {
        try (Admin admin = admin()) {
            admin.createTopics(List.of(new NewTopic(name, 3, (short) 1))).all().get();
        }
    }

    private Admin admin() {
        return Admin.create(new HashMap<>(cluster.clientProperties()));
    }

    private Door.Running producer(String topic, String id, int records) throws Exception {
        return door.start(
                "perf",
                "producer",
                "--bootstrap-server",
                cluster.bootstrap(),
                "--topic",
                topic,
                "--record-size",
                "100",
                "--throughput",
                "100",
                "--num-records",
                String.valueOf(records),
                "--transactional-id",
                id,
                "--transaction-duration-ms",
                "200");
    }

    @Test
    @Tag("long")
    void newerProducerFencesTheOlderWhichEndsWithOneLine() throws Exception {
        topic("fenced");
        Door.Running older = producer("fenced", "same", 100_000);
        awaitTransaction("same");
        Door.Ended newer = producer("fenced", "same", 200).end();
        Door.Ended fenced = older.end();
        assertThat(newer.exit()).as(newer.err()).isZero();
        assertThat(newer.out()).contains("200 records sent, ");
        assertThat(fenced.exit()).as(fenced.err()).isEqualTo(4);
        assertThat(fenced.err()
                        .lines()
                        .filter(line ->
                                line.contains("failed: transactional id 'same' was taken by another producer (")))
                .as(fenced.err())
                .hasSize(1);
        assertThat(fenced.err()).doesNotContain("\tat ").doesNotContain("producer restarts");
    }

    private void awaitTransaction(String id) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        try (Admin admin = admin()) {
            while (admin.listTransactions().all().get().stream()
                    .noneMatch(found ->
                            found.transactionalId().equals(id) && found.state() == TransactionState.COMPLETE_COMMIT)) {
                assertThat(System.nanoTime()).as("nobody works with id " + id).isLessThan(deadline);
                LockSupport.parkNanos(50_000_000);
            }
        }
    }

    @Test
    @Tag("long")
    @KnownToWork("client file: `group.instance.id` with several consumers of a group")
    void staticMembersOfOneGroupHaveNamesOfTheirOwn() throws Exception {
        Path file = door.file("members.yaml", """
                name: members
                topics: { t: { partitions: 3 } }
                load:
                  workload: deliver
                  rate: 100/s
                  consumers: 3
                  group: members
                  consumer: { group.instance.id: me }
                warmup: none
                measure: 2s
                accept: { rate-missed: other tests use this machine, generator-late: the same }
                """);
        Door.Ended ended = door.weir("run", file.toString(), "--bootstrap-server", cluster.bootstrap(), "--yes");
        assertThat(ended.exit()).as(ended.err()).isZero();
    }

    @Test
    void transactionTimeoutAboveTheBrokerLimitIsRefused() throws Exception {
        topic("timeouts");
        Path file = door.file("timeouts.yaml", """
                name: timeouts
                topics: { timeouts: { existing: true } }
                load:
                  workload: produce
                  rate: 100/s
                  transaction: { every: 200ms }
                  producer: { transaction.timeout.ms: 1000000 }
                measure: 1s
                """);
        for (String command : List.of("check", "run")) {
            Door.Ended ended = door.weir(Stream.concat(
                            Stream.of(command, file.toString(), "--bootstrap-server", cluster.bootstrap()),
                            command.equals("run") ? Stream.of("--yes") : Stream.empty())
                    .toArray(String[]::new));
            assertThat(ended.exit()).as(ended.err()).isEqualTo(3);
            assertThat(ended.err())
                    .contains("must be at most transaction.max.timeout.ms of the brokers, 900000, found '1000000'")
                    .doesNotContain("\tat ");
        }
    }

    @Test
    @Tag("long")
    void doctorDeletesClusterLeftoversOnce() throws Exception {
        topic("weir-left-1-t");
        Path journal = Files.createDirectories(door.state().resolve("weir/journal"));
        String at = URLEncoder.encode(cluster.bootstrap(), StandardCharsets.UTF_8);
        Files.writeString(
                journal.resolve("999999999~boot:1~a.txt"),
                "+ topic " + at + " weir-left-1-t\n+ group " + at + " weir-never-was\n+ topic gone%3A9092 weir-a\n");
        Path file = door.file("next.yaml", """
                name: next
                topics: { t: {} }
                load: { workload: produce, rate: 10/s }
                warmup: none
                measure: 1s
                """);
        Door.Ended first = door.weir("run", file.toString(), "--bootstrap-server", cluster.bootstrap(), "--yes");
        assertThat(first.err()
                        .lines()
                        .filter(line ->
                                line.contains("an earlier run may have left behind topic 'weir-a' on" + " gone:9092;")))
                .as(first.err())
                .hasSize(1);
        assertThat(first.err()).doesNotContain("weir-never-was", "killed");
        try (Admin admin = admin()) {
            assertThat(admin.listTopics().names().get()).doesNotContain("weir-left-1-t");
        }
        Door.Ended second = door.weir("run", file.toString(), "--bootstrap-server", cluster.bootstrap(), "--yes");
        assertThat(second.err()).doesNotContain("weir-a", "earlier run", "killed");
        assertThat(Journal.leftovers(door.state().resolve("weir")))
                .flatExtracting(left -> left.resources())
                .singleElement()
                .satisfies(left -> assertThat(left.name()).isEqualTo("weir-a"));
    }
}
