package weir.judge.caveat;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.feature.NeedsFeature;
import weir.judge.ProbeSeries;
import weir.judge.RateRule;
import weir.judge.trial.TrialJudge;
import weir.judge.trial.WrittenTrial;
import weir.measure.Count;
import weir.measure.Numbers;
import weir.measure.Reading;
import weir.measure.Recorder;
import weir.measure.SomeLatencies;
import weir.measure.Steps;
import weir.plan.Plans;
import weir.plan.RecordKeys;
import weir.plan.syntax.CaveatType;
import weir.plan.trial.Trial;
import weir.plan.trial.Trials;
import weir.results.TrialWriter;
import weir.results.value.Caveat;
import weir.results.value.GeneratorResult;
import weir.results.value.HostFacts;
import weir.results.value.LatencyResult;
import weir.results.value.TrialConditions;
import weir.results.value.TrialEnd;

/** Two workers on their own machines, beside a conductor with a broker. */
class HostCaveatsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int SECONDS = 5;
    private static final HostFacts HERE = host(HostFacts.HERE, 2, List.of());
    private static final HostFacts LARGE = host("large", 16, List.of(0));
    private static final HostFacts SMALL = host("small", 2, List.of(1));

    @TempDir
    Path root;

    private TrialWriter writer;

    private static HostFacts host(String name, int processors, List<Integer> workers) {
        return new HostFacts(
                name,
                "",
                processors,
                8L << 30,
                "Linux 6.12",
                "17.0.17",
                workers,
                name.equals(HostFacts.HERE) ? List.of(1) : List.of(),
                List.of());
    }

    @BeforeEach
    void writes() {
        begin("""
                        name: e
                        cluster: { brokers: 1 }
                        load: { workload: produce, rate: 100/s, producers: 2, workers: 2 }
                        """);
    }

    private void begin(String experiment) {
        Trial trial = Trials.of(Plans.read(experiment)).get(0);
        writer = weir.results.Trials.folder(root, Instant.EPOCH, weir.results.Trials.asked("x"))
                .trial(trial, Instant.EPOCH);
        Recorder recorder = WrittenTrial.recorder(writer, Steps.WHOLE);
        for (int second = 0; second < SECONDS; second++) {
            long due = second * SECOND;
            recorder.due(2, due, 100);
            recorder.sent(2, 100, 100, due, due, due, 0, 0);
            recorder.acked(2, 100, 100, due, due, due + 5_000_000, 1_000);
            recorder.ackedDuring(2, 100, 100, due + 5_000_000, 0);
        }
        recorder.close();
        for (String worker : List.of("generator-1", "generator-2")) {
            reads(worker, "cpu.cores", 1.9);
            reads(worker, "cpu.user.cores", 1.9);
            reads(worker, "gc.pause.longest.ms", 1);
            reads(worker, "safepoint.longest.ms", 1);
        }
        reads("conductor", "cpu.user.cores", 0.1);
        reads("broker-1", "cpu.user.cores", 1);
        for (HostFacts host : List.of(HERE, LARGE, SMALL)) {
            reads(host.source(), "cpu.steal.percent", 0);
            reads(host.source(), "psi.memory.some.percent", 0);
            reads(host.source(), "memory.available.mib", 1);
            reads(host.source(), "cpu.user.percent", host.here() ? 55 : 100 * 1.9 / host.processors());
        }
    }

    private void reads(String source, String metric, double value) {
        for (int second = 0; second < SECONDS; second++) {
            writer.reading(new Reading(second, source, metric, value));
        }
    }

    private List<Caveat> judged(HostFacts... hosts) {
        writer.conditions(new TrialConditions(
                List.of(), GeneratorResult.NONE, List.of(hosts), "ext4", false, false, List.of(), List.of()));
        List<TrialEnd.WorkerLatency> workers = List.of(
                new TrialEnd.WorkerLatency(2, 0, LatencyResult.NONE, LatencyResult.NONE),
                new TrialEnd.WorkerLatency(
                        2,
                        1,
                        LatencyResult.of(SomeLatencies.upTo(30, 1_000)),
                        LatencyResult.of(SomeLatencies.upTo(40, 1_000))));
        TrialEnd end = RecordKeys.with(
                weir.results.Trials.end(SECONDS, null, new TrialEnd.Step(2, "100/s", 0, SECONDS, SECONDS, null)),
                Map.of("startedAt", "1970-01-01T00:00:00Z", "measured.workers", workers));
        return new TrialJudge(writer.end(end)).judged().caveats();
    }

    private static List<String> of(List<Caveat> caveats, CaveatType type) {
        return caveats.stream()
                .filter(caveat -> caveat.is(type))
                .map(Caveat::evidence)
                .toList();
    }

    @Test
    void workerCpuIsComparedWithTheCoresOfItsHost() {
        assertThat(of(judged(HERE, LARGE, SMALL), GeneratorCaveats.GENERATOR_NEAR_ITS_LIMIT))
                .containsExactly("the generator used 1.9 of 2 cores on small");
    }

    @Test
    void coresAreSharedWithBrokersOnlyByWorkersThatRunHere() {
        assertThat(of(judged(HERE, LARGE, SMALL), MachineCaveats.SHARED_CORES)).isEmpty();
        assertThat(of(judged(host(HostFacts.HERE, 2, List.of(1)), LARGE), MachineCaveats.SHARED_CORES))
                .containsExactly("1 broker and the generator share 2 cores here");
    }

    @Test
    void remoteBrokersShareTheCoresOfTheirHost() {
        reads("host-small", "cpu.user.percent", 80);
        reads("broker-2", "cpu.user.cores", 1.6);
        HostFacts both =
                new HostFacts("small", "", 4, 8L << 30, "Linux 6.12", "17.0.17", List.of(1), List.of(2), List.of());
        List<Caveat> caveats = judged(HERE, LARGE, both);
        assertThat(of(caveats, MachineCaveats.SHARED_CORES))
                .containsExactly("1 broker and the generator share 4 cores on small");
        assertThat(of(caveats, MachineCaveats.HOST_NOISY)).isEmpty();
    }

    @Test
    void remoteGatewaysCountAsOwnCpuOnTheirHostOnly() {
        reads("host-small", "cpu.user.percent", 100);
        reads("host", "cpu.user.percent", 100);
        reads("gateway-1", "cpu.user.cores", 1.9);
        reads("gateway-10", "cpu.user.cores", 0);
        HostFacts there = new HostFacts(
                "small", "", 2, 8L << 30, "Linux 6.12", "17.0.17", List.of(), List.of(), List.of("gateway-1"));
        assertThat(of(judged(HERE, LARGE, there), MachineCaveats.HOST_NOISY))
                .singleElement()
                .asString()
                .startsWith("other programs used")
                .endsWith("of 2 cores here in user mode");
    }

    @Test
    @NeedsFeature("delivery")
    void onlyEventsThatComeToABrokerAreWritten() {
        assertThat(of(judged(HERE, LARGE, SMALL), MachineCaveats.PAGE_CACHE_ABSORBED_THE_WRITES))
                .hasSize(1);
        begin("""
                        name: e
                        cluster: { brokers: 1 }
                        bridge: { path: direct }
                        load: { workload: deliver, engine: http, rate: 100/s }
                        """);
        assertThat(of(judged(HERE, LARGE, SMALL), MachineCaveats.PAGE_CACHE_ABSORBED_THE_WRITES))
                .isEmpty();
    }

    @Test
    void localControllersDoNotCountAsOtherPrograms() {
        reads("host", "cpu.user.percent", 100);
        reads("controller-4", "cpu.user.cores", 0.4);
        assertThat(of(judged(HERE, LARGE, SMALL), MachineCaveats.HOST_NOISY)).isEmpty();
    }

    @Test
    void remoteWorkersDoNotMakeThisHostNoisy() {
        assertThat(of(judged(HERE, LARGE, SMALL), MachineCaveats.HOST_NOISY)).isEmpty();
    }

    @Test
    void noiseNamesItsMachine() {
        reads("host-large", "cpu.steal.percent", 12);
        reads("host-small", "psi.memory.some.percent", 8);
        reads("host-large", "cpu.user.percent", 60);
        assertThat(of(judged(HERE, LARGE, SMALL), MachineCaveats.HOST_NOISY))
                .containsExactly(
                        "the hypervisor gave 6.0 % of the CPU time on large to other virtual machines",
                        "other programs used 3.9 of 16 cores on large in user mode",
                        "tasks on small waited for memory for 4.0 % of the time (PSI)");
    }

    @Test
    void latenessAndPausesAreReportedWithTheHost() {
        reads("generator-1", "gc.pause.longest.ms", 70);
        List<Caveat> caveats = judged(HERE, LARGE, SMALL);
        assertThat(of(caveats, RateRule.GENERATOR_LATE))
                .singleElement()
                .asString()
                .startsWith("at 100/s worker 2 of 2 on small was itself late by 29.7 ms");
        assertThat(of(caveats, GeneratorCaveats.GENERATOR_PAUSED))
                .containsExactly("the longest garbage collection pause of the generator's JVM on large was 70.0 ms");
    }

    private static BrokerCount count(long counted, long sent, long acked) {
        Map<Count, Long> counts = Map.of(Count.SENT, sent, Count.ACKED, acked);
        ProbeSeries readings = ProbeSeries.of(List.of(new Reading(9, BrokerCount.SOURCE, BrokerCount.METRIC, counted)));
        return BrokerCount.of(readings, () -> Numbers.of(counts)).get(0);
    }

    @Test
    void brokerCountMayLieBetweenAckedAndSent() {
        assertThat(count(10_000, 10_000, 10_000).differs(0)).isFalse();
        assertThat(count(9_500, 10_000, 9_000).differs(0)).isFalse();
        assertThat(count(9_995, 10_000, 10_000).differs(0)).isFalse();
    }

    @Test
    void fewerThanWereAckedOrMoreThanWereSentDiffer() {
        assertThat(count(9_900, 10_000, 10_000).differs(0)).isTrue();
        assertThat(count(10_070, 10_000, 10_000).differs(0)).isTrue();
        assertThat(count(10_070, 10_000, 10_000).differs(70)).isFalse();
    }

    @Test
    void brokerCountTextHasBothCounts() {
        assertThat(count(10_070, 10_000, 9_990).text())
                .isEqualTo("brokers counted 10,070 records (MessagesIn), but 9,990 were acked, including warm-up and"
                        + " fill");
    }

    @Test
    void brokerCountIsEmptyWithoutReadings() {
        assertThat(BrokerCount.of(ProbeSeries.of(List.of()), Numbers::new)).isEmpty();
    }
}
