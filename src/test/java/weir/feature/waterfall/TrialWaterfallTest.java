package weir.feature.waterfall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import weir.feature.waterfall.RequestSeries.RequestKind;
import weir.feature.waterfall.StageTimes.RequestTime;
import weir.feature.waterfall.StepWaterfall.WaterfallPart;
import weir.judge.ProbeSeries;
import weir.measure.LatencyKind;
import weir.measure.Reading;
import weir.plan.RecordKeys;
import weir.results.Trials;
import weir.results.WindowRow;
import weir.results.WindowRows;
import weir.results.value.Figures;
import weir.results.value.LatencyResult;
import weir.results.value.StepResult;
import weir.results.value.TrialResult;

class TrialWaterfallTest {
    private static final Offset<Double> EXACT = within(1e-9);
    private static final double DELAY = 20;

    private final List<Reading> readings = new ArrayList<>();

    private static LatencyResult mean(double millis) {
        return new LatencyResult(millis, millis, millis, millis, millis, millis, millis, 100, null, null);
    }

    /** A step of 40 ms: late 1, backpressure 2, blocked 3, and 34 in the client, the network and the brokers. */
    private static StepResult step(int number, double from, double seconds) {
        return step(number, from, seconds, 40);
    }

    /** Returns the same step with another response of all messages, including those that were never acked. */
    private static StepResult step(int number, double from, double seconds, double response) {
        Figures figures = Trials.figures(
                Map.of(),
                Map.of(),
                Map.of(
                        LatencyKind.RESPONSE, mean(response),
                        LatencyKind.LATE, mean(1),
                        LatencyKind.BACKPRESSURE, mean(2),
                        LatencyKind.SERVICE, mean(37),
                        LatencyKind.BLOCKED, mean(3)));
        return RecordKeys.with(Trials.step(100, number, from, figures), Map.of("seconds", seconds));
    }

    private static TrialResult trial(StepResult... steps) {
        return Trials.trial("a", 1, steps[0].figures(), List.of(steps));
    }

    private void read(double second, String source, String metric, double value) {
        readings.add(new Reading(second, source, metric, value));
    }

    /** Adds a second of produce requests: 1 ms in each stage, and {@code delay} more in one. */
    private void produce(double second, String broker, double requests, RequestTime later, double delay) {
        read(second, broker, "request.produce.count", requests);
        for (RequestTime stage : RequestTime.STAGES) {
            read(second, broker, "request.produce." + stage.part() + ".mean.ms", stage == later ? 1 + delay : 1);
        }
        read(second, broker, "request.produce.total.mean.ms", 5 + delay);
        read(second, broker, "request.produce.throttle.mean.ms", 0);
    }

    /** Adds ten such requests of broker 1 in each second. */
    private void produce(int seconds, double delay) {
        for (int second = 0; second < seconds; second++) {
            produce(second, "broker-1", 10, RequestTime.LOCAL, delay);
        }
    }

    private void client(double from, double to, double latency) {
        for (double second = from; second < to; second++) {
            read(second, "client", "producer.request-latency-avg", latency);
        }
    }

    private TrialWaterfall waterfall(TrialResult trial, List<WindowRow> rows) {
        readings.forEach(one -> assertThat(TrialWaterfall.isPart(one.source(), one.metric()))
                .as(one.metric())
                .isTrue());
        return TrialWaterfall.of(trial, rows, ProbeSeries.of(readings));
    }

    private static TrialWaterfall.Requests of(TrialWaterfall waterfall) {
        return Objects.requireNonNull(waterfall.requests().get(RequestKind.PRODUCE));
    }

    private static StageTimes produced(TrialWaterfall waterfall) {
        return of(waterfall).measured().times();
    }

    @ParameterizedTest
    @EnumSource(
            value = RequestTime.class,
            names = {"TOTAL", "THROTTLE"},
            mode = EnumSource.Mode.EXCLUDE)
    void delayAppearsOnlyInItsStage(RequestTime delayed) {
        for (int second = 0; second < 30; second++) {
            produce(second, "broker-1", 100, delayed, second < 10 ? 0 : DELAY);
            produce(second, "broker-2", 100, delayed, second < 10 ? 0 : DELAY);
        }
        client(0, 30, 28);
        TrialWaterfall waterfall = waterfall(trial(step(2, 10, 20)), List.of());

        Map<WaterfallPart, Double> parts = waterfall.steps().get(0).parts();
        for (RequestTime stage : RequestTime.STAGES) {
            assertThat(parts.get(WaterfallPart.of(stage)))
                    .as(stage.word())
                    .isCloseTo(stage == delayed ? 1 + DELAY : 1, EXACT);
        }
        assertThat(parts)
                .containsEntry(WaterfallPart.LATE, 1.0)
                .containsEntry(WaterfallPart.BACKPRESSURE, 2.0)
                .containsEntry(WaterfallPart.BLOCKED, 3.0)
                .containsEntry(WaterfallPart.CLIENT, 37.0 - 3 - 28)
                .containsEntry(WaterfallPart.NETWORK, 28.0 - 5 - DELAY)
                .containsEntry(WaterfallPart.IN_NO_STAGE, 0.0);
        assertThat(waterfall.steps().get(0).response()).as("they add up").isCloseTo(40, EXACT);
    }

    @Test
    void brokersAreWeightedByTheirRequests() {
        for (int second = 0; second < 10; second++) {
            produce(second, "broker-1", 90, RequestTime.LOCAL, 0);
            produce(second, "broker-2", 10, RequestTime.LOCAL, DELAY);
        }
        StageTimes times = produced(waterfall(trial(step(2, 0, 10)), List.of()));
        assertThat(times.mean(RequestTime.LOCAL)).isCloseTo(1 + DELAY / 10, EXACT);
        assertThat(times.requests()).isEqualTo(1000);
    }

    @Test
    void waterfallStepUsesOnlyItsOwnSamples() {
        // Readings at the ends of seconds 4, 9, 14 and 19, of five seconds each.
        produce(4, "broker-1", 50, RequestTime.REMOTE, 0);
        produce(9, "broker-1", 50, RequestTime.REMOTE, DELAY);
        produce(14, "broker-1", 50, RequestTime.REMOTE, 0);
        produce(19, "broker-1", 50, RequestTime.REMOTE, 0);
        TrialWaterfall waterfall =
                waterfall(trial(step(2, 0, 5), step(3, 5, 5), step(4, 10, 10), step(5, 21, 2)), List.of());
        assertThat(waterfall.steps().stream()
                        .filter(StepWaterfall::seen)
                        .map(one -> one.parts().get(WaterfallPart.REMOTE)))
                .as("nobody looked in the last one")
                .containsExactly(1.0, 1 + DELAY, 1.0);
    }

    @Test
    void shortStepUsesOverlappingSamples() {
        produce(4, "broker-1", 50, RequestTime.REMOTE, 0);
        produce(9, "broker-1", 100, RequestTime.REMOTE, DELAY);
        StageTimes times = produced(waterfall(trial(step(2, 4, 2)), List.of()));
        assertThat(times.requests()).isEqualTo(150);
        assertThat(times.mean(RequestTime.REMOTE)).isCloseTo((10 * 1 + 20 * (1 + DELAY)) / 30, EXACT);
    }

    @Test
    void secondWithoutRequestsIsIgnored() {
        produce(0, "broker-1", 10, RequestTime.LOCAL, DELAY);
        read(1, "broker-1", "request.produce.count", 0);
        produce(2, "broker-1", 10, RequestTime.LOCAL, 0);
        StageTimes times = produced(waterfall(trial(step(2, 0, 3)), List.of()));
        assertThat(times.mean(RequestTime.LOCAL)).isCloseTo(1 + DELAY / 2, EXACT);
    }

    @Test
    void inconsistentWaterfallShowsANegativePart() {
        produce(10, DELAY);
        client(0, 10, 15);
        StepWaterfall step = waterfall(trial(step(2, 0, 10)), List.of()).steps().get(0);
        assertThat(step.parts()).containsEntry(WaterfallPart.NETWORK, 15.0 - 25);
        assertThat(step.response()).isCloseTo(40, EXACT);
    }

    @Test
    void partsAreCoarserWithoutClientOrBrokerTimes() {
        StepResult step = step(2, 0, 10);
        assertThat(waterfall(trial(step), List.of()).steps().get(0).parts())
                .containsEntry(WaterfallPart.REST, 34.0)
                .hasSize(4);
        client(0, 10, 30);
        assertThat(waterfall(trial(step), List.of()).steps().get(0).parts())
                .containsEntry(WaterfallPart.CLIENT, 4.0)
                .containsEntry(WaterfallPart.REQUEST, 30.0)
                .hasSize(5);
        produce(10, 0);
        TrialResult queued = Trials.with(Map.of("bridge.gateway.answer", "queued"), trial(step));
        assertThat(waterfall(queued, List.of()).steps().get(0).parts())
                .as("the gateway answers before the broker")
                .containsEntry(WaterfallPart.REQUEST, 30.0)
                .hasSize(5);
        readings.clear();
        produce(10, 0);
        assertThat(waterfall(trial(step), List.of()).steps().get(0).parts())
                .containsEntry(WaterfallPart.CLIENT_AND_NETWORK, 29.0)
                .containsEntry(WaterfallPart.LOCAL, 1.0);
        TrialResult unacked = Trials.with(Map.of("load.producer.acks", "0"), trial(step));
        assertThat(waterfall(unacked, List.of()).steps().get(0).parts())
                .as("nobody waits for a broker")
                .containsEntry(WaterfallPart.REST, 34.0);
    }

    @Test
    void slowestSecondsAreComparedWithTheOthers() {
        List<WindowRow> rows = new ArrayList<>();
        for (int second = 0; second < 40; second++) {
            boolean slow = second % 10 == 3;
            produce(second, "broker-1", 100, RequestTime.REMOTE, slow ? DELAY : 0);
            produce(second, "broker-2", 100, RequestTime.REMOTE, 0);
            WindowRow.Spread response = new WindowRow.Spread(4, slow ? 28 : 6, 30, 30);
            rows.add(WindowRows.of(
                    second, 2, 1, 1, 0, 0, Map.of(LatencyKind.RESPONSE, response), Double.NaN, Double.NaN));
        }
        SlowSeconds slow = waterfall(trial(step(2, 0, 40)), rows).slow().get(0);
        assertThat(slow.slow().looks()).isEqualTo(4);
        assertThat(slow.others().looks()).isEqualTo(36);
        assertThat(slow.slow().p99()).isEqualTo(28);
        assertThat(slow.others().p99()).isEqualTo(6);
        assertThat(slow.atLeast()).isFalse();
        assertThat(slow.longer(RequestTime.REMOTE)).isCloseTo(DELAY / 2, EXACT);
        assertThat(slow.behind()).containsExactly(RequestTime.REMOTE);
        assertThat(waterfall(trial(step(2, 0, 9)), rows).slow())
                .as("too few seconds to tell slow ones")
                .isEmpty();
    }

    @Test
    void percentilesComeFromTheBrokerWithTheHighest() {
        produce(4, "broker-1", 10, RequestTime.LOCAL, 0);
        read(4, "broker-1", "request.produce.local.p99.ms", 90);
        read(9, "broker-1", "request.produce.local.p99.ms", 7);
        read(9, "broker-2", "request.produce.local.p99.ms", 8);
        read(19, "broker-2", "request.produce.local.p99.ms", 500);
        TrialWaterfall waterfall = waterfall(trial(step(2, 2, 10)), List.of());
        assertThat(of(waterfall).p99())
                .as("the last ones of the measured phase")
                .containsExactly(Map.entry(RequestTime.LOCAL, 8.0));
    }

    @Test
    void unackedTimeIsAPartOfTheMeanResponse() {
        StepResult plain = step(2, 0, 10);
        // Unsent messages wait until the end of the drain. Only response and late include this wait.
        StepResult unsent = step(2, 0, 10, 5000);
        assertThat(waterfall(trial(plain), List.of()).steps().get(0).parts())
                .doesNotContainKey(WaterfallPart.NOT_ACKED);
        StepWaterfall step = waterfall(trial(unsent), List.of()).steps().get(0);
        assertThat(step.response()).isEqualTo(5000);
        assertThat(step.parts()).containsEntry(WaterfallPart.NOT_ACKED, 5000.0 - 40);
    }

    @Test
    void slowSecondsAreChosenWithinEachStep() {
        List<WindowRow> rows = new ArrayList<>();
        for (int second = 0; second < 31; second++) {
            // In each step all seconds are equal.
            produce(second, "broker-1", second < 20 ? 100 : 400, RequestTime.LOCAL, second < 20 ? 0 : 49);
            WindowRow.Spread response = new WindowRow.Spread(4, second < 20 ? 6 : 60 + 0.001 * second, 90, 90);
            rows.add(WindowRows.of(
                    second, 2, 1, 1, 0, 0, Map.of(LatencyKind.RESPONSE, response), Double.NaN, Double.NaN));
        }
        SlowSeconds slow =
                waterfall(trial(step(2, 0, 20), step(3, 20, 11)), rows).slow().get(0);
        assertThat(slow.longer(RequestTime.LOCAL)).isZero();
        assertThat(slow.behind()).isEmpty();
        assertThat(slow.slow().p99() - slow.others().p99()).isCloseTo(0, within(0.01));
    }

    @Test
    void requestsOfLongSamplesAreCountedOnceOverSteps() {
        // Readings of five seconds; steps of ten seconds begin in the middle of a reading.
        for (int second = 4; second < 60; second += 5) {
            produce(second, "broker-1", 500, RequestTime.LOCAL, 0);
        }
        assertThat(produced(waterfall(trial(step(2, 2, 10), step(3, 12, 10), step(4, 22, 10)), List.of()))
                        .requests())
                .isCloseTo(3000, EXACT);
    }

    private void fetched(double second, String broker, double requests) {
        read(second, broker, "request.fetch.consumer.count", requests);
        read(second, broker, "request.fetch.consumer.total.mean.ms", 3);
    }

    private TrialWaterfall.Requests fetches(StepResult... steps) {
        return Objects.requireNonNull(
                waterfall(trial(steps), List.of()).requests().get(RequestKind.FETCH));
    }

    /** Returns the number of ended requests, and the seconds of the readings with these requests. */
    private static List<Double> counted(TrialWaterfall.Requests requests) {
        RequestSeries measured = requests.measured();
        return List.of(measured.times().requests(), measured.from(), measured.to(), measured.covered());
    }

    @Test
    void singleFetchSampleCoversFiveSeconds() {
        fetched(10, "broker-1", 1500);
        assertThat(counted(fetches(step(2, 8, 3)))).containsExactly(1500.0, 6.0, 11.0, 1.0);
    }

    @Test
    void sampleBelongsToThePhaseOfItsMiddle() {
        fetched(9, "broker-1", 900);
        assertThat(counted(fetches(step(2, 6, 6)))).containsExactly(900.0, 5.0, 10.0, 1.0);
        fetched(14, "broker-1", 300);
        fetched(24, "broker-1", 500);
        assertThat(counted(fetches(step(2, 8, 3), step(3, 12, 3), step(4, 16, 3))))
                .as("of the last step nobody looked")
                .containsExactly(300.0, 10.0, 15.0, 1.0);
        assertThat(counted(fetches(step(2, 5, 20)))).containsExactly(1700.0, 5.0, 25.0, 1.0);
    }

    @Test
    void brokerSamplesOfDifferentSecondsAreMergedOnce() {
        for (int second = 4; second < 15; second += 5) {
            fetched(second, "broker-1", 100);
            fetched(second + 1, "broker-2", 10);
        }
        List<RequestSeries.Look> together = fetches(step(2, 0, 15)).series().together();
        assertThat(together).extracting(RequestSeries.Look::from).containsExactly(0.0, 5.0, 10.0);
        assertThat(together).extracting(RequestSeries.Look::to).containsExactly(5.0, 10.0, 15.0);
        assertThat(together).extracting(look -> look.times().requests()).containsExactly(110.0, 110.0, 110.0);
    }

    @Test
    void clientMeanIsOverEachSecondOfThePhase() {
        produce(12, 0);
        client(0, 5, 10);
        client(5, 10, 30);
        client(10, 12, 1000);
        TrialResult trial = trial(step(2, 0, 10));
        TrialWaterfall waterfall = waterfall(trial, List.of());
        assertThat(of(waterfall).byClient()).isEqualTo(20);
        assertThat(waterfall.steps().get(0).parts()).containsEntry(WaterfallPart.NETWORK, 20.0 - 5);
        TrialResult byHttp = Trials.with(Map.of("load.engine", "http"), trial);
        assertThat(of(waterfall(byHttp, List.of())).byClient())
                .as("a request by HTTP is none that a broker answers")
                .isNaN();
    }

    @Test
    void sampleAcrossTwoStepsCountsOnce() {
        produce(3, "broker-1", 10, RequestTime.LOCAL, 0);
        produce(4, "broker-1", 10, RequestTime.LOCAL, 0);
        produce(5, "broker-1", 10, RequestTime.LOCAL, 0);
        assertThat(produced(waterfall(trial(step(2, 0, 4.5), step(3, 4.5, 4.5)), List.of()))
                        .requests())
                .isEqualTo(30);
    }
}
