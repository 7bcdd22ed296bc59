package weir.feature.advice;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import weir.host.Journal;
import weir.host.Leftovers;
import weir.host.ProcessId;
import weir.real.Door;
import weir.real.Kafkas;
import weir.real.OwnKafka;
import weir.real.SharedKafka;
import weir.results.RunFolder;

/** The remains of killed programs, which {@code weir doctor} finds and removes. */
@ExtendWith(SharedKafka.class)
@Execution(ExecutionMode.CONCURRENT)
class DoctorIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ENDLESS = """
            name: endless
            topics: { t: { partitions: 2 } }
            load: { workload: deliver, rate: 200/s, value: { size: 100B }, group: { name: g } }
            warmup: 1s
            measure: 60s
            """;

    @TempDir
    private Path folder;

    private Door door = new Door(Path.of(""));

    @BeforeEach
    void open() throws Exception {
        door = new Door(folder.toRealPath());
    }

    @Test
    @Tag("long")
    void doctorDeletesTopicsOfAKilledRunAndKeepsTheRunFolder(SharedKafka.Clusters clusters) throws Exception {
        String bootstrap = clusters.one().bootstrap();
        kill(door.start(
                "run",
                "--short",
                door.file("endless.yaml", ENDLESS).toString(),
                "--yes",
                "--bootstrap-server",
                bootstrap));
        assertThat(topics(bootstrap)).singleElement().asString().startsWith("weir-endless-");
        assertThat(groups(bootstrap)).singleElement().asString().matches("weir-endless-[0-9a-f]+-1-g");

        Door.Ended looked = door.weir("doctor", "--format", "json");
        JsonNode object = JSON.readTree(looked.out());
        assertThat(looked.exit())
                .as(looked.err())
                .isIn(0, 3)
                .isEqualTo(object.get("fit").asBoolean() ? 0 : 3);
        assertThat(object.get("findings")).hasSizeGreaterThan(20);
        assertThat(object.get("canaries")).hasSize(6);
        assertThat(object.get("left").findValuesAsText("kind")).contains("topic", "run");
        assertThat(topics(bootstrap)).as("looking removes nothing").hasSize(1);

        Door.Ended cleaned = door.weir("doctor", "--clean");
        assertThat(cleaned.exit()).as(cleaned.err()).isZero();
        assertThat(cleaned.out()).contains("topic 'weir-endless-");
        assertThat(topics(bootstrap)).isEmpty();
        assertThat(groups(bootstrap)).isEmpty();
        assertThat(leftovers()).isEmpty();
        assertThat(door.weir("report", "endless").exit()).isZero();
    }

    @Test
    void doctorRemovesAnInterruptedClusterStart() throws Exception {
        for (String signal : List.of("KILL", "INT")) {
            Door.Running start = door.start("cluster", "start", "--name", "half");
            List<ProcessId> brokers =
                    awaitBrokers(start).stream().map(ProcessId::of).toList();
            start.signal(signal);
            start.process().waitFor();
            assertThat(leftovers())
                    .singleElement()
                    .satisfies(left -> assertThat(left.running()).hasSize(brokers.size()));
            assertThat(brokers).allMatch(ProcessId::alive);

            assertThat(door.weir("doctor", "--clean").out()).contains("killed process");
            assertThat(brokers).noneMatch(ProcessId::alive);
            assertThat(leftovers()).isEmpty();
            assertThat(door.state().resolve("weir/clusters")).isDirectoryNotContaining(file -> !file.endsWith(".lock"));
            try (Stream<Path> state = Files.list(door.state().resolve("weir"))) {
                assertThat(state.map(path -> String.valueOf(path.getFileName())))
                        .containsOnly("journal", "clusters");
            }
        }
        assertThat(door.weir("doctor", "--clean").out()).contains("no leftovers");
    }

    /** A broker with settings that lose and delay records. The test corrects the settings while the broker runs. */
    @Test
    void onlyBrokerWithBadSettingsIsReported() throws Exception {
        Kafkas asked = Kafkas.of("4.4.0", 1)
                .broker("unclean.leader.election.enable", "true")
                .broker("min.insync.replicas", "1")
                .broker("log.flush.interval.messages", "1");
        try (OwnKafka kafka = OwnKafka.start(Files.createDirectory(folder.resolve("kafka")), asked)) {
            String bootstrap = kafka.cluster().bootstrap();
            Door.Ended bad = door.weir("doctor", "--brokers", "--bootstrap-server", bootstrap, "--format", "json");
            assertThat(bad.exit()).as(bad.err()).isEqualTo(3);
            assertThat(verdict(bad, "unclean.leader.election.enable of brokers"))
                    .isEqualTo("bad true");
            assertThat(verdict(bad, "min.insync.replicas of brokers")).isEqualTo("doubt 1");
            assertThat(verdict(bad, "log.flush.interval.messages")).isEqualTo("doubt 1");

            try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
                ConfigResource brokers = new ConfigResource(ConfigResource.Type.BROKER, "");
                admin.incrementalAlterConfigs(Map.of(
                                brokers,
                                List.of(
                                        set("unclean.leader.election.enable", "false"),
                                        set("min.insync.replicas", "2"),
                                        set("log.flush.interval.messages", String.valueOf(Long.MAX_VALUE)))))
                        .all()
                        .get();
            }
            Door.Ended good = door.weir("doctor", "--brokers", "--bootstrap-server", bootstrap, "--format", "json");
            assertThat(good.exit()).as(good.err()).isZero();
            assertThat(verdict(good, "unclean.leader.election.enable of brokers"))
                    .isEqualTo("fine false");
            assertThat(verdict(good, "min.insync.replicas of brokers")).isEqualTo("fine 2");
            assertThat(verdict(good, "log.flush.interval.messages")).isEqualTo("fine not set");
            for (JsonNode finding : JSON.readTree(good.out()).get("findings")) {
                assertThat(finding.get("verdict").asText())
                        .as(finding.toString())
                        .isNotEqualTo("unknown");
            }

            Path data = kafka.cluster().brokers().get(0).data();
            Map<String, String> found = ofBrokerWith(data, door.weir("doctor", "--brokers", "--format", "json"));
            // By the command line, the properties file and the kernel: settings at the start, and the disk of the
            // folder.
            assertThat(found)
                    .containsEntry("heap", "fine 0.3 GiB")
                    .containsEntry("garbage collector", "fine G1, 20 ms");
            assertThat(found.get("file system"))
                    .endsWith(" " + Files.getFileStore(data).type());
            assertThat(found.get("open files")).matches("(fine|doubt|bad) [0-9,]+, [0-9,]+ in use");
        }
    }

    /** Returns the verdicts for the broker with this folder, by rule, because the machine may have other brokers. */
    private static Map<String, String> ofBrokerWith(Path data, Door.Ended ended) throws Exception {
        Map<String, String> found = new HashMap<>();
        for (JsonNode finding : JSON.readTree(ended.out()).get("findings")) {
            String rule = finding.get("name").asText().replaceFirst(" of broker \\d+$", "");
            if (rule.equals("open files")) {
                // The first finding of each process; findings of its folders follow.
                found.clear();
            }
            found.put(
                    rule,
                    finding.get("verdict").asText() + " "
                            + finding.get("figure").asText());
            if (finding.get("means").asText().contains(data.toString())
                    && finding.get("figure").asText().endsWith("GiB")) {
                return found;
            }
        }
        throw new AssertionError("no broker with " + data + " in " + ended.out());
    }

    private static AlterConfigOp set(String name, String value) {
        return new AlterConfigOp(new ConfigEntry(name, value), AlterConfigOp.OpType.SET);
    }

    private static String verdict(Door.Ended ended, String name) throws Exception {
        for (JsonNode finding : JSON.readTree(ended.out()).get("findings")) {
            if (finding.get("name").asText().equals(name)) {
                return finding.get("verdict").asText() + " "
                        + finding.get("figure").asText();
            }
        }
        throw new AssertionError("no finding '" + name + "' in " + ended.out());
    }

    /** Kills the run after its first measurement, because only such a run stays. */
    private void kill(Door.Running run) throws Exception {
        run.awaitErr("measure");
        while (run.process().isAlive()
                && !RunFolder.list(folder.resolve("runs")).get(0).measured()) {
            LockSupport.parkNanos(20_000_000);
        }
        run.signal("KILL");
        run.process().waitFor();
    }

    /** Returns the brokers that the start has written to its journal. */
    private List<Long> awaitBrokers(Door.Running start) throws Exception {
        while (start.process().isAlive()) {
            List<Long> children = new ArrayList<>();
            try (Stream<Path> journals = Files.exists(door.state().resolve("weir/journal"))
                    ? Files.list(door.state().resolve("weir/journal"))
                    : Stream.of()) {
                for (Path journal : journals.filter(file -> file.toString().endsWith(".txt"))
                        .toList()) {
                    Files.readString(journal)
                            .lines()
                            .filter(line -> line.startsWith("+ child "))
                            .forEach(line -> children.add(Long.parseLong(line.split(" ", -1)[2])));
                }
            }
            if (!children.isEmpty()) {
                return children;
            }
            LockSupport.parkNanos(5_000_000);
        }
        throw new AssertionError("it ended before it could be killed: " + Files.readString(start.err()));
    }

    private List<Leftovers> leftovers() {
        return Journal.leftovers(door.state().resolve("weir"));
    }

    private static List<String> groups(String bootstrap) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            return admin.listGroups().all().get().stream()
                    .map(GroupListing::groupId)
                    .filter(name -> name.startsWith("weir-endless-"))
                    .toList();
        }
    }

    private static List<String> topics(String bootstrap) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            return admin.listTopics().names().get().stream()
                    .filter(name -> name.startsWith("weir-endless-"))
                    .toList();
        }
    }
}
