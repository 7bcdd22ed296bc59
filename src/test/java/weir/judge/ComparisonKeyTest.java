package weir.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weir.judge.ComparisonKey.Difference;
import weir.judge.ComparisonKey.Part;
import weir.plan.RecordKeys;
import weir.plan.Setting;
import weir.results.Machine;
import weir.results.RequestedExperiment;
import weir.results.Trials;
import weir.results.value.HostFacts;

class ComparisonKeyTest {
    private static final Map<String, String> SETTINGS = Map.of(
            "load.workload", "deliver", "load.rate", "1000/s", "cluster.kafka", "4.4.0", "topics.weir.partitions", "1");
    private static final Map<String, String> FACTS = Map.of(
            "cpu.model", "Imaginary 9000",
            "cpu.cores", "4",
            "memory.mib", "16000",
            "hypervisor", "xen",
            "filesystem", "ext4",
            "cgroup.version", "2",
            "kernel", "6.1",
            "kafka", "4.4.0");
    private static final ComparisonKey BASE = key(SETTINGS, FACTS);

    private static ComparisonKey key(Map<String, String> settings, Map<String, String> facts) {
        return key(settings, new Machine(facts, Map.of(), List.of()));
    }

    private static ComparisonKey key(Map<String, String> settings, Machine machine) {
        List<Setting> written = new TreeMap<>(settings)
                .entrySet().stream()
                        .map(entry -> new Setting(entry.getKey(), entry.getValue(), "x.yaml:1"))
                        .toList();
        RequestedExperiment.Variant variant = new RequestedExperiment.Variant("base", 5, new TreeMap<>(), written);
        return ComparisonKey.of(Trials.asked("x", variant), variant, machine);
    }

    private static Map<String, String> with(Map<String, String> map, String name, String value) {
        Map<String, String> more = new TreeMap<>(map);
        more.put(name, value);
        return more;
    }

    private static Map<String, String> without(Map<String, String> map, String name) {
        Map<String, String> less = new TreeMap<>(map);
        less.remove(name);
        return less;
    }

    private static ComparisonKey setting(String path, String value) {
        return key(with(SETTINGS, path, value), FACTS);
    }

    private static ComparisonKey fact(String name, String value) {
        return key(SETTINGS, with(FACTS, name, value));
    }

    private static void agree(ComparisonKey one, ComparisonKey other) {
        assertThat(one.differences(other)).isEmpty();
        assertThat(other.differences(one)).isEmpty();
        assertThat(one.id()).isEqualTo(other.id()).matches("[0-9a-f]{8}");
    }

    private static void differIn(Part part, ComparisonKey one) {
        assertThat(BASE.differences(one)).extracting(Difference::part).containsExactly(part);
        assertThat(one.differences(BASE)).extracting(Difference::part).containsExactly(part);
        assertThat(one.id()).isNotEqualTo(BASE.id());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            load.workload               | produce        | WORKLOAD
            load.topics                 | [orders]       | WORKLOAD
            load.key                    | sequence       | WORKLOAD
            load.key.skewed.distinct    | 10k            | WORKLOAD
            load.value.size             | 100B           | WORKLOAD
            load.value.file             | orders.json    | WORKLOAD
            load.transaction.records    | 100            | WORKLOAD
            load.outcome.release        | 1%             | WORKLOAD
            load.work                   | 5ms            | WORKLOAD
            load.http.request           | structured     | WORKLOAD
            load.receiver.delay         | 5ms            | WORKLOAD
            load.receiver.fail          | 1%             | WORKLOAD
            load.rate                   | 2000/s         | LOAD
            load.producers              | 4              | LOAD
            load.consumers              | 4              | LOAD
            load.connections            | 8              | LOAD
            load.threads.count          | 4              | LOAD
            load.workers                | 2              | LOAD
            load.backlog.records        | 1M             | LOAD
            during.crash.kill           | broker 1       | LOAD
            load.target                 | null           | RELEASE_FAMILY
            cluster.bootstrap           | h:9092         | TOPOLOGY
            cluster.brokers             | 3              | TOPOLOGY
            cluster.controllers         | 3              | TOPOLOGY
            topics.weir.partitions      | 6              | TOPOLOGY
            topics.weir.replication     | 3              | TOPOLOGY
            topics.weir.count           | 2              | TOPOLOGY
            topics.weir.brokers         | [1]            | TOPOLOGY
            topics.weir.existing        | true           | TOPOLOGY
            placed                      | kubernetes     | TOPOLOGY
            load.placed.hosts           | [a, b]         | TOPOLOGY
            load.beside                 | brokers        | TOPOLOGY
            load.apart                  | node           | TOPOLOGY
            bridge.gateway.instances    | 1              | TOPOLOGY
            cluster.within.memory       | 2GiB           | MACHINE
            load.within.cpu             | 1              | MACHINE
            kubernetes.storage          | fast           | MACHINE
            kubernetes.nodes.disk       | nvme           | MACHINE
            load.engine                 | wire           | METHOD
            load.engine.send            | wire           | METHOD
            before                      | [drop caches]  | METHOD
            cluster.fresh               | trial          | METHOD
            """)
    void changedSettingChangesItsPart(String path, String value, Part part) {
        differIn(part, setting(path, value));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            load.producer.acks                          | 1
            load.producer.linger.ms                     | 20
            load.producer.compression.type              | zstd
            load.consumer.fetch.min.bytes               | 1000
            load.group.protocol                         | consumer
            load.commit                                 | each
            load.http.version                           | 2
            load.http.linger                            | 5ms
            load.value.registry                         | http://r
            cluster.kafka                               | 3.9.1
            cluster.heap                                | 4GiB
            cluster.security                            | SSL
            cluster.broker.num.io.threads               | 16
            topics.weir.config.min.insync.replicas      | 2
            topics.weir.config.leader.replication.throttled.replicas | 1:1
            bridge.producer.acks                        | 1
            placed.address                              | 10.0.0.1
            repeat                                      | 9
            seed                                        | 7
            warmup                                      | 30s
            measure                                     | 10m
            measure.operations                          | 1M
            drain                                       | 5s
            verify                                      | false
            """)
    void comparedSettingChangesNothing(String path, String value) {
        agree(BASE, setting(path, value));
    }

    @ParameterizedTest
    @CsvSource({
        "cpu.model,              Imaginary 1,  MACHINE",
        "cpu.cores,              8,            MACHINE",
        "memory.mib,             32000,        MACHINE",
        "hypervisor,             kvm,          MACHINE",
        "filesystem,             xfs,          MACHINE",
        "cgroup.cpu.limit.cores, 2.0,          MACHINE",
        "tool,                   other,        METHOD"
    })
    void changedFactChangesItsPart(String name, String value, Part part) {
        differIn(part, fact(name, value));
    }

    @ParameterizedTest
    @CsvSource({"kernel, 6.2", "kafka, 3.9.1", "java.vm.version, 21", "memory.mib, 15700", "memory.mib, 16300"})
    void slightlyDifferentMemoryAndSoftwareChangeNothing(String name, String value) {
        agree(BASE, fact(name, value));
    }

    @Test
    void differenceNamesTheKeyAndBothValues() {
        ComparisonKey other = setting("cluster.brokers", "3");
        assertThat(BASE.differences(other))
                .containsExactly(new Difference(Part.TOPOLOGY, "cluster.brokers", "1", "3"))
                .first()
                .extracting(one -> one.text("A", "B"))
                .isEqualTo("topology differs (cluster.brokers is '1' in A and '3' in B)");
        assertThat(BASE.differences(setting("load.value.file", "x")))
                .extracting(Difference::name, Difference::one, Difference::other)
                .containsExactly(tuple("load.value.file", "–", "x"));
    }

    @Test
    void equalValuesInOtherNotationsAndDefaultsAreEqual() {
        agree(BASE, setting("load.rate", "1k/s"));
        agree(BASE, setting("load.producers", "1"));
        agree(setting("placed.hosts", "[a, b]"), setting("placed.hosts", "[c, d]"));
    }

    @Test
    void closedLoopIsAnotherLoadAndAnotherMethod() {
        for (String rate : List.of("max", "64 at a time")) {
            assertThat(BASE.differences(setting("load.rate", rate)))
                    .extracting(Difference::name)
                    .containsExactly("load.rate", "loop");
        }
        Map<String, String> steps = with(without(SETTINGS, "load.rate"), "load.rate.steps", "[1k/s for 5s]");
        assertThat(BASE.differences(key(steps, FACTS)))
                .extracting(Difference::part)
                .containsOnly(Part.LOAD);
    }

    @Test
    void shortRunIsAnotherMethod() {
        RequestedExperiment.Variant variant = new RequestedExperiment.Variant("base", 1, new TreeMap<>(), List.of());
        RequestedExperiment asked = Trials.asked("x", variant);
        Machine machine = new Machine(FACTS, Map.of(), List.of());
        assertThat(ComparisonKey.of(asked, variant, machine)
                        .differences(
                                ComparisonKey.of(RecordKeys.with(asked, Map.of("shortened", true)), variant, machine)))
                .containsExactly(new Difference(Part.METHOD, "--short", "false", "true"));
    }

    @Test
    void namesOfTopicsAndDisturbancesAreEqual() {
        Map<String, String> one = with(with(SETTINGS, "topics.weir.partitions", "6"), "during.a.kill", "broker 1");
        Map<String, String> other = with(
                with(without(SETTINGS, "topics.weir.partitions"), "topics.my.orders.partitions", "6"),
                "during.b.kill",
                "broker 1");
        agree(key(one, FACTS), key(other, FACTS));
        Map<String, String> both = with(one, "topics.more.partitions", "3");
        assertThat(key(one, FACTS).differences(key(both, FACTS)))
                .containsExactly(new Difference(Part.TOPOLOGY, "topics.*.partitions", "6", "3, 6"));
    }

    /** So an unknown fact cannot put two results with different facts on one axis. */
    @Test
    void unknownFactAgreesWithEachValueAndHasAnIdOfItsOwn() {
        ComparisonKey unknown = key(SETTINGS, without(FACTS, "cpu.model"));
        assertThat(unknown.differences(BASE)).isEmpty();
        assertThat(unknown.differences(fact("cpu.model", "Imaginary 1"))).isEmpty();
        assertThat(unknown.id()).isNotEqualTo(BASE.id());
        ComparisonKey limited = fact("cgroup.memory.limit.mib", "4096");
        assertThat(key(SETTINGS, without(FACTS, "cgroup.version")).differences(limited))
                .isEmpty();
    }

    @Test
    void anotherProductIsAnotherReleaseFamily() {
        Map<String, String> given = with(without(SETTINGS, "cluster.kafka"), "cluster.bootstrap", "h:9092");
        ComparisonKey apache = key(given, with(FACTS, "kafka", "4.3"));
        agree(apache, key(given, with(FACTS, "kafka", "3.9")));
        ComparisonKey other = key(given, with(FACTS, "kafka", "Imaginary Server 24.1"));
        agree(other, key(given, with(FACTS, "kafka", "Imaginary Server 25.2")));
        assertThat(apache.differences(other))
                .containsExactly(new Difference(Part.RELEASE_FAMILY, "product", "Apache Kafka", "Imaginary Server"));
        Map<String, String> unknown = with(FACTS, "kafka", "unknown, older than 3.3");
        agree(key(given, unknown), key(given, unknown));
        assertThat(key(given, unknown).differences(key(with(given, "cluster.bootstrap", "g:9092"), unknown)))
                .containsExactly(
                        new Difference(Part.RELEASE_FAMILY, "product", "unknown at h:9092", "unknown at g:9092"));
    }

    private static HostFacts host(String name, int processors, List<Integer> workers, List<Integer> brokers) {
        return new HostFacts(name, "", processors, 16_000L << 20, "", "17", workers, brokers, List.of());
    }

    private static ComparisonKey hosts(Map<String, String> facts, HostFacts... hosts) {
        return key(SETTINGS, new Machine(facts, Map.of(), List.of(hosts)));
    }

    @Test
    void hostsCountInsteadOfAMachineThatOnlyConducts() {
        HostFacts idle = host(HostFacts.HERE, 4, List.of(), List.of());
        ComparisonKey pods =
                hosts(FACTS, idle, host("pod-1", 4, List.of(0), List.of()), host("pod-2", 8, List.of(), List.of(1)));
        agree(
                pods,
                hosts(
                        with(FACTS, "cpu.model", "Imaginary 1"),
                        idle,
                        host("pod-8", 8, List.of(), List.of(1)),
                        host("pod-9", 4, List.of(0), List.of())));
        assertThat(pods.differences(
                        hosts(FACTS, idle, host("p", 4, List.of(0), List.of()), host("q", 4, List.of(), List.of(1)))))
                .extracting(Difference::part, Difference::name)
                .containsExactly(tuple(Part.MACHINE, "hosts"));
        HostFacts busy = host(HostFacts.HERE, 4, List.of(0), List.of());
        assertThat(hosts(FACTS, busy).differences(hosts(with(FACTS, "cpu.model", "Imaginary 1"), busy)))
                .extracting(Difference::name)
                .containsExactly("cpu.model");
    }
}
