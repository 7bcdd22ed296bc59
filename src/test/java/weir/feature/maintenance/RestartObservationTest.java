package weir.feature.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.run.FakeLab;
import weir.wire.Endpoint;

/** The marks of an observation on a clock that the test turns, with brokers that the test takes away. */
class RestartObservationTest {
    private static final Endpoint ONE = new Endpoint("one", 9092);
    private static final Endpoint TWO = new Endpoint("two", 9092);

    private final List<String> marks = new ArrayList<>();
    private final Map<Integer, Endpoint> members = new HashMap<>(Map.of(1, ONE, 2, TWO));
    private final Set<Endpoint> away = new HashSet<>();
    private final FakeLab lab;
    private final long begin;
    private boolean lags;
    private int lostPackets;
    private int closed;

    RestartObservationTest(@TempDir Path state) {
        lab = new FakeLab(state);
        begin = lab.nanos();
    }

    private RestartObservation observed() {
        RestartObservation.View view = new RestartObservation.View() {
            @Override
            public Map<Integer, Endpoint> brokers() {
                return Map.copyOf(members);
            }

            @Override
            public boolean accepts(Endpoint broker) {
                return !away.contains(broker) && (!broker.equals(TWO) || lostPackets-- <= 0);
            }

            @Override
            public boolean inSync() {
                return !lags;
            }

            @Override
            public void close() {
                closed++;
            }
        };
        return RestartObservation.start("roll", lab, new MarkNotes(begin, marks), Map.of(1, ONE), view);
    }

    private void passes(int millis) {
        lab.passes(lab.nanos() + Duration.ofMillis(millis).toNanos());
    }

    private void goes(Endpoint broker, int millis) {
        away.add(broker);
        lags = true;
        passes(millis);
    }

    private void returns(Endpoint broker, int millis) {
        away.remove(broker);
        passes(millis);
    }

    @Test
    void brokerThatGoesReturnsAndCatchesUpIsMarkedLikeARestart() {
        RestartObservation roll = observed();
        passes(1_050);
        goes(TWO, 3_000);
        returns(TWO, 1_000);
        lags = false;
        passes(1_000);
        roll.close();
        assertThat(marks)
                .containsExactly(
                        "0 operation roll: cluster: wait",
                        "1100 operation roll: broker 2: stop",
                        "4100 operation roll: broker 2: sync",
                        "5100 operation roll: cluster: wait");
        assertThat(roll.done()).isCompleted();
    }

    @Test
    void marksOfTwoBrokersThatAreAwayAtOnceStayApart() {
        observed();
        passes(1_050);
        goes(ONE, 2_000);
        goes(TWO, 1_000);
        returns(TWO, 1_000);
        returns(ONE, 1_000);
        lags = false;
        passes(1_000);
        assertThat(marks)
                .containsExactly(
                        "0 operation roll: cluster: wait",
                        "1100 operation roll: broker 1: stop",
                        "5100 operation roll: broker 1: sync",
                        "3100 operation roll: broker 2: stop",
                        "4100 operation roll: broker 2: sync",
                        "6100 operation roll: cluster: wait");
    }

    @Test
    void brokerThatGoesAgainBeforeItsReplicasAreInSyncHasTwoAbsences() {
        observed();
        passes(1_050);
        goes(TWO, 1_000);
        returns(TWO, 1_000);
        goes(TWO, 1_000);
        returns(TWO, 1_000);
        assertThat(marks)
                .containsExactly(
                        "0 operation roll: cluster: wait",
                        "1100 operation roll: broker 2: stop",
                        "2100 operation roll: broker 2: sync",
                        "3100 operation roll: cluster: wait",
                        "3100 operation roll: broker 2: stop",
                        "4100 operation roll: broker 2: sync");
    }

    @Test
    void oneFailedConnectionIsNoAbsence() {
        observed();
        passes(1_050);
        lostPackets = 1;
        passes(1_000);
        assertThat(marks).containsExactly("0 operation roll: cluster: wait");
    }

    @Test
    void brokerThatReturnsAtAnotherAddressIsFound() {
        observed();
        passes(1_050);
        goes(TWO, 1_000);
        members.put(2, new Endpoint("other", 9092));
        passes(2_000);
        assertThat(marks).hasSize(3).last().asString().endsWith("roll: broker 2: sync");
    }

    @Test
    void observationThatEndsDuringARestartSaysSo() {
        RestartObservation roll = observed();
        passes(1_050);
        goes(TWO, 1_000);
        roll.close();
        roll.close();
        returns(TWO, 1_000);
        assertThat(marks)
                .endsWith("1100 operation roll: broker 2: stop", "2050 roll unfinished still away: broker 2")
                .hasSize(3);
        assertThat(closed).isOne();
    }

    @Test
    void observationThatEndsBeforeAllReplicasAreInSyncSaysSo() {
        RestartObservation roll = observed();
        passes(1_050);
        goes(TWO, 1_000);
        returns(TWO, 1_000);
        roll.close();
        assertThat(marks).endsWith("3050 roll unfinished not all replicas were in sync");
    }
}
