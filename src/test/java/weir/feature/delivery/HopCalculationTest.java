package weir.feature.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import weir.judge.ProbeSeries;
import weir.measure.LatencyKind;
import weir.measure.Reading;
import weir.results.Trials;
import weir.results.value.Figures;
import weir.results.value.HopResult;
import weir.results.value.HopResult.Part;
import weir.results.value.LatencyResult;
import weir.results.value.StepResult;
import weir.results.value.TrialResult;

class HopCalculationTest {
    private static final int PER_SECOND = 100;

    private final List<Reading> readings = new ArrayList<>();
    private final Map<String, double[]> totals = new TreeMap<>();

    /** Adds a second in which events had this age at a checkpoint, or needed this time for a part, in ms. */
    private void tell(int second, String process, String name, double millis) {
        double[] total = totals.computeIfAbsent(process + name, first -> new double[2]);
        total[0] += PER_SECOND;
        total[1] += PER_SECOND * millis;
        readings.add(new Reading(second, process, name + ".count", total[0]));
        readings.add(new Reading(second, process, name + ".ms", total[1]));
    }

    private void restart() {
        totals.clear();
    }

    private void p99(int second, String process, String part, double millis) {
        readings.add(new Reading(second, process, "part." + part + ".p99.ms", millis));
    }

    private static LatencyResult mean(double millis) {
        return new LatencyResult(millis, millis, millis, millis, millis, millis, millis, 1_000, null, null);
    }

    /** Events are sent 1 ms late, half of it by backpressure, answered after 10 ms and received after 30 ms. */
    private static StepResult step(int number, double from, double rate) {
        Map<LatencyKind, LatencyResult> latencies = Map.of(
                LatencyKind.LATE, mean(0.5),
                LatencyKind.BACKPRESSURE, mean(0.5),
                LatencyKind.RESPONSE, mean(10),
                LatencyKind.E2E, mean(30));
        Figures figures = Trials.figures(Map.of(), Map.of(), latencies);
        return new StepResult(rate, number, rate + "/s", from, 10, figures, null, null, null, null);
    }

    private static TrialResult trial(String path, StepResult... steps) {
        TrialResult plain = Trials.trial("base", 1, steps[0].figures(), List.of(steps));
        return path.isEmpty() ? plain : Trials.with(Map.of("bridge.path", path), plain);
    }

    private List<HopResult> hops(TrialResult trial) {
        return HopCalculation.of(ProbeSeries.of(readings), trial);
    }

    private static List<String> told(List<HopResult> hops) {
        return hops.stream()
                .map(hop -> hop.name() + " " + Math.round(hop.mean() * 1000) / 1000.0)
                .toList();
    }

    private static double sum(List<HopResult> hops) {
        return hops.stream().mapToDouble(HopResult::mean).sum();
    }

    private void channel(int second) {
        tell(second, "channel", "age.in", 3);
        tell(second, "channel", "age.handed", 4);
        tell(second, "channel", "age.acked", 9);
        tell(second, "channel", "age.fetched", 14);
        tell(second, "channel", "age.out", 29);
        tell(second, "channel", "part.accepting", 1);
        tell(second, "channel", "part.writing", 5);
        tell(second, "channel", "part.waiting", 15);
    }

    @Test
    void hopsOfAChannelSumToTheMeanEndToEndLatency() {
        for (int second = 0; second < 10; second++) {
            channel(second);
            p99(second, "channel", "waiting", second == 4 ? 80 : 20);
        }
        List<HopResult> hops = hops(trial("kafka-channel", step(2, 0, 1000)));
        assertThat(told(hops))
                .containsExactly(
                        "before sending 1.0",
                        "→ channel 2.0",
                        "channel: accepting 1.0",
                        "channel: writing 5.0",
                        "channel: fetching 5.0",
                        "channel: waiting 15.0",
                        "→ receiver 1.0");
        assertThat(sum(hops)).isCloseTo(30, within(1e-9));
        assertThat(hops.get(5).worst()).isEqualTo(80);
        assertThat(hops.get(5).count()).isEqualTo(1_000);
        assertThat(hops.get(1).worst()).isNull();
    }

    @Test
    void hopsIncludeLateReadingsOfTheSlowestRisingStep() {
        for (int second = 5; second < 30; second++) {
            // A reading at the end of second 4 can be half a second late, and then already describes the step.
            boolean early = second == 5;
            tell(second - 1, "channel", "age.in", 3);
            tell(second - 1, "channel", "age.out", early ? 53 : second < 25 ? 28 : 30.5);
            tell(second - 1, "channel", "part.waiting", early ? 50 : second < 25 ? 25 : 27.5);
            p99(second - 1, "channel", "waiting", 7);
        }
        p99(3, "channel", "waiting", 700);
        List<HopResult> hops = hops(trial("memory-channel", step(2, 5, 1000), step(3, 20, 1100)));
        assertThat(told(hops))
                .containsExactly("before sending 1.0", "→ channel 2.0", "channel: waiting 26.5", "→ receiver 0.5");
        assertThat(sum(hops)).isCloseTo(30, within(1e-9));
        assertThat(hops.get(2).worst()).isEqualTo(7);
    }

    @Test
    void brokerHopsAreIngressChannelAndFilterInPathOrder() {
        for (int second = 0; second < 10; second++) {
            tell(second, "filter", "age.in", 24);
            tell(second, "filter", "age.out", 26);
            tell(second, "filter", "part.waiting", 0.5);
            tell(second, "filter", "part.filtering", 1.5);
            tell(second, "channel", "age.in", 6);
            tell(second, "channel", "age.out", 20);
            tell(second, "ingress", "age.in", 2);
            tell(second, "ingress", "age.out", 5);
        }
        List<HopResult> hops = hops(trial("memory-broker", step(2, 0, 1000)));
        assertThat(told(hops))
                .containsExactly(
                        "before sending 1.0",
                        "→ ingress 1.0",
                        "ingress 3.0",
                        "→ channel 1.0",
                        "channel 14.0",
                        "→ filter 4.0",
                        "filter: filtering 1.5",
                        "filter: waiting 0.5",
                        "→ receiver 4.0");
        assertThat(sum(hops)).isCloseTo(30, within(1e-9));
    }

    @Test
    void sourceHopsBeginWithTheWritingClient() {
        for (int second = 0; second < 10; second++) {
            tell(second, "source", "age.fetched", 12);
            tell(second, "source", "age.out", 20);
            tell(second, "source", "part.waiting", 8);
        }
        List<HopResult> hops = hops(trial("kafka-source", step(2, 0, 1000)));
        assertThat(told(hops))
                .containsExactly(
                        "before sending 1.0",
                        "sender: writing 9.0",
                        "source: fetching 2.0",
                        "source: waiting 8.0",
                        "→ receiver 10.0");
        assertThat(hops.get(1).hop()).isEqualTo("sender");
    }

    @Test
    void unsentEventIsInNoSpan() {
        for (int second = 0; second < 10; second++) {
            tell(second, "source", "age.fetched", 12);
            tell(second, "source", "age.out", 20);
            tell(second, "source", "part.waiting", 8);
        }
        LatencyResult unsent = new LatencyResult(40.0, 40.0, 40.0, 40.0, 40.0, 40.0, 40.0, 1_600, 62.0, null);
        Figures figures = Trials.figures(
                Map.of(),
                Map.of(),
                Map.of(
                        LatencyKind.LATE, mean(0.5),
                        LatencyKind.BACKPRESSURE, mean(0.5),
                        LatencyKind.RESPONSE, unsent,
                        LatencyKind.SUCCESS, mean(10),
                        LatencyKind.E2E, mean(30)));
        List<HopResult> hops =
                hops(trial("kafka-source", new StepResult(100.0, 2, "100/s", 0, 10, figures, null, null, null, null)));
        assertThat(told(hops)).startsWith("before sending 1.0", "sender: writing 9.0");
        assertThat(hops.get(0).count()).isEqualTo(1_000);
        assertThat(sum(hops)).isCloseTo(30, within(1e-9));
    }

    @Test
    void hopCountsContinueAfterAProcessRestart() {
        for (int second = 0; second < 10; second++) {
            if (second == 6) {
                restart();
            }
            channel(second);
        }
        List<HopResult> hops = hops(trial("kafka-channel", step(2, 0, 1000)));
        assertThat(hops.get(5).count()).isEqualTo(1_000);
        assertThat(hops.get(5).mean()).isCloseTo(15, within(1e-9));
    }

    @Test
    void retryTimeIsAHopOfItsOwn() {
        for (int second = 0; second < 10; second++) {
            channel(second);
            readings.add(new Reading(second, "channel", "events.retried", 10 * (second + 1)));
        }
        assertThat(told(hops(trial("kafka-channel", step(2, 0, 1000))))).contains("channel: retrying 0.0");
        readings.removeIf(reading -> reading.metric().startsWith("part.waiting"));
        totals.keySet().removeIf(name -> name.contains("waiting"));
        for (int second = 0; second < 10; second++) {
            tell(second, "channel", "part.waiting", 3);
        }
        List<HopResult> hops = hops(trial("kafka-channel", step(2, 0, 1000)));
        assertThat(told(hops)).contains("channel: waiting 3.0", "channel: retrying 12.0");
        assertThat(sum(hops)).isCloseTo(30, within(1e-9));
        assertThat(hops).filteredOn(hop -> hop.part() == Part.RETRYING).allMatch(hop -> hop.count() == 100);
    }

    @Test
    void directPathHasOneHopToTheReceiver() {
        assertThat(told(hops(trial("direct", step(2, 0, 1000)))))
                .containsExactly("before sending 1.0", "→ receiver 29.0");
        assertThat(hops(trial("", step(2, 0, 1000)))).isEmpty();
    }
}
