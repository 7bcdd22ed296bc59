package weir.judge.caveat;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import weir.judge.ProbeSeries;
import weir.measure.Count;
import weir.measure.Numbers;
import weir.measure.Reading;

class BrokerCountTest {
    private static BrokerCount count(long counted, long sent, long acked) {
        Map<Count, Long> counts = Map.of(Count.SENT, sent, Count.ACKED, acked);
        ProbeSeries readings = ProbeSeries.of(List.of(new Reading(9, BrokerCount.SOURCE, BrokerCount.METRIC, counted)));
        return BrokerCount.of(readings, () -> Numbers.of(counts)).get(0);
    }

    @Test
    void whatWasAckedCameInAndWhatWasNotMayHave() {
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
    void bothCountsStandInItsText() {
        assertThat(count(10_070, 10_000, 9_990).text())
                .isEqualTo("brokers counted 10,070 (MessagesIn) where 9,990 were acked, warm-up and fill included");
    }

    @Test
    void whereNobodyCountedThereIsNone() {
        assertThat(BrokerCount.of(ProbeSeries.of(List.of()), Numbers::new)).isEmpty();
    }
}
