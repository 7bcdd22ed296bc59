package weir.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static weir.measure.Written.bytes;

import java.io.IOException;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SequencesTest {
    private static final int CHUNK = 65_536;

    /** Enough for four chunks. */
    private static final int SPACE = 4 * CHUNK;

    private static Sequences read(byte[] bytes) throws IOException {
        return Written.read(bytes, Sequences::read);
    }

    /** Adds the same numbers to both, some in long runs so that chunks become full. */
    private static void fill(Sequences sequences, BitSet naive, SplittableRandom random) {
        for (int i = 0; i < 40; i++) {
            int first = random.nextInt(SPACE);
            int many = random.nextInt(4) == 0 ? random.nextInt(2 * CHUNK) : random.nextInt(300);
            int already = naive.get(first, first + many).cardinality();
            naive.set(first, first + many);
            assertThat(sequences.add(first, many)).isEqualTo(already);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void itIsASet(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        Sequences a = new Sequences();
        Sequences b = new Sequences();
        BitSet naiveA = new BitSet();
        BitSet naiveB = new BitSet();
        fill(a, naiveA, random);
        fill(b, naiveB, random);
        assertThat(a.count).isEqualTo(naiveA.cardinality());
        assertThat(a.end()).isEqualTo(naiveA.length());
        BitSet both = (BitSet) naiveA.clone();
        both.and(naiveB);
        for (int i = 0; i < 200; i++) {
            int from = random.nextInt(SPACE);
            int to = from + random.nextInt(SPACE);
            assertThat(a.contains(from)).isEqualTo(naiveA.get(from));
            assertThat(a.count(from, to)).isEqualTo(naiveA.get(from, to).cardinality());
            assertThat(a.countBoth(b, from, to)).isEqualTo(both.get(from, to).cardinality());
            int next = naiveA.nextSetBit(from);
            assertThat(a.next(from)).isEqualTo(next < 0 ? Long.MAX_VALUE : next);
            assertThat(a.nextAbsent(from)).isEqualTo(naiveA.nextClearBit(from));
        }
        Sequences copy = read(bytes(a::write));
        assertThat(copy.count).isEqualTo(a.count);
        assertThat(bytes(copy::write)).isEqualTo(bytes(a::write));
        assertThat(bytes(a.addAll(b)::write)).isEqualTo(bytes(of(both)::write));
        naiveA.or(naiveB);
        assertThat(bytes(a::write)).isEqualTo(bytes(of(naiveA)::write));
        assertThat(a.count).isEqualTo(naiveA.cardinality());
    }

    private static Sequences of(BitSet numbers) {
        Sequences sequences = new Sequences();
        numbers.stream().forEach(n -> sequences.add(n, 1));
        return sequences;
    }

    @Test
    void hundredMillionNumbersInOrderAreAFewBytes() {
        Sequences sequences = new Sequences();
        for (int i = 0; i < 100_000; i++) {
            sequences.add(i * 1000L, 1000);
        }
        assertThat(sequences.count).isEqualTo(100_000_000);
        // Full chunks are one run; the last chunk, half full, is another.
        assertThat(bytes(sequences::write)).hasSizeLessThan(20);
        assertThat(sequences.openChunks()).isEqualTo(1);
    }

    @Test
    void numbersBeyondAllReasonAreKeptToo() throws IOException {
        Sequences sequences = new Sequences();
        sequences.add(Long.MAX_VALUE - 10, 5);
        assertThat(sequences.count(0, Long.MAX_VALUE)).isEqualTo(5);
        assertThat(sequences.next(0)).isEqualTo(Long.MAX_VALUE - 10);
        assertThat(bytes(read(bytes(sequences::write))::write)).isEqualTo(bytes(sequences::write));
        assertThatThrownBy(() -> sequences.add(-1, 1))
                .hasMessage("sequence numbers and their count must be at least 0, found 1 from -1");
        assertThatThrownBy(() -> sequences.add(Long.MAX_VALUE, 2)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aClearedSetIsEmpty() {
        Sequences sequences = new Sequences();
        sequences.add(5, CHUNK);
        sequences.clear();
        assertThat(sequences.count(0, SPACE)).isZero();
        assertThat(sequences.add(5, 3)).isZero();
        assertThat(sequences.count(0, SPACE)).isEqualTo(3);
    }

    @Test
    void hostileBytesAreRefused() {
        Sequences sequences = new Sequences();
        fill(sequences, new BitSet(), new SplittableRandom(4));
        byte[] good = bytes(sequences::write);
        Written.assertCutBytesAreRefused(good, Sequences::read);
        assertThatThrownBy(() -> read(new byte[] {-1, -1, -1, 127, 0, 0, 0})).hasMessageContaining("chunks of numbers");
        assertThatThrownBy(() -> read(new byte[] {2, 0, 0, 9})).hasMessageContaining("9 full chunks");
        assertThatThrownBy(() -> read(new byte[] {1, 0, 1, 1, 0, 0}))
                .hasMessage("numbers must be a range inside the chunk, found 0 to 0");
        assertThatThrownBy(() -> read(new byte[] {1, 0, 7})).hasMessage("a chunk of kind 7");
        assertThatThrownBy(() -> read(new byte[] {1, -1, -1, -1, -1, -1, -1, 31, 0, 1}))
                .hasMessage("a chunk of numbers at 140737488355327");
        Written.assertChangedBytesDoNoHarm(good, new SplittableRandom(7), 200, 1, good.length, in -> {
            Sequences read = Sequences.read(in);
            assertThat(read.count).isNotNegative();
            return read;
        });
    }

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
        Balances.assertCounts(ledger.balance(Steps.MEASURE), "received 2, lost 0");
        Ledger other = new Ledger(List.of("t-0", "t-2", "t-1"));
        assertThat(other.plus(ledger).balance(Steps.MEASURE)).isEqualTo(ledger.balance(Steps.MEASURE));
    }
}
