package weir.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ReadLedgerTest {
    @Test
    void aStretchHasOneAnswerForAllItsMessages() {
        Ledger ledger = new Ledger(List.of("t-0", "t-1"));
        ReadLedger mine = ledger.reader();
        ReadLedger other = ledger.reader();
        Set<Long> told = new HashSet<>();
        SplittableRandom random = new SplittableRandom(3);
        // Both sides of the end of a chunk of numbers.
        long from = 65_536 - 300;
        for (int i = 0; i < 40; i++) {
            long first = from + random.nextInt(600);
            int many = 1 + random.nextInt(20);
            boolean here = random.nextBoolean();
            (here ? mine : other).received(here ? 0 : 1, 1_000L * i, 0, first, many);
            for (int n = 0; n < many; n++) {
                told.add(first + n);
            }
            if (i % 3 == 0) {
                mine.handOver();
            }
            other.handOver();
        }
        for (long sequence = from; sequence < from + 700; sequence++) {
            int stretch = mine.seen(0, sequence);
            assertThat(stretch).as("%s", sequence).isNotZero();
            for (int n = 0; n < Math.min(700, Math.abs(stretch)); n++) {
                assertThat(told.contains(sequence + n))
                        .as("%s + %s", sequence, n)
                        .isEqualTo(stretch > 0);
            }
        }
    }

    @Test
    void partitionThatIsAddedIsReadBeforeItsNameIsKnown() {
        Ledger ledger = new Ledger(List.of("t-0"));
        SentLedger sender = ledger.sender(0);
        sender.due(Steps.MEASURE, 2);
        sender.acked(sender.next(Steps.MEASURE, 2), 2);
        ReadLedger reader = ledger.reader();
        reader.received(0, 0, 0, 0);
        reader.received(2, 0, 0, 1);
        reader.position(2, 1);
        reader.handOver();
        ledger.know(List.of("t-0", "t-1", "t-2"));
        ledger.end(2, 1);
        assertThat(ledger.balance(Steps.MEASURE).of(Count.RECEIVED)).isEqualTo(2);
        assertThat(ledger.balance(Steps.MEASURE).of(Count.LOST)).isZero();
        Ledger other = new Ledger(List.of("t-0", "t-2", "t-1"));
        assertThat(other.plus(ledger).balance(Steps.MEASURE)).isEqualTo(ledger.balance(Steps.MEASURE));
    }
}
