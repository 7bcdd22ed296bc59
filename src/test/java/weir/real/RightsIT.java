package weir.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.SortedMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import weir.KnownToWork;
import weir.cluster.start.EmbeddedCluster;
import weir.plan.ClusterSpec.Security;

/** Commands with principals that have only the rights of docs/reference/rights.md. */
@ExtendWith(SharedKafka.class)
class RightsIT {
    private static final Path TABLE = Path.of("docs/reference/rights.md");
    private static final Pattern RIGHT = Pattern.compile("`([A-Z_]+)` on (.+)");
    private static final String TOPIC = "books";

    @TempDir
    private Path folder;

    private final EmbeddedCluster cluster;

    /** A command of the table, and the rights beside it. */
    record Row(String command, List<String> rights) {}

    RightsIT(SharedKafka.Clusters clusters) {
        cluster = clusters.of(Kafkas.of("4.4.0", 1)
                .security(Security.SASL_PLAINTEXT)
                .broker("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer")
                .broker("super.users", "User:weir")
                .broker("group.initial.rebalance.delay.ms", "0")
                .broker("metadata.max.idle.interval.ms", "20000"));
    }

    @BeforeEach
    void topic() throws Exception {
        try (Admin admin = admin()) {
            if (!admin.listTopics().names().get().contains(TOPIC)) {
                admin.createTopics(List.of(new NewTopic(TOPIC, 1, (short) 1)))
                        .all()
                        .get();
                try (KafkaProducer<byte[], byte[]> producer = producer()) {
                    for (int i = 0; i < 100; i++) {
                        producer.send(new ProducerRecord<>(TOPIC, new byte[100]))
                                .get();
                    }
                }
            }
        }
    }

    private Admin admin() {
        return Admin.create(new HashMap<>(cluster.clientProperties()));
    }

    /** Returns the rows of the first table, which begin with a command. */
    static Stream<Row> rows() throws IOException {
        return Files.readAllLines(TABLE).stream()
                .filter(line -> line.startsWith("| `weir "))
                .map(line -> line.split(" *\\| *"))
                .map(cells -> new Row(cells[1], List.of(cells[2].split(", "))));
    }

    @Test
    @Tag("long")
    void withoutTheRightToWriteTheReasonIsOneLine() throws Exception {
        for (String engine : List.of("client", "wire")) {
            Door.Ended refused =
                    tried("`weir perf producer --engine " + engine + "`", List.of("`DESCRIBE` on the topic"));
            assertThat(refused.exit()).as(refused.err()).isEqualTo(3);
            assertThat(refused.err())
                    .containsPattern("(?m)^the cluster refuses: .*docs/reference/rights.md")
                    .doesNotContain("\tat ")
                    .doesNotContain("trace");
        }
    }

    @Tag("long")
    @KnownToWork({
        "security: Kafka's `StandardAuthorizer` with the least rights of docs/reference/rights.md",
        "security: a principal with `WRITE` on one topic and no other right, with either engine"
    })
    @ParameterizedTest
    @MethodSource("rows")
    void theRightsOfTheTableAreEnoughAndNoneIsTooMany(Row row) throws Exception {
        Door.Ended ended = tried(row.command, row.rights);
        assertThat(ended.exit()).as("%s: %s", row, ended.err()).isZero();
        for (String right : row.rights) {
            List<String> rest = new ArrayList<>(row.rights);
            rest.remove(right);
            Door.Ended refused = tried(row.command, rest);
            assertThat(refused.exit())
                    .as("%s without %s: %s", row.command, right, refused.err())
                    .isIn(3, 4);
            assertThat(refused.err()).doesNotContain("\tat ").doesNotContain("trace");
        }
    }

    /** Runs the command as a new principal with these rights. */
    private Door.Ended tried(String command, List<String> rights) throws Exception {
        Door door = new Door(Files.createTempDirectory(folder.toRealPath(), "door"));
        String user = String.valueOf(door.folder().getFileName());
        try (Admin admin = admin()) {
            ScramCredentialInfo scram = new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, 4096);
            admin.alterUserScramCredentials(List.of(new UserScramCredentialUpsertion(user, scram, "open")))
                    .all()
                    .get();
            admin.createAcls(rights.stream().map(right -> acl(user, right)).toList())
                    .all()
                    .get();
        }
        // A cluster without new records has no shape.
        ScheduledExecutorService writes = Executors.newSingleThreadScheduledExecutor();
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            if (command.contains("shape")) {
                var unused = writes.scheduleAtFixedRate(() -> write(producer), 0, 50, TimeUnit.MILLISECONDS);
            }
            return door.weir(arguments(command, door, user).toArray(String[]::new));
        } finally {
            writes.shutdownNow();
        }
    }

    private static void write(KafkaProducer<byte[], byte[]> producer) {
        var unused = producer.send(new ProducerRecord<>(TOPIC, new byte[100]));
    }

    private KafkaProducer<byte[], byte[]> producer() {
        return new KafkaProducer<>(
                new HashMap<>(cluster.clientProperties()), new ByteArraySerializer(), new ByteArraySerializer());
    }

    private static AclBinding acl(String user, String right) {
        Matcher words = RIGHT.matcher(right);
        assertThat(words.matches()).as(right).isTrue();
        String on = words.group(2);
        ResourceType type = on.contains("transactional id")
                ? ResourceType.TRANSACTIONAL_ID
                : on.contains("group")
                        ? ResourceType.GROUP
                        : on.contains("cluster") ? ResourceType.CLUSTER : ResourceType.TOPIC;
        boolean prefixed = on.contains("`weir-`");
        String name = prefixed
                ? "weir-"
                : switch (type) {
                    case TOPIC -> words.group(1).equals("CREATE") ? user : TOPIC;
                    case CLUSTER -> "kafka-cluster";
                    default -> user;
                };
        return new AclBinding(
                new ResourcePattern(type, name, prefixed ? PatternType.PREFIXED : PatternType.LITERAL),
                new AccessControlEntry(
                        "User:" + user,
                        "*",
                        AclOperation.valueOf(words.group(1).toUpperCase(Locale.ROOT)),
                        AclPermissionType.ALLOW));
    }

    private List<String> arguments(String command, Door door, String user) throws IOException {
        Properties client = new Properties();
        SortedMap<String, String> ours = cluster.clientProperties();
        client.putAll(ours);
        client.remove("bootstrap.servers");
        client.put(
                "sasl.jaas.config",
                "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"" + user
                        + "\" password=\"open\";");
        Path file = door.folder().resolve("client.properties");
        try (var out = Files.newBufferedWriter(file)) {
            client.store(out, null);
        }
        List<String> words = new ArrayList<>(
                List.of(command.replace("`", "").replaceAll(",.*", "").split(" ")));
        words.remove(0);
        words.replaceAll(word -> word.equals("ID") ? user : word);
        switch (words.get(0)) {
            case "perf" -> {
                words.addAll(List.of("--topic", TOPIC, "--num-records", "50"));
                if (words.get(1).equals("producer")) {
                    words.addAll(List.of("--record-size", "100", "--throughput", "-1"));
                }
            }
            case "run" -> {
                words.add(door.file("run.yaml", plan(command)).toString());
                words.add("--yes");
            }
            case "check" -> words.add(door.file("check.yaml", plan(command)).toString());
            case "shape" -> words.addAll(List.of("--topics", TOPIC, "--for", "5s", "--show"));
            case "monitor" -> words.addAll(List.of(TOPIC, "--samples", "1"));
            case "cluster" -> words.add(user);
            default -> {
                words.remove("--bootstrap-server");
                words.add("latency");
            }
        }
        words.addAll(List.of("--bootstrap-server", cluster.bootstrap(), "--command-config", file.toString()));
        return words;
    }

    private static String plan(String command) {
        boolean deliver = command.contains("`deliver`");
        return Stream.of(
                        "name: books",
                        deliver ? "topics: { t: {} }" : "topics: { " + TOPIC + ": { existing: true } }",
                        "load: { workload: " + (deliver ? "deliver" : "produce") + ", rate: 50/s"
                                + (command.contains("`group`") ? ", group: readers" : "")
                                + (command.contains("`share`") ? ", group: { name: readers, protocol: share }" : "")
                                + (command.contains("`transaction`") ? ", transaction: { every: 100ms }" : "") + " }",
                        "warmup: none",
                        "measure: 1s",
                        "accept: { rate-missed: other tests use this machine, generator-late: the same }",
                        command.contains("verify: false") ? "verify: false" : "")
                .collect(Collectors.joining("\n"));
    }
}
