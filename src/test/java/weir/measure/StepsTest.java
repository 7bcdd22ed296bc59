package weir.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import weir.measure.Steps.Part;

class StepsTest {
    private static final long SECOND = 1_000_000_000L;

    private static Part part(int step, double since, double start, double end) {
        return new Part(step, (long) (since * SECOND), (long) (start * SECOND), (long) (end * SECOND));
    }

    private static Steps cut(List<Part> steps, double... cuts) {
        TreeSet<Long> nanos = new TreeSet<>();
        for (double cut : cuts) {
            nanos.add((long) (cut * SECOND));
        }
        return Steps.cut(steps, nanos);
    }

    /** Two steps with a rest between them. */
    private static final List<Part> STEPS = List.of(part(2, 0, 0, 10), part(3, 0, 12, 20));

    @Test
    void stepsAreCutWhereDisturbancesBeginAndEnd() {
        assertThat(cut(STEPS, 6.5, 14).parts())
                .containsExactly(part(2, 0, 0, 6.5), part(2, 6.5, 6.5, 10), part(3, 6.5, 12, 14), part(3, 14, 14, 20));
    }

    @Test
    void aCutBesideTheStepsMakesNoPartMore() {
        assertThat(cut(STEPS, 0, 11, 20, 30).parts()).containsExactly(part(2, 0, 0, 10), part(3, 11, 12, 20));
        assertThat(cut(STEPS).parts()).isEqualTo(STEPS);
    }

    @Test
    void aPartIsNamedByItsStepAndTheCutBeforeIt() {
        Steps parts = cut(STEPS, 6.5, 14);
        assertThat(List.of(parts.name(1), parts.name(2), parts.name(3), parts.name(4), parts.name(5)))
                .containsExactly("1", "2", "2+6.5", "3+6.5", "3+14");
        assertThat(List.of(parts.step(0), parts.step(1), parts.step(3), parts.step(4)))
                .containsExactly(0, 1, 2, 3);
        assertThat(Steps.WHOLE.name(7)).isEqualTo("7");
    }

    @Test
    void aTagSaysInWhichSecondsOfTheMeasuredPhaseItsMessagesWereDue() {
        HistogramLog.LatencyTag tag = HistogramLog.LatencyTag.of("response@3+6.5");
        assertThat(tag)
                .isEqualTo(new HistogramLog.LatencyTag("response", 3, 6.5))
                .hasToString("response@3+6.5");
        assertThat(tag.due(6.5, 14)).isTrue();
        assertThat(tag.due(7, 14) || tag.due(0, 6.5)).isFalse();
        assertThat(HistogramLog.LatencyTag.of("response@1").due(0, 14))
                .as("warm-up")
                .isFalse();
    }

    @Test
    void theAccountOfADisturbanceIsThatOfWhatWasDueInIt() {
        Steps parts = cut(STEPS, 6.5, 14);
        Ledger ledger = new Ledger(List.of("t-0"));
        SentLedger sender = ledger.sender(0);
        for (int part = 2; part < 6; part++) {
            sender.due(part, 10 * part);
            sender.acked(sender.next(part, 10 * part), 10 * part - part);
        }
        assertThat(parts.balance(ledger, (long) (6.5 * SECOND), 14 * SECOND))
                .isNotNull()
                .extracting(balance -> List.of(balance.of(Count.DUE), balance.of(Count.ACKED)))
                .isEqualTo(List.of(70L, 63L));
        assertThat(parts.balance(ledger, 3).of(Count.DUE)).isEqualTo(90);
        assertThat(parts.balance(ledger, 30 * SECOND, 40 * SECOND)).isNull();
    }
}
