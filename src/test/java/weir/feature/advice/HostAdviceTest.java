package weir.feature.advice;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import weir.feature.advice.AdviceRule.Advice;
import weir.probe.Finding.Verdict;
import weir.probe.brokerhost.BrokerHost;
import weir.probe.brokerhost.KafkaProcess;
import weir.probe.brokerhost.KafkaProcess.LogFolder;

/** Each rule for a host: a good one follows it, and one that breaks it is told. */
class HostAdviceTest {
    private static final Map<String, String> FACTS = Map.ofEntries(
            Map.entry("memory.swappiness", "1"),
            Map.entry("memory.dirty.background.ratio", "5"),
            Map.entry("memory.dirty.ratio", "80"),
            Map.entry("memory.huge.pages", "madvise"),
            Map.entry("memory.mib", "32768"),
            Map.entry("swap.mib", "0"),
            Map.entry("cpu.governor", "performance"),
            Map.entry("vm.max_map_count", "262144"),
            Map.entry("vm.zone_reclaim_mode", "0"),
            Map.entry("vm.dirty_bytes", "0"),
            Map.entry("vm.dirty_background_bytes", "0"),
            Map.entry("net.core.wmem_max", "4194304"),
            Map.entry("net.core.rmem_max", "4194304"),
            Map.entry(BrokerHost.NODES, "2"),
            Map.entry(BrokerHost.CLOCK, "chronyd"));
    private static final List<String> FLAGS = List.of("-Xms6g", "-Xmx6g", "-XX:+UseG1GC", "-XX:MaxGCPauseMillis=20");
    private static final Map<String, Double> FIGURES =
            Map.of("limit.files", 100_000.0, "files", 300.0, "maps", 800.0, "swapped.mib", 0.0);
    private static final LogFolder FOLDER =
            new LogFolder("/kafka/a", "xfs", List.of("rw", "noatime"), 10, 30, 1L << 40, 1L << 39);
    private static final BrokerHost GOOD = host(FACTS, process(FLAGS, FIGURES, Map.of(), FOLDER));

    private static KafkaProcess process(
            List<String> flags, Map<String, Double> figures, Map<String, String> more, LogFolder folder) {
        Map<String, String> properties = new HashMap<>(Map.of("node.id", "1", "log.dirs", "/kafka/a"));
        properties.putAll(more);
        return new KafkaProcess(7, flags, properties, figures, List.of(folder), List.of());
    }

    private static BrokerHost host(Map<String, String> facts, KafkaProcess... processes) {
        return new BrokerHost(facts, List.of(processes));
    }

    private static BrokerHost fact(String name, String value) {
        Map<String, String> facts = new HashMap<>(FACTS);
        facts.put(name, value);
        return new BrokerHost(facts, GOOD.processes());
    }

    private static BrokerHost flags(String... flags) {
        return host(FACTS, process(List.of(flags), FIGURES, Map.of(), FOLDER));
    }

    private static BrokerHost figure(String name, double value) {
        Map<String, Double> figures = new HashMap<>(FIGURES);
        figures.put(name, value);
        return host(FACTS, process(FLAGS, figures, Map.of(), FOLDER));
    }

    private static BrokerHost folder(String type, String option, long usable) {
        return host(
                FACTS,
                process(
                        FLAGS,
                        FIGURES,
                        Map.of(),
                        new LogFolder("/kafka/a", type, List.of(option), 1, 1, 1000, usable)));
    }

    /** For each name of a finding hosts that break its rule, and how bad that is. */
    private static Map<String, Map<BrokerHost, Verdict>> broken() {
        Map<String, Map<BrokerHost, Verdict>> broken = new LinkedHashMap<>();
        broken.put("vm.swappiness", Map.of(fact("memory.swappiness", "60"), Verdict.DOUBT));
        broken.put("vm.dirty_background_ratio", Map.of(fact("memory.dirty.background.ratio", "10"), Verdict.DOUBT));
        broken.put(
                "vm.dirty_ratio",
                Map.of(
                        fact("memory.dirty.ratio", "20"), Verdict.DOUBT,
                        fact("memory.dirty.ratio", "95"), Verdict.DOUBT));
        broken.put("vm.max_map_count", Map.of(fact("vm.max_map_count", "65530"), Verdict.DOUBT));
        broken.put("swap", Map.of(fact("swap.mib", "2048"), Verdict.DOUBT));
        broken.put("huge pages", Map.of(fact("memory.huge.pages", "always"), Verdict.DOUBT));
        broken.put("governor", Map.of(fact("cpu.governor", "powersave"), Verdict.DOUBT));
        broken.put("vm.zone_reclaim_mode", Map.of(fact("vm.zone_reclaim_mode", "1"), Verdict.DOUBT));
        broken.put("net.core.wmem_max and rmem_max", Map.of(fact("net.core.rmem_max", "212992"), Verdict.DOUBT));
        broken.put(
                "page cache",
                Map.of(
                        fact("memory.mib", "4096"), Verdict.BAD,
                        fact("memory.mib", "8192"), Verdict.DOUBT));
        broken.put(
                "open files of broker 1",
                Map.of(
                        figure("limit.files", 20_000), Verdict.DOUBT,
                        figure("files", 90_000), Verdict.BAD));
        broken.put("memory maps of broker 1", Map.of(figure("maps", 250_000), Verdict.BAD));
        broken.put(
                "heap of broker 1",
                Map.of(
                        flags("-Xms8g", "-Xmx8g", "-XX:+UseG1GC"), Verdict.DOUBT,
                        flags("-Xms1g", "-Xmx6g", "-XX:+UseG1GC"), Verdict.DOUBT,
                        fact("memory.mib", "10000"), Verdict.DOUBT));
        broken.put(
                "garbage collector of broker 1",
                Map.of(
                        flags("-Xmx6g", "-XX:+UseParallelGC"), Verdict.DOUBT,
                        flags("-Xmx6g", "-XX:+UseG1GC"), Verdict.DOUBT,
                        flags("-Xmx6g"), Verdict.DOUBT));
        broken.put("swapped memory of broker 1", Map.of(figure("swapped.mib", 12.5), Verdict.DOUBT));
        broken.put(
                "socket buffers of broker 1",
                Map.of(
                        host(FACTS, process(FLAGS, FIGURES, Map.of("socket.send.buffer.bytes", "8388608"), FOLDER)),
                        Verdict.DOUBT,
                        host(FACTS, process(FLAGS, FIGURES, Map.of("socket.receive.buffer.bytes", "8388608"), FOLDER)),
                        Verdict.DOUBT,
                        host(
                                FACTS,
                                process(
                                        FLAGS,
                                        FIGURES,
                                        Map.of("replica.socket.receive.buffer.bytes", "8388608"),
                                        FOLDER)),
                        Verdict.DOUBT));
        broken.put(
                "file system of broker 1",
                Map.of(
                        folder("tmpfs", "noatime", 500), Verdict.BAD,
                        folder("nfs4", "noatime", 500), Verdict.BAD,
                        folder("overlay", "noatime", 500), Verdict.DOUBT,
                        folder("btrfs", "noatime", 500), Verdict.DOUBT));
        broken.put(
                "noatime of broker 1",
                Map.of(
                        folder("xfs", "relatime", 500), Verdict.DOUBT,
                        folder("xfs", "rw", 500), Verdict.DOUBT));
        broken.put(
                "free room of broker 1",
                Map.of(
                        folder("xfs", "noatime", 20), Verdict.BAD,
                        folder("xfs", "noatime", 100), Verdict.DOUBT));
        return broken;
    }

    @TestFactory
    Stream<DynamicTest> aHostThatBreaksARuleIsTold() {
        return broken().entrySet().stream()
                .flatMap(rule -> rule.getValue().entrySet().stream()
                        .map(host -> DynamicTest.dynamicTest(rule.getKey(), () -> {
                            Advice advice = advice(host.getKey(), rule.getKey());
                            assertThat(advice.finding().verdict()).isEqualTo(host.getValue());
                            assertThat(advice.finding().figure()).isNotEmpty();
                            assertThat(advice.finding().advice()).isNotEmpty();
                        })));
    }

    @Test
    void aGoodHostIsFineByEveryRuleAndEveryRuleHasItsBreaker() {
        List<Advice> good = BrokersDoctor.of(GOOD);
        assertThat(good).allSatisfy(advice -> {
            assertThat(advice.finding().verdict()).as(advice.finding().name()).isEqualTo(Verdict.FINE);
            assertThat(advice.finding().advice()).isEmpty();
            assertThat(advice.rule().url()).startsWith("https://");
            assertThat(advice.rule().text("gain")).isNotEmpty();
        });
        Set<String> names = good.stream().map(advice -> advice.finding().name()).collect(Collectors.toSet());
        // A clock that nobody keeps cannot be told from one that is kept outside.
        names.remove("clock");
        assertThat(names).isEqualTo(broken().keySet());
    }

    @Test
    void whatTheKernelDoesNotTellIsUnknownAndNoRuleGuesses() {
        assertThat(BrokersDoctor.of(new BrokerHost(Map.of(), List.of())))
                .hasSizeGreaterThan(10)
                .allSatisfy(advice -> {
                    assertThat(advice.finding().verdict())
                            .as(advice.finding().name())
                            .isEqualTo(Verdict.UNKNOWN);
                    assertThat(advice.finding().figure()).isEmpty();
                    assertThat(advice.finding().meaning()).isNotEmpty();
                });
        BrokerHost silent = new BrokerHost(
                Map.of(),
                List.of(new KafkaProcess(7, List.of(), Map.of(), Map.of(), List.of(), List.of("x is hidden"))));
        assertThat(BrokersDoctor.of(silent).stream()
                        .filter(advice -> advice.finding().verdict() != Verdict.UNKNOWN)
                        .map(advice -> advice.finding().name()))
                // The command line of a process is there, and says nothing of a collector.
                .containsExactly("garbage collector of Kafka process 7");
    }

    @Test
    void aLimitInBytesIsNotTakenForAShareOfTheMemory() {
        Map<String, String> facts = new HashMap<>(FACTS);
        facts.put("vm.dirty_bytes", "1073741824");
        facts.put("memory.dirty.ratio", "0");
        facts.remove("memory.mib");
        assertThat(advice(new BrokerHost(facts, List.of()), "vm.dirty_ratio").finding())
                .satisfies(finding -> assertThat(finding.verdict()).isEqualTo(Verdict.UNKNOWN))
                .satisfies(finding -> assertThat(finding.meaning()).startsWith("vm.dirty_bytes is set, to 1.0 GiB"));
    }

    @Test
    void aHeapThatIsAShareOrNotSeenIsNotTakenForAQuarter() {
        assertThat(advice(flags("-XX:MaxRAMPercentage=50", "-XX:MaxRAMPercentage=75"), "heap of broker 1")
                        .finding()
                        .meaning())
                .startsWith("is at most 75 % of the memory that the JVM sees");
        assertThat(advice(flags("-XX:+UseG1GC"), "heap of broker 1").finding().meaning())
                .startsWith("is set neither on its command line nor in its environment");
        assertThat(advice(flags("-XX:InitialHeapSize=4g", "-XX:MaxHeapSize=4g"), "heap of broker 1")
                        .finding()
                        .verdict())
                .isEqualTo(Verdict.FINE);
    }

    @Test
    void theHeapThatIsAdvisedIsNoMoreThanHalfOfTheMemory() {
        for (var each : Map.of("8192", "-Xms4g -Xmx4g", "7800", "-Xms3900m -Xmx3900m", "65536", "-Xms6g -Xmx6g")
                .entrySet()) {
            Map<String, String> facts = new HashMap<>(FACTS);
            facts.put("memory.mib", each.getKey());
            BrokerHost host = host(facts, process(List.of("-Xms7g", "-Xmx7g"), FIGURES, Map.of(), FOLDER));
            assertThat(advice(host, "heap of broker 1").finding().advice()).contains(each.getValue());
        }
    }

    @Test
    void aControllerIsNotJudgedByWhatServesClients() {
        KafkaProcess controller = new KafkaProcess(
                7, FLAGS, Map.of("node.id", "9", "process.roles", "controller"), FIGURES, List.of(), List.of());
        assertThat(BrokersDoctor.of(host(FACTS, controller)).stream()
                        .map(advice -> advice.finding().name())
                        .filter(name -> name.endsWith("controller 9")))
                .containsExactlyInAnyOrder("garbage collector of controller 9", "swapped memory of controller 9");
    }

    private static Advice advice(BrokerHost host, String name) {
        return BrokersDoctor.of(host).stream()
                .filter(advice -> advice.finding().name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no finding '" + name + "'"));
    }
}
