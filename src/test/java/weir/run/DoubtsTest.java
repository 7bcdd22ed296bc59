package weir.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import weir.measure.Balance;
import weir.results.Caveat;
import weir.results.Caveat.Level;

class DoubtsTest {
    private final Doubts doubts = new Doubts(3);

    private Caveat only() {
        assertThat(doubts.found()).hasSize(1);
        return doubts.found().get(0);
    }

    @Test
    void aLateGeneratorMakesTheTrialInvalid() {
        doubts.late(Sample.GOOD.p99(20).late(6).trial("a", 1).steps());
        assertThat(only().type()).isEqualTo("generator-late");
        assertThat(only().level()).isEqualTo(Level.INVALID);
        assertThat(only().evidence()).contains("6.0 ms").contains("20.0 ms").contains("1000/s");
    }

    @Test
    void aSaturatedBrokerIsNotALateGenerator() {
        doubts.late(Sample.GOOD.p99(2_000).late(30).trial("a", 1).steps());
        assertThat(doubts.found()).isEmpty();
    }

    @Test
    void aGeneratorLateByLessThanAnyoneFeelsIsFine() {
        doubts.late(Sample.GOOD.p99(4).late(3).trial("a", 1).steps());
        assertThat(doubts.found()).isEmpty();
    }

    private static Balance balance(long sent, long acked, long unread, long expired) {
        return new Balance(100, 0, sent, acked, 0, 0, 0, acked, unread, 0, 0, 0, 0, 0, 0, expired, 0);
    }

    @Test
    void aLedgerThatDoesNotBalanceMakesTheTrialInvalid() {
        doubts.balance(balance(100, 99, 0, 0));
        assertThat(only().level()).isEqualTo(Level.INVALID);
    }

    @Test
    void whatWasNotReadIsNoLossButADoubt() {
        doubts.balance(balance(100, 100, 5, 0));
        assertThat(only().type()).isEqualTo("unread");
        assertThat(only().level()).isEqualTo(Level.DOUBT);
    }

    @Test
    void aBalancedLedgerLeavesNoDoubt() {
        doubts.balance(balance(100, 100, 0, 0));
        assertThat(doubts.found()).isEmpty();
    }

    @Test
    void aClockThatWasSteppedMakesTheTrialInvalid() {
        doubts.clock(60_900, 60_000);
        assertThat(only().type()).isEqualTo("clock-stepped");
        assertThat(new Doubts(1).found()).isEmpty();
    }

    @Test
    void anAcceptedCaveatBecomesANoteWithTheReason() {
        doubts.balance(balance(100, 100, 5, 0));
        List<Caveat> accepted =
                Doubts.accept(doubts.found(), new TreeMap<>(Map.of("unread", "we only look at the producers")));
        assertThat(accepted.get(0).level()).isEqualTo(Level.NOTE);
        assertThat(accepted.get(0).evidence()).contains("we only look at the producers");
    }

    @Test
    void fewMessagesMakeAThinPercentile() {
        doubts.thin(Sample.GOOD.count(5_000).figures());
        assertThat(only().weakens()).isEqualTo("p99.9 and beyond");
    }

    @Test
    void manyMessagesMakeNone() {
        doubts.thin(Sample.GOOD.count(200_000).figures());
        assertThat(doubts.found()).isEmpty();
    }
}
