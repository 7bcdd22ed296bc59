package weir.judge.fit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import weir.judge.ProbeSeries;
import weir.results.ProbeReading;
import weir.results.Trials;
import weir.results.value.HostFacts;
import weir.results.value.ScalingResult.Limit;
import weir.results.value.TrialResult;

class RateLimitTest {
    private static final HostFacts HERE =
            new HostFacts(HostFacts.HERE, "", 2, 0, "Linux", "17", List.of(0), List.of(1, 2), List.of());

    /** Readings are written as "source metric value", each for five seconds. */
    private static String limit(List<HostFacts> hosts, Map<String, String> settings, String... readings) {
        TrialResult like = Trials.max("a", 1, 100);
        TrialResult result = new TrialResult(
                1,
                "a",
                1,
                like.startedAt(),
                like.seconds(),
                new TreeMap<>(settings),
                like.figures(),
                like.generator(),
                like.steps());
        ProbeSeries series = ProbeSeries.of(Stream.of(readings)
                .map(text -> text.split(" "))
                .flatMap(words -> Stream.iterate(0, second -> second + 1)
                        .limit(5)
                        .map(second -> new ProbeReading(second, words[0], words[1], Double.parseDouble(words[2]))))
                .toList());
        Limit found = new RateLimit(result, hosts, series, 0, 5).found();
        return found.text();
    }

    private static String limit(Map<String, String> settings, String... readings) {
        return limit(List.of(HERE), settings, readings);
    }

    @Test
    void fullCoresOfAMachineThatBothShareAreTheLimitOfTheMachine() {
        assertThat(limit(
                        Map.of(),
                        "host cpu.busy.percent 97",
                        "generator cpu.cores 0.8",
                        "broker-1 cpu.cores 0.5",
                        "broker-2 cpu.cores 0.6"))
                .isEqualTo("the machine (2 cores 97 % busy: generator 0.8, brokers 1.1)");
    }

    @Test
    void onMachinesOfTheirOwnTheyAreTheLimitOfWhoeverRunsThere() {
        HostFacts loads = new HostFacts("a", "", 4, 0, "", "", List.of(0), List.of(), List.of());
        HostFacts serves = new HostFacts("b", "", 8, 0, "", "", List.of(), List.of(1, 2), List.of());
        assertThat(limit(List.of(loads, serves), Map.of(), "host-a cpu.busy.percent 95"))
                .isEqualTo("the generator (4 cores of a 95 % busy)");
        assertThat(limit(List.of(loads, serves), Map.of(), "host-b cpu.busy.percent 95"))
                .isEqualTo("the brokers (8 cores of b 95 % busy)");
    }

    @Test
    void aLimitThatAProcessWasGivenComesFirst() {
        assertThat(limit(Map.of("load.within.cpu", "0.5"), "host cpu.busy.percent 97", "generator cpu.cores 0.49"))
                .isEqualTo("the generator (0.49 of the 0.5 cores that each was given)");
        assertThat(limit(Map.of("cluster.within.cpu", "1"), "broker-1 cpu.cores 0.4", "broker-2 cpu.cores 0.95"))
                .isEqualTo("the brokers (0.95 of the 1 cores that each was given)");
    }

    @Test
    void aDiskThatIsWaitedForIsTheLimit() {
        assertThat(limit(Map.of(), "host psi.io.some.percent 70", "host cpu.busy.percent 40"))
                .isEqualTo("the disk (something waited for it 70 % of the time)");
    }

    @Test
    void aProducerCanDoNoMoreThanItsThread() {
        assertThat(limit(Map.of("load.producers", "1"), "generator cpu.cores 0.97", "host cpu.busy.percent 60"))
                .isEqualTo("the generator (its threads used 0.97 cores for 1)");
        assertThat(limit(Map.of("load.producers", "3"), "generator cpu.cores 0.97", "host cpu.busy.percent 60"))
                .isEqualTo("unknown");
    }

    @Test
    void handlersThatAreNeverIdleAreTheLimitOfTheBrokers() {
        assertThat(limit(
                        Map.of("load.producers", "3"),
                        "broker-1 handlers.idle.percent 90",
                        "broker-2 handlers.idle.percent 3"))
                .isEqualTo("the brokers (request handlers 97 % busy)");
    }

    @Test
    void whatNobodySawIsUnknown() {
        assertThat(limit(Map.of())).isEqualTo("unknown");
    }
}
