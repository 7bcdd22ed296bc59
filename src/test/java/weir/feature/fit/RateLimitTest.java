package weir.feature.fit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import weir.feature.fit.ScalingResult.Limit;
import weir.judge.ProbeSeries;
import weir.measure.Reading;
import weir.results.Trials;
import weir.results.value.HostFacts;
import weir.results.value.TrialResult;

class RateLimitTest {
    private static final HostFacts HERE =
            new HostFacts(HostFacts.HERE, "", 2, 0, "Linux", "17", List.of(0), List.of(1, 2), List.of());

    /** Readings are written as "source metric value", each for five seconds. */
    private static String limit(List<HostFacts> hosts, Map<String, String> settings, String... readings) {
        TrialResult result = Trials.with(settings, Trials.max("a", 1, 100));
        ProbeSeries series = ProbeSeries.of(Stream.of(readings)
                .map(text -> text.split(" "))
                .flatMap(words -> Stream.iterate(0, second -> second + 1)
                        .limit(5)
                        .map(second -> new Reading(second, words[0], words[1], Double.parseDouble(words[2]))))
                .toList());
        Limit found = new RateLimit(result, hosts, series, 0, 5).found();
        return found.text();
    }

    private static String limit(Map<String, String> settings, String... readings) {
        return limit(List.of(HERE), settings, readings);
    }

    @Test
    void busySharedMachineIsTheLimit() {
        assertThat(limit(
                        Map.of(),
                        "host cpu.busy.percent 97",
                        "generator cpu.cores 0.8",
                        "broker-1 cpu.cores 0.5",
                        "broker-2 cpu.cores 0.6"))
                .isEqualTo("the machine (2 cores 97 % busy: generator 0.8, brokers 1.1)");
    }

    @Test
    void busyCoresIncludeThoseOfOtherProcesses() {
        assertThat(limit(Map.of(), "host cpu.busy.percent 99", "generator cpu.cores 0.41", "broker-1 cpu.cores 0.72"))
                .isEqualTo("the machine (2 cores 99 % busy: generator 0.41, brokers 0.72, all others 0.85)");
    }

    @Test
    void busySeparateMachineMakesItsProcessesTheLimit() {
        HostFacts loads = new HostFacts("a", "", 4, 0, "", "", List.of(0), List.of(), List.of());
        HostFacts serves = new HostFacts("b", "", 8, 0, "", "", List.of(), List.of(1, 2), List.of());
        assertThat(limit(List.of(loads, serves), Map.of(), "host-a cpu.busy.percent 95"))
                .isEqualTo("the generator (4 cores of a 95 % busy)");
        assertThat(limit(List.of(loads, serves), Map.of(), "host-b cpu.busy.percent 95"))
                .isEqualTo("the brokers (8 cores of b 95 % busy)");
    }

    @Test
    void configuredCpuLimitIsReportedBeforeTheMachine() {
        assertThat(limit(Map.of("load.within.cpu", "0.5"), "host cpu.busy.percent 97", "generator cpu.cores 0.49"))
                .isEqualTo("the generator (one process used 0.49 of its 0.5 cores)");
        assertThat(limit(Map.of("cluster.within.cpu", "1"), "broker-1 cpu.cores 0.4", "broker-2 cpu.cores 0.95"))
                .isEqualTo("the brokers (one process used 0.95 of its 1 cores)");
    }

    @Test
    void busyDiskIsTheLimit() {
        assertThat(limit(Map.of(), "host psi.io.some.percent 70", "host cpu.busy.percent 40"))
                .isEqualTo("the disk (processes waited for a disk 70 % of the time)");
    }

    private static Map<String, String> load(String workload, int producers, String engine) {
        return Map.of(
                "load.workload",
                workload,
                "load.producers",
                String.valueOf(producers),
                "load.consumers",
                "1",
                "load.engine",
                engine);
    }

    private static String used(Map<String, String> settings, double cores) {
        return limit(settings, "generator cpu.cores " + cores, "host cpu.busy.percent 60");
    }

    @Test
    void generatorIsTheLimitIfAllItsThreadsAreBusy() {
        assertThat(used(load("produce", 1, "wire"), 0.97)).isEqualTo("the generator (its 1 thread used 0.97 cores)");
        assertThat(used(load("produce", 3, "wire"), 0.97)).isEqualTo("unknown");
        assertThat(used(load("consume", 3, "client"), 0.97)).isEqualTo("the generator (its 1 thread used 0.97 cores)");
        // 0.45 cores each for a producer and a consumer: neither thread is full.
        assertThat(used(load("deliver", 1, "wire"), 0.9)).isEqualTo("unknown");
        assertThat(used(load("deliver", 1, "wire"), 1.9)).isEqualTo("the generator (its 2 threads used 1.9 cores)");
    }

    @Test
    void aProducerOfKafkasClientHasTwoThreads() {
        assertThat(used(load("produce", 1, "client"), 1.3)).isEqualTo("unknown");
        assertThat(used(load("produce", 1, "client"), 1.9)).isEqualTo("the generator (its 2 threads used 1.9 cores)");
        Map<String, String> mixed = new TreeMap<>(load("produce", 1, "wire"));
        mixed.put("load.engine.send", "client");
        assertThat(used(mixed, 0.97)).isEqualTo("unknown");
    }

    @Test
    void unknownThreadCountIsNoLimit() {
        assertThat(used(Map.of(), 1.9)).isEqualTo("unknown");
        assertThat(used(load("produce", 1, "http"), 1.9)).isEqualTo("unknown");
        assertThat(used(load("stream", 1, "client"), 3.9)).isEqualTo("unknown");
    }

    @Test
    void brokersAreTheLimitIfTheirHandlersAreNeverIdle() {
        assertThat(limit(
                        Map.of("load.producers", "3"),
                        "broker-1 handlers.idle.percent 90",
                        "broker-2 handlers.idle.percent 3"))
                .isEqualTo("the brokers (request handlers 97 % busy)");
    }

    @Test
    void limitWithoutReadingsIsUnknown() {
        assertThat(limit(Map.of())).isEqualTo("unknown");
    }
}
