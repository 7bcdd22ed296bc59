package weir.load.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import weir.load.OneInbox;
import weir.load.message.Arrival;
import weir.load.message.Identity;
import weir.load.read.ReaderActivity;
import weir.measure.Balance;
import weir.measure.Count;
import weir.measure.Reading;
import weir.plan.ThreadsSpec;
import weir.plan.ThreadsSpec.By;
import weir.plan.WorkSpec;

@Timeout(60)
class WorkThreadsTest {
    private static final int PARTITIONS = 4;
    private static final long MILLI = 1_000_000;

    private final OneInbox box = OneInbox.ofArrivals(PARTITIONS, WorkSpec.of(Duration.ofMillis(10)));
    private final Map<TopicPartition, Long> committed =
            new TreeMap<>((a, b) -> Integer.compare(a.partition(), b.partition()));

    @Test
    void recordsAfterADroppedOneDoNotCount() {
        box.inbox.assigned(0, 0);
        try (WorkThreads threads = new WorkThreads(box.inbox, new ThreadsSpec(2, By.KEY), System::nanoTime)) {
            // Thread 0 has a queue, while thread 1 works on each record at once.
            for (int offset = 0; offset < 6; offset++) {
                add(threads, 0, offset, offset < 5 ? 0 : 1);
            }
            LockSupport.parkNanos(25 * MILLI);
            threads.drop(List.of(partition(0)));
            finish(threads);
            threads.forget(List.of(partition(0)));
        }
        assertThat(box.position(0)).isBetween(1L, 4L);
    }

    private static TopicPartition partition(int number) {
        return new TopicPartition("t", number);
    }

    /** Adds a record with the sequence number of its offset, and the partition as its producer. */
    private static void add(WorkThreads threads, int partition, long offset, @Nullable Integer key) {
        byte[] identity = new byte[Identity.BYTES];
        Identity.write(identity, OneInbox.RUN_TAG, partition, offset, System.nanoTime());
        Arrival arrival = new Arrival();
        arrival.read(identity);
        threads.add(partition(partition), new ConsumerRecord<>("t", partition, offset, key, arrival), arrival);
    }

    private double run(ThreadsSpec spec, int perPartition, int keys) {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            box.inbox.assigned(partition, 0);
            box.acked(partition, perPartition);
        }
        long start = System.nanoTime();
        try (WorkThreads threads = new WorkThreads(box.inbox, spec, System::nanoTime)) {
            for (int offset = 0; offset < perPartition; offset++) {
                for (int partition = 0; partition < PARTITIONS; partition++) {
                    add(threads, partition, offset, offset % keys);
                }
            }
            while (threads.pending > 0) {
                finish(threads);
            }
        }
        return (System.nanoTime() - start) / 1e6;
    }

    private void finish(WorkThreads threads) {
        Map<TopicPartition, OffsetAndMetadata> offsets = threads.finish(TopicPartition::partition);
        offsets.forEach((partition, offset) -> assertThat(committed.merge(partition, offset.offset(), Math::max))
                .isEqualTo(offset.offset()));
        LockSupport.parkNanos(MILLI);
    }

    private long overlaps() {
        List<Reading> readings = new ArrayList<>();
        box.inbox.activity().report(0, readings::add);
        return readings.stream()
                .filter(reading -> reading.metric().equals(ReaderActivity.OVERLAPS))
                .mapToLong(reading -> Math.round(reading.value()))
                .sum();
    }

    @ParameterizedTest
    @EnumSource(By.class)
    void threadsWorkAtOnceAndTheInboxGetsRecordsInOrder(By by) {
        double millis = run(new ThreadsSpec(4, by), 20, 5);
        // 80 records of 10 ms: at best 200 ms with four threads, and 800 ms with one.
        assertThat(millis).isBetween(199.0, 700.0);
        assertThat(committed.values()).containsExactly(20L, 20L, 20L, 20L);
        Balance balance = box.balance(20, 20, 20, 20);
        assertThat(balance.of(Count.RECEIVED)).isEqualTo(80);
        assertThat(balance.of(Count.REORDERED)).isZero();
        assertThat(box.positions()).containsExactly(20, 20, 20, 20);
    }

    @Test
    void recordsOfAKeyAreInWorkOneAfterTheOther() {
        run(new ThreadsSpec(4, By.KEY), 20, 5);
        assertThat(overlaps()).isZero();
    }

    @Test
    void threadsByAnyOverlapRecordsOfAKey() {
        run(new ThreadsSpec(4, By.ANY), 20, 1);
        assertThat(overlaps()).isPositive();
    }

    @Test
    void droppedRecordsAreNeitherReceivedNorCommitted() {
        box.inbox.assigned(0, 0);
        try (WorkThreads threads = new WorkThreads(box.inbox, new ThreadsSpec(2, By.PARTITION), System::nanoTime)) {
            for (int offset = 0; offset < 100; offset++) {
                add(threads, 0, offset, null);
            }
            LockSupport.parkNanos(50 * MILLI);
            threads.drop(List.of(partition(0)));
            finish(threads);
            threads.forget(List.of(partition(0)));
            assertThat(threads.pending).isZero();
        }
        long done = committed.getOrDefault(partition(0), 0L);
        assertThat(done).isBetween(1L, 99L);
        assertThat(box.position(0)).isEqualTo(done);
    }
}
