package weir.feature.advice;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weir.feature.advice.AdviceRule.Advice;
import weir.measure.Canary;
import weir.probe.Finding;
import weir.probe.Finding.Verdict;
import weir.probe.brokerhost.BrokerHost;
import weir.probe.brokerhost.KafkaProcess;
import weir.probe.brokerhost.KafkaProcess.LogFolder;
import weir.results.CanaryResults;
import weir.results.Machine;
import weir.results.RunFolder;
import weir.results.Trials;

/** Rules for hosts: a good host follows each rule, and a finding reports each broken rule. */
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

    /** Names of findings, and the facts of a host that break their rule. */
    private static final String BROKEN = """
            vm.swappiness                  | DOUBT | fact memory.swappiness 60
            vm.dirty_background_ratio      | DOUBT | fact memory.dirty.background.ratio 10
            vm.dirty_ratio                 | DOUBT | fact memory.dirty.ratio 20
            vm.dirty_ratio                 | DOUBT | fact memory.dirty.ratio 95
            vm.max_map_count               | DOUBT | fact vm.max_map_count 65530
            swap                           | DOUBT | fact swap.mib 2048
            huge pages                     | DOUBT | fact memory.huge.pages always
            governor                       | DOUBT | fact cpu.governor powersave
            vm.zone_reclaim_mode           | DOUBT | fact vm.zone_reclaim_mode 1
            net.core.wmem_max and rmem_max | DOUBT | fact net.core.rmem_max 212992
            page cache                     | BAD   | fact memory.mib 4096
            page cache                     | DOUBT | fact memory.mib 8192
            open files of broker 1         | DOUBT | figure limit.files 20000
            open files of broker 1         | BAD   | figure files 90000
            memory maps of broker 1        | BAD   | figure maps 250000
            heap of broker 1               | DOUBT | flags -Xms8g -Xmx8g -XX:+UseG1GC
            heap of broker 1               | DOUBT | flags -Xms1g -Xmx6g -XX:+UseG1GC
            heap of broker 1               | DOUBT | fact memory.mib 10000
            garbage collector of broker 1  | DOUBT | flags -Xmx6g -XX:+UseParallelGC
            garbage collector of broker 1  | DOUBT | flags -Xmx6g -XX:+UseG1GC
            garbage collector of broker 1  | DOUBT | flags -Xmx6g
            swapped memory of broker 1     | DOUBT | figure swapped.mib 12.5
            socket buffers of broker 1     | DOUBT | property socket.send.buffer.bytes 8388608
            socket buffers of broker 1     | DOUBT | property socket.receive.buffer.bytes 8388608
            socket buffers of broker 1     | DOUBT | property replica.socket.receive.buffer.bytes 8388608
            file system of broker 1        | BAD   | folder tmpfs noatime 500
            file system of broker 1        | BAD   | folder nfs4 noatime 500
            file system of broker 1        | DOUBT | folder overlay noatime 500
            file system of broker 1        | DOUBT | folder btrfs noatime 500
            noatime of broker 1            | DOUBT | folder xfs relatime 500
            noatime of broker 1            | DOUBT | folder xfs rw 500
            free room of broker 1          | BAD   | folder xfs noatime 20
            free room of broker 1          | DOUBT | folder xfs noatime 100
            """;

    private static final Map<String, String> HERE = Map.of("cpu.model", "A", "cpu.cores", "2");

    @TempDir
    private Path root;

    private static KafkaProcess process(
            List<String> flags, Map<String, Double> figures, Map<String, String> more, LogFolder folder) {
        Map<String, String> properties = new HashMap<>(Map.of("node.id", "1", "log.dirs", "/kafka/a"));
        properties.putAll(more);
        return new KafkaProcess(7, flags, properties, figures, List.of(folder), List.of());
    }

    private static BrokerHost host(Map<String, String> facts, KafkaProcess... processes) {
        return new BrokerHost(facts, List.of(processes));
    }

    private static BrokerHost flags(String... flags) {
        return host(FACTS, process(List.of(flags), FIGURES, Map.of(), FOLDER));
    }

    private static BrokerHost broken(String[] words) {
        Map<String, String> facts = new HashMap<>(FACTS);
        Map<String, Double> figures = new HashMap<>(FIGURES);
        Map<String, String> properties = new HashMap<>();
        LogFolder folder = FOLDER;
        List<String> flags = FLAGS;
        switch (words[0]) {
            case "fact" -> facts.put(words[1], words[2]);
            case "figure" -> figures.put(words[1], Double.valueOf(words[2]));
            case "property" -> properties.put(words[1], words[2]);
            case "flags" -> flags = List.of(words).subList(1, words.length);
            case "folder" ->
                folder = new LogFolder("/kafka/a", words[1], List.of(words[2]), 1, 1, 1000, Long.parseLong(words[3]));
            default -> throw new AssertionError(words[0]);
        }
        return host(facts, process(flags, figures, properties, folder));
    }

    @ParameterizedTest
    @CsvSource(textBlock = BROKEN, delimiter = '|')
    void hostThatBreaksARuleIsReported(String rule, Verdict verdict, String broken) {
        Advice advice = advice(broken(broken.split(" ", -1)), rule);
        assertThat(advice.finding().verdict()).isEqualTo(verdict);
        assertThat(advice.finding().figure()).isNotEmpty();
        assertThat(advice.finding().advice()).isNotEmpty();
    }

    @Test
    void goodHostPassesEveryRuleAndEveryRuleCanFail() {
        List<Advice> good = BrokersDoctor.of(GOOD);
        assertThat(good).allSatisfy(advice -> {
            assertThat(advice.finding().verdict()).as(advice.finding().name()).isEqualTo(Verdict.FINE);
            assertThat(advice.finding().advice()).isEmpty();
            assertThat(advice.rule().url()).startsWith("https://");
            assertThat(advice.rule().text("gain")).isNotEmpty();
        });
        Set<String> names = good.stream().map(advice -> advice.finding().name()).collect(Collectors.toSet());
        // This machine cannot distinguish an unsynchronized clock from one that is synchronized outside.
        names.remove("clock");
        assertThat(names)
                .isEqualTo(BROKEN.lines()
                        .map(line -> line.split("\\|", -1)[0].strip())
                        .collect(Collectors.toSet()));
    }

    @Test
    void missingKernelFactsAreUnknownForEveryRule() {
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
                // The command line of the process is known and names no collector.
                .containsExactly("garbage collector of Kafka process 7");
    }

    @Test
    void byteLimitIsNotReadAsAShareOfTheMemory() {
        Map<String, String> facts = new HashMap<>(FACTS);
        facts.put("vm.dirty_bytes", "1073741824");
        facts.put("memory.dirty.ratio", "0");
        facts.remove("memory.mib");
        assertThat(advice(new BrokerHost(facts, List.of()), "vm.dirty_ratio").finding())
                .satisfies(finding -> assertThat(finding.verdict()).isEqualTo(Verdict.UNKNOWN))
                .satisfies(finding -> assertThat(finding.meaning()).startsWith("vm.dirty_bytes is set to 1.0 GiB"));
    }

    @Test
    void heapAdviceUsesJvmFlagsAndAssumesNoDefault() {
        assertThat(advice(flags("-XX:MaxRAMPercentage=50", "-XX:MaxRAMPercentage=75"), "heap of broker 1")
                        .finding()
                        .meaning())
                .startsWith("is at most 75 % of the JVM's memory");
        assertThat(advice(flags("-XX:+UseG1GC"), "heap of broker 1").finding().meaning())
                .startsWith("the command line and the readable environment set no heap");
        assertThat(advice(flags("-XX:InitialHeapSize=4g", "-XX:MaxHeapSize=4g"), "heap of broker 1")
                        .finding()
                        .verdict())
                .isEqualTo(Verdict.FINE);
    }

    @Test
    void advisedHeapIsAtMostHalfOfTheMemory() {
        for (var each : Map.of("8192", "-Xms4g -Xmx4g", "7800", "-Xms3900m -Xmx3900m", "65536", "-Xms6g -Xmx6g")
                .entrySet()) {
            Map<String, String> facts = new HashMap<>(FACTS);
            facts.put("memory.mib", each.getKey());
            BrokerHost host = host(facts, process(List.of("-Xms7g", "-Xmx7g"), FIGURES, Map.of(), FOLDER));
            assertThat(advice(host, "heap of broker 1").finding().advice()).contains(each.getValue());
        }
    }

    @Test
    void controllerIsNotJudgedByClientRules() {
        KafkaProcess controller = new KafkaProcess(
                7, FLAGS, Map.of("node.id", "9", "process.roles", "controller"), FIGURES, List.of(), List.of());
        assertThat(BrokersDoctor.of(host(FACTS, controller)).stream()
                        .map(advice -> advice.finding().name())
                        .filter(name -> name.endsWith("controller 9")))
                .containsExactlyInAnyOrder("garbage collector of controller 9", "swapped memory of controller 9");
    }

    private static Advice advice(BrokerHost host, String name) {
        return ClusterAdviceTest.named(BrokersDoctor.of(host), name);
    }

    private static Canary cpu(double speed) {
        return new Canary("cpu", "x/s", true, 0.1, List.of(speed));
    }

    private RunFolder run(int second, double speed, String model) {
        RunFolder run =
                Trials.folder(root, Instant.parse("2026-11-20T12:00:00Z").plusSeconds(second), Trials.asked("x"));
        run.machine(new Machine(Map.of("cpu.model", model, "cpu.cores", "2"), Map.of(), List.of()));
        run.canaries(new CanaryResults(List.of(cpu(speed)), List.of()));
        return run;
    }

    private Finding now(double speed) {
        return DoctorCommand.CanaryHistory.of(RunFolder.list(root), HERE).finding(List.of(cpu(speed)));
    }

    @Test
    void onlyEarlierRunsOfTheSameMachineAreCompared() {
        assertThat(now(100).verdict()).isEqualTo(Finding.Verdict.UNKNOWN);
        run(0, 100, "A");
        run(1, 106, "A");
        run(2, 500, "B");
        assertThat(now(98).verdict()).isEqualTo(Finding.Verdict.FINE);
        assertThat(now(98).figure()).isEqualTo("of 2 runs");
        assertThat(now(80).verdict()).isEqualTo(Finding.Verdict.DOUBT);
        assertThat(now(80).meaning()).contains("cpu 80.0 x/s, then 100 to 106");
        assertThat(now(130).verdict()).isEqualTo(Finding.Verdict.DOUBT);
    }

    @Test
    void unreadableEarlierRunIsNotCompared() throws Exception {
        RunFolder run = run(0, 100, "A");
        Files.writeString(run.path().resolve("canaries.json"), "{ \"before\": [ { \"rounds\": [] } ]");
        assertThat(now(50).verdict()).isEqualTo(Finding.Verdict.UNKNOWN);
    }
}
