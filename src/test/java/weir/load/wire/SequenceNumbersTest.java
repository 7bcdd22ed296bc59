package weir.load.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import weir.load.SomeLots;
import weir.load.send.MessageBatch;

class SequenceNumbersTest {
    private static final short FIRST = 0;
    private static final short NEXT = 1;

    private final SequenceNumbers.Found found = new SequenceNumbers.Found();
    private SequenceNumbers numbering = new SequenceNumbers(RecordAudience.LATER, 1_000, 100);

    private List<Long> messages(short epoch, long number, int count) {
        assertThat(numbering.find(epoch, PartitionQueue.sequence(number), found))
                .as("number %d", number)
                .isTrue();
        return LongStream.range(0, count)
                .map(i -> found.message((int) i))
                .boxed()
                .toList();
    }

    private void add(short epoch, long number, long message, int count) {
        numbering.add(epoch, number, SomeLots.alike(message, count, 0));
    }

    @Test
    void sequencesOfABatchMapToItsMessages() {
        add(FIRST, 0, 500, 3);
        add(FIRST, 3, 506, 3);
        add(FIRST, 6, 512, 3);
        add(FIRST, 9, 600, 2);
        assertThat(messages(FIRST, 6, 3)).containsExactly(512L, 513L, 514L);
        assertThat(messages(FIRST, 0, 3)).containsExactly(500L, 501L, 502L);
        assertThat(messages(FIRST, 9, 2)).containsExactly(600L, 601L);
        assertThat(messages(FIRST, 3, 3)).containsExactly(506L, 507L, 508L);
    }

    @Test
    void sequencesThatWereNotAddedAreNotFound() {
        add(FIRST, 0, 500, 3);
        assertThat(numbering.find(FIRST, 3, found)).isFalse();
        assertThat(numbering.find(FIRST, 1, found)).isFalse();
        assertThat(numbering.find(NEXT, 0, found)).isFalse();
    }

    @Test
    void sameSequencesOfAnotherEpochMapToOtherMessages() {
        add(FIRST, 0, 0, 3);
        add(FIRST, 3, 3, 3);
        add(NEXT, 0, 3, 3);
        add(NEXT, 3, 6, 3);
        assertThat(messages(FIRST, 3, 3)).containsExactly(3L, 4L, 5L);
        assertThat(messages(NEXT, 0, 3)).containsExactly(3L, 4L, 5L);
        assertThat(messages(NEXT, 3, 3)).containsExactly(6L, 7L, 8L);
    }

    @Test
    void wrappedSequencesMapToLaterMessages() {
        int each = 1 << 20;
        for (long batch = 0; batch < 5_000; batch++) {
            add(FIRST, batch * each, batch * each, each);
        }
        for (long batch = 0; batch < 5_000; batch++) {
            assertThat(messages(FIRST, batch * each, 1)).containsExactly(batch * each);
        }
    }

    @Test
    void batchesThatContinueEachOtherTakeOneRowAndOthersARowEach() {
        numbering = new SequenceNumbers(RecordAudience.LATER, 5, 0);
        MessageBatch lot = SomeLots.alike(0, 10, 0);
        for (int i = 0; i < 1_000; i++) {
            add(FIRST, i * 10L, i * 30L, 10);
        }
        assertThat(numbering.takes(lot)).isTrue();
        long number = 10_000;
        for (int size = 1; size < 5; size++) {
            assertThat(numbering.takes(lot)).isTrue();
            add(FIRST, number, number * size, size);
            number += size;
        }
        assertThat(numbering.takes(lot)).isFalse();
    }

    @Test
    void immediateReaderFindsTheDueTimeOfEachMessage() {
        numbering = new SequenceNumbers(RecordAudience.AT_ONCE, 100, 100);
        numbering.add(FIRST, 0, SomeLots.due(0, 1_000, 21_000, 41_200, 61_000));
        numbering.add(FIRST, 4, SomeLots.alike(4, 4, 70_000));
        assertThat(messages(FIRST, 0, 4)).containsExactly(0L, 1L, 2L, 3L);
        assertThat(found.isDated).isTrue();
        assertThat(found.dueNanos(0)).isEqualTo(1_000);
        assertThat(found.dueNanos(2)).isEqualTo(41_000);
        assertThat(found.dueNanos(3)).isEqualTo(61_000);
        assertThat(numbering.find(FIRST, 4, found)).isTrue();
        assertThat(found.dueNanos(3)).isEqualTo(70_000);
        assertThat(numbering.find(FIRST, 0, found)).isTrue();
        assertThat(found.isDated).as("it came again").isTrue();
        assertThat(found.dueNanos(1)).isEqualTo(21_000);
    }

    @Test
    void unevenDueTimesAreTakenOnlyIfReadersNeedNoTimes() {
        MessageBatch uneven = SomeLots.due(0, 1_000, 9_000, 41_000);
        MessageBatch even = SomeLots.due(0, 1_000, 21_000, 41_000);
        assertThat(new SequenceNumbers(RecordAudience.AT_ONCE, 100, 100).takes(uneven))
                .isFalse();
        assertThat(new SequenceNumbers(RecordAudience.AT_ONCE, 100, 100).takes(even))
                .isTrue();
        assertThat(new SequenceNumbers(RecordAudience.LATER, 100, 100).takes(uneven))
                .isTrue();
        assertThat(new SequenceNumbers(RecordAudience.NONE, 0, 0).takes(uneven)).isTrue();
        assertThat(new SequenceNumbers(RecordAudience.ANYONE, 100, 100).takes(even))
                .isFalse();
    }

    @Test
    void sequenceNumbersTakeNoBatchWhileTheWindowIsFull() {
        numbering = new SequenceNumbers(RecordAudience.AT_ONCE, 100, 10);
        int added = 0;
        MessageBatch lot = SomeLots.alike(0, 2, 5);
        while (numbering.takes(lot)) {
            numbering.add(FIRST, 2L * added, SomeLots.alike(2L * added, 2, added));
            added++;
        }
        assertThat(added).isEqualTo(10);
        assertThat(numbering.find(FIRST, 6, found)).isTrue();
        assertThat(found.dueNanos(0)).isEqualTo(3);
        while (numbering.takes(lot)) {
            numbering.add(FIRST, 2L * added, SomeLots.alike(2L * added, 2, added));
            added++;
        }
        assertThat(added).isEqualTo(14);
    }
}
