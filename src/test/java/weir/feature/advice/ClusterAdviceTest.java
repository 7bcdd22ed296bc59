package weir.feature.advice;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import weir.cli.Shell;
import weir.cluster.Broker;
import weir.cluster.admin.ClusterSurvey;
import weir.cluster.admin.ClusterSurvey.SurveyAnswer;
import weir.feature.advice.AdviceRule.Advice;
import weir.plan.RecordKeys;
import weir.plan.property.Property;
import weir.probe.Finding.Verdict;

/** Rules for clusters: a good cluster follows each rule, and a finding reports each broken rule. */
class ClusterAdviceTest {
    private static final Map<String, String> PROPERTIES = Map.ofEntries(
            Map.entry("default.replication.factor", "3"),
            Map.entry("min.insync.replicas", "2"),
            Map.entry("unclean.leader.election.enable", "false"),
            Map.entry("log.flush.interval.messages", "9223372036854775807"),
            Map.entry("log.flush.interval.ms", ""),
            Map.entry("offsets.topic.replication.factor", "3"),
            Map.entry("transaction.state.log.replication.factor", "3"),
            Map.entry("transaction.state.log.min.isr", "2"),
            Map.entry("process.roles", "broker"),
            Map.entry("num.network.threads", "3"),
            Map.entry("num.io.threads", "8"),
            Map.entry("num.replica.fetchers", "1"),
            Map.entry("message.max.bytes", "1048588"),
            Map.entry("replica.fetch.max.bytes", "1048576"),
            Map.entry("socket.request.max.bytes", "104857600"),
            Map.entry("auto.create.topics.enable", "false"),
            Map.entry("auto.leader.rebalance.enable", "true"),
            Map.entry("listeners", "INSIDE://:9092,LOCAL://127.0.0.1:9093"),
            Map.entry("listener.security.protocol.map", "INSIDE:SASL_SSL,LOCAL:PLAINTEXT"));

    /** Rules, and what breaks them: a property of all brokers, one broker or the topic, or in-sync replicas. */
    private static final String SPOILT = """
            default.replication.factor                : all default.replication.factor 1
            min.insync.replicas of brokers            : 2 min.insync.replicas 1
            unclean.leader.election.enable of brokers!: 3 unclean.leader.election.enable true
            log.flush.interval.messages               : 1 log.flush.interval.messages 1
            log.flush.interval.ms                     : 1 log.flush.interval.ms 1000
            offsets.topic.replication.factor          : all offsets.topic.replication.factor 1
            transaction.state.log.replication.factor  : all transaction.state.log.replication.factor 2
            transaction.state.log.min.isr             : all transaction.state.log.min.isr 1
            copies of topics                          : partition 1 1
            min.insync.replicas of topics             : topic min.insync.replicas 1
            topics that one broker stops              : topic min.insync.replicas 3
            unclean.leader.election.enable of topics! : topic unclean.leader.election.enable true
            flush.messages and flush.ms of topics     : topic flush.messages 1
            flush.messages and flush.ms of topics     : topic flush.ms 10
            partitions below min.insync.replicas!     : partition 3 1
            under-replicated partitions               : partition 3 2
            process.roles                             : all process.roles broker,controller
            num.network.threads                       : 1 num.network.threads 1
            num.io.threads                            : all num.io.threads 4
            num.replica.fetchers                      : partition 3 2
            message sizes                             : topic max.message.bytes 5000000
            message sizes!                            : all message.max.bytes 200000000
            segment.bytes of topics                   : topic segment.bytes 1048576
            compression.type of topics                : topic compression.type gzip
            auto.create.topics.enable                 : all auto.create.topics.enable true
            auto.leader.rebalance.enable              : all auto.leader.rebalance.enable false
            throttles of replication                  : 1 leader.replication.throttled.rate 1000000
            properties that differ                    : 1 num.partitions 7
            listeners                                 : all listeners OPEN://0.0.0.0:9092
            """;

    /** A cluster that a test can change: three brokers in three racks, one topic of three partitions. */
    private static final class Sketch {
        private final List<Broker> brokers = new ArrayList<>();
        private final SortedMap<Integer, SortedMap<String, Property>> properties = new TreeMap<>();
        private final List<String> unknown = new ArrayList<>();
        private final SortedMap<String, String> topic = new TreeMap<>(Map.of("min.insync.replicas", "2"));
        private final List<ClusterSurvey.Partition> partitions = new ArrayList<>();
        private ClusterSurvey.Quorum quorum = quorum(0, 3, 0);
        private ClusterSurvey.Level level = new ClusterSurvey.Level(30, 30);
        private final List<ClusterSurvey.Disk> disks = new ArrayList<>();
        private final List<String> quotas = new ArrayList<>();

        Sketch() {
            for (int id = 1; id <= 3; id++) {
                brokers.add(broker(id, "rack-" + id));
                properties.put(id, new TreeMap<>());
                int number = id;
                PROPERTIES.forEach((name, value) -> set(number, name, value));
                set(id, "node.id", String.valueOf(id));
                partitions.add(partition(id - 1, id, 3, 3));
                disks.add(new ClusterSurvey.Disk(id, "/kafka/a", "", 1L << 40, 1L << 39));
            }
        }

        private static Broker broker(int id, String rack) {
            return new Broker(id, "b" + id + ":9092", rack, "", -1, Path.of(""), Path.of(""));
        }

        /** Returns a partition whose leader is its first replica. */
        private static ClusterSurvey.Partition partition(int number, int leader, int copies, int inSync) {
            List<Integer> replicas = Stream.of(leader, leader % 3 + 1, (leader + 1) % 3 + 1)
                    .limit(copies)
                    .toList();
            return new ClusterSurvey.Partition(number, leader, replicas, replicas.subList(0, inSync));
        }

        private static ClusterSurvey.Quorum quorum(long... lags) {
            SortedMap<Integer, Long> all = new TreeMap<>();
            for (long lag : lags) {
                all.put(101 + all.size(), lag);
            }
            return new ClusterSurvey.Quorum(101, all, new TreeSet<>());
        }

        void set(int broker, String name, String value) {
            properties
                    .computeIfAbsent(broker, any -> new TreeMap<>())
                    .put(name, new Property("broker " + broker, name, "", value, "", Property.Source.CLUSTER));
        }

        void leading(int from, int to, IntUnaryOperator leader) {
            for (int number = from; number < to; number++) {
                partitions.add(partition(number, leader.applyAsInt(number), 3, 3));
            }
        }

        void set(String name, String value) {
            properties.keySet().forEach(broker -> set(broker, name, value));
        }

        ClusterSurvey survey() {
            ClusterSurvey.Topic orders = new ClusterSurvey.Topic("orders", false, partitions, topic);
            return new ClusterSurvey(
                    "b1:9092",
                    brokers,
                    new SurveyAnswer.Answered<>(properties),
                    new SurveyAnswer.Answered<>(unknown),
                    new SurveyAnswer.Answered<>(List.of(orders)),
                    new SurveyAnswer.Answered<>(quorum),
                    new SurveyAnswer.Answered<>(level),
                    new SurveyAnswer.Answered<>(disks),
                    new SurveyAnswer.Answered<>(quotas));
        }
    }

    /** Returns changes that break each rule. A name with "!" stands for a finding worse than a doubt. */
    private static Map<String, List<Consumer<Sketch>>> broken() {
        Map<String, List<Consumer<Sketch>>> broken = new LinkedHashMap<>();
        for (String line : SPOILT.lines().toList()) {
            String[] rule = line.split(" *: ", -1);
            String[] words = rule[1].split(" ", -1);
            breaks(
                    broken,
                    rule[0],
                    switch (words[0]) {
                        case "all" -> sketch -> sketch.set(words[1], words[2]);
                        case "topic" -> sketch -> sketch.topic.put(words[1], words[2]);
                        case "partition" ->
                            sketch -> sketch.partitions.add(
                                    Sketch.partition(3, 1, Integer.parseInt(words[1]), Integer.parseInt(words[2])));
                        default -> sketch -> sketch.set(Integer.parseInt(words[0]), words[1], words[2]);
                    });
        }
        breaks(broken, "brokers", sketch -> sketch.brokers.remove(2));
        breaks(
                broken,
                "partitions without a leader!",
                sketch -> sketch.partitions.add(new ClusterSurvey.Partition(3, -1, List.of(1, 2, 3), List.of(1, 2))));
        breaks(
                broken,
                "preferred leaders",
                sketch -> sketch.partitions.add(new ClusterSurvey.Partition(3, 2, List.of(1, 2, 3), List.of(1, 2, 3))));
        breaks(broken, "leaders of each broker", sketch -> sketch.leading(3, 60, number -> 1));
        // A restarted broker leads nothing. No broker leads more than one and a half times the mean of ten.
        breaks(broken, "leaders of each broker", sketch -> {
            sketch.partitions.clear();
            sketch.leading(0, 30, number -> 2 + number % 2);
        });
        breaks(broken, "replicas of each broker", sketch -> sketch.leading(3, 4_100, number -> 1 + number % 3));
        breaks(broken, "racks", sketch -> sketch.brokers.set(0, Sketch.broker(1, "")));
        breaks(broken, "racks", sketch -> sketch.brokers.replaceAll(broker -> Sketch.broker(broker.id(), "")));
        breaks(broken, "racks", sketch -> sketch.brokers.replaceAll(broker -> Sketch.broker(broker.id(), "one")));
        breaks(broken, "partitions within one rack", sketch -> {
            sketch.brokers.set(1, Sketch.broker(2, "rack-1"));
            sketch.partitions.add(Sketch.partition(3, 1, 2, 2));
        });
        breaks(broken, "controllers", sketch -> sketch.quorum = Sketch.quorum(0));
        breaks(broken, "controllers", sketch -> sketch.quorum = Sketch.quorum(0, 0, 0, 0));
        breaks(broken, "controllers", sketch -> sketch.quorum = Sketch.quorum(0, 5_000, 0));
        breaks(
                broken,
                "controllers",
                sketch -> sketch.quorum =
                        new ClusterSurvey.Quorum(101, sketch.quorum.lags(), new TreeSet<>(Set.of(103))));
        breaks(
                broken,
                "log folders!",
                sketch -> sketch.disks.add(new ClusterSurvey.Disk(1, "/kafka/b", "broken", -1, -1)));
        breaks(
                broken,
                "free room of log folders",
                sketch -> sketch.disks.add(new ClusterSurvey.Disk(1, "/kafka/b", "", 1_000, 100)));
        breaks(broken, "num.io.threads", sketch -> {
            for (int folder = 0; folder < 9; folder++) {
                sketch.disks.add(new ClusterSurvey.Disk(1, "/kafka/" + folder, "", 1_000, 500));
            }
        });
        breaks(broken, "quotas", sketch -> sketch.quotas.add("user 'a': {producer_byte_rate=1.0}"));
        breaks(broken, "properties that differ", sketch -> {
            sketch.set("num.partitions", "7");
            sketch.set(3, "num.partitions", "1");
        });
        breaks(broken, "properties that brokers do not know", sketch -> sketch.unknown.add("log.retention.hour"));
        breaks(broken, "metadata.version", sketch -> sketch.level = new ClusterSurvey.Level(26, 30));
        breaks(broken, "listeners", sketch -> {
            sketch.set("listeners", "INSIDE://b1:9092");
            sketch.set("listener.security.protocol.map", "INSIDE:SASL_PLAINTEXT");
        });
        return broken;
    }

    private static void breaks(Map<String, List<Consumer<Sketch>>> broken, String rule, Consumer<Sketch> spoil) {
        broken.computeIfAbsent(rule, any -> new ArrayList<>()).add(spoil);
    }

    @TestFactory
    Stream<DynamicTest> aClusterThatBreaksARuleIsTold() {
        return broken().entrySet().stream()
                .flatMap(rule -> rule.getValue().stream()
                        .map(spoil -> DynamicTest.dynamicTest(rule.getKey(), () -> {
                            Sketch sketch = new Sketch();
                            sketch.set(
                                    "listener.security.protocol.map", "INSIDE:SASL_SSL,LOCAL:PLAINTEXT,OPEN:PLAINTEXT");
                            spoil.accept(sketch);
                            Advice advice =
                                    advice(sketch.survey(), rule.getKey().replace("!", ""));
                            assertThat(advice.finding().verdict())
                                    .isEqualTo(rule.getKey().endsWith("!") ? Verdict.BAD : Verdict.DOUBT);
                            assertThat(advice.finding().figure()).isNotEmpty();
                            assertThat(advice.finding().advice()).isNotEmpty();
                        })));
    }

    @Test
    void goodClusterPassesEveryRuleAndEveryRuleCanFail() {
        List<Advice> good = BrokersDoctor.of(new Sketch().survey());
        assertThat(good).allSatisfy(advice -> {
            assertThat(advice.finding().verdict()).as(advice.finding().name()).isEqualTo(Verdict.FINE);
            assertThat(advice.rule().url()).startsWith("https://");
            assertThat(advice.rule().text("gain")).isNotEmpty();
        });
        Set<String> names = good.stream().map(advice -> advice.finding().name()).collect(Collectors.toSet());
        assertThat(names).hasSameSizeAs(good);
        assertThat(names)
                .isEqualTo(broken().keySet().stream()
                        .map(name -> name.replace("!", ""))
                        .collect(Collectors.toSet()));
    }

    @Test
    void refusedClusterFactsAreUnknownWithTheReason() {
        ClusterSurvey sketch = new Sketch().survey();
        ClusterSurvey refused = RecordKeys.with(
                sketch,
                Stream.of("properties", "unknown", "topics", "quorum", "metadata", "disks", "quotas")
                        .collect(Collectors.toMap(name -> name, name -> refusal())));
        assertThat(BrokersDoctor.of(refused).stream()
                        .filter(advice -> !Set.of("brokers", "racks")
                                .contains(advice.finding().name())))
                .hasSizeGreaterThan(30)
                .allSatisfy(advice -> {
                    assertThat(advice.finding().verdict())
                            .as(advice.finding().name())
                            .isEqualTo(Verdict.UNKNOWN);
                    assertThat(advice.finding().meaning()).contains("not authorized");
                });
    }

    private static <T> SurveyAnswer<T> refusal() {
        return new SurveyAnswer.Refused<>("not authorized");
    }

    @Test
    void unknownFactsDenyNoRisk() {
        ClusterSurvey sketch = new Sketch().survey();
        ClusterSurvey refused = RecordKeys.with(sketch, Map.of("topics", refusal(), "disks", refusal()));
        assertThat(text(refused).lines())
                .last()
                .asString()
                .startsWith("no risk found, 0 doubts, ")
                .contains("; unknown: copies of topics, min.insync.replicas of topics, ");
        assertThat(text(sketch).lines()).last().asString().endsWith(" 0 unknown, 40 fine");
    }

    private static String text(ClusterSurvey survey) {
        StringWriter text = new StringWriter();
        new BrokersDoctor("x", BrokersDoctor.of(survey)).text(new PrintWriter(text, true));
        return text.toString();
    }

    @Test
    void smallSegmentOfACompactedTopicRaisesNoDoubt() {
        Sketch sketch = new Sketch();
        sketch.topic.put("segment.bytes", "52428800");
        sketch.topic.put("cleanup.policy", "compact,delete");
        assertThat(advice(sketch.survey(), "segment.bytes of topics").finding().verdict())
                .isEqualTo(Verdict.FINE);
    }

    @Test
    void possiblySecretValueIsNotShown() {
        Sketch sketch = new Sketch();
        sketch.set(1, "password.encoder.old", "hunter2");
        sketch.set(2, "confluent.license", "hunter2");
        sketch.set(3, "num.partitions", "7");
        assertThat(advice(sketch.survey(), "properties that differ").finding().meaning())
                .isEqualTo("confluent.license, num.partitions (none / 7), password.encoder.old");
    }

    @Test
    void brokerCountExcludesDownBrokersAndStatesIt() {
        Sketch sketch = new Sketch();
        sketch.brokers.remove(2);
        assertThat(advice(sketch.survey(), "brokers").finding())
                .satisfies(finding -> assertThat(finding.figure()).isEqualTo("2 up"))
                .satisfies(finding -> assertThat(finding.meaning()).contains("more copies than there are brokers up"));
    }

    @Test
    void longListOfNamesIsShortened() {
        Sketch sketch = new Sketch();
        for (int i = 0; i < 9; i++) {
            sketch.unknown.add("a.b." + i);
        }
        assertThat(advice(sketch.survey(), "properties that brokers do not know")
                        .finding()
                        .meaning())
                .startsWith("a.b.0, a.b.1, a.b.2 and 6 more");
    }

    @Test
    void terminalEscapesInForeignNamesAreEscaped() {
        Sketch sketch = new Sketch();
        sketch.quotas.add("user '\u001b[2J'");
        assertThat(text(sketch.survey())).contains("user '?[2J'").doesNotContain("\u001b");
    }

    private static Advice advice(ClusterSurvey survey, String name) {
        return named(BrokersDoctor.of(survey), name);
    }

    static Advice named(List<Advice> all, String name) {
        return all.stream()
                .filter(advice -> advice.finding().name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no finding '" + name + "'"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--command-config", "--bootstrap-server 127.0.0.1:1 --classpath"})
    void missingConnectionFileIsReported(String option) {
        Shell shell = Shell.weir(("doctor --brokers " + option + " none").split(" +"));
        assertThat(shell.exit()).as(shell.err()).isEqualTo(2);
        assertThat(shell.err()).contains("none' does not exist, or cannot be read");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --brokers --clean                  | --brokers cannot be combined with
            --brokers --runs elsewhere         | --brokers cannot be combined with
            --brokers --on kubernetes          | run weir on the host of the broker
            --brokers --set a=b                | run weir on the host of the broker
            --brokers experiment.yaml          | run weir on the host of the broker
            --brokers -X client.id=me          | --bootstrap-server is missing; write it like
            --bootstrap-server 127.0.0.1:1     | --bootstrap-server requires --brokers
            """)
    void contradictoryDoctorOptionsPrintOneLineAndExitEarly(String arguments, String says) {
        Shell.weir(("doctor " + arguments).split(" +")).refused(says);
    }
}
