package weir.load.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.AfterEach;
import weir.load.OneInbox;
import weir.load.engine.EngineCounters;
import weir.load.message.Identity;
import weir.measure.Balance;
import weir.measure.Count;
import weir.wire.BootstrapBroker;
import weir.wire.BrokerAccess;
import weir.wire.Connection;
import weir.wire.FetchRequest;

/** A reader of brokers in memory, and their records. */
abstract class ReaderOfFakes {
    static final int EACH = 10;
    static final List<Compression> CODECS = List.of(
            Compression.NONE,
            Compression.gzip().build(),
            Compression.snappy().build(),
            Compression.lz4().build(),
            Compression.zstd().build());

    final AtomicReference<Throwable> death = new AtomicReference<>();
    final EngineCounters<WireCount> tally = new EngineCounters<>(WireCount.class);
    FakeBrokers cluster = FakeBrokers.readable(1, 1, (short) 18);
    OneInbox into = OneInbox.ofArrivals(1);
    private Thread reader = new Thread();
    Runnable stop = () -> {};
    boolean committed;
    boolean headersOnly;
    ProducerSequences sequences = new ProducerSequences(RecordAudience.ANYONE);

    ReaderOfFakes() throws IOException {}

    @AfterEach
    void close() {
        stop.run();
        cluster.close();
    }

    void cluster(int brokers, int partitions) throws IOException {
        cluster(brokers, partitions, 18);
    }

    void cluster(int brokers, int partitions, int version) throws IOException {
        cluster.close();
        cluster = FakeBrokers.readable(brokers, partitions, (short) version);
        into = OneInbox.ofArrivals(partitions);
    }

    /** Writes ten records of one producer, numbered from {@code first} on. */
    void write(int partition, int producer, int first) {
        write(partition, producer, first, Compression.NONE);
    }

    void write(int partition, int producer, int first, Compression codec) {
        cluster.append(
                partition,
                MemoryRecords.withRecords(cluster.log(partition).end, codec, records(producer, first)),
                EACH);
    }

    /** Returns the offset after this number of batches. */
    static long offset(int batches) {
        return (long) EACH * batches;
    }

    static SimpleRecord[] records(int producer, int first) {
        return IntStream.range(first, first + EACH)
                .mapToObj(sequence -> {
                    byte[] value = new byte[40];
                    Identity.write(value, OneInbox.RUN_TAG, producer, sequence, System.nanoTime());
                    return new SimpleRecord(value);
                })
                .toArray(SimpleRecord[]::new);
    }

    void read() {
        int partitions = into.positions().length;
        ConnectionOpener dialer = new ConnectionOpener(
                BrokerAccess.plaintext(), Connection.Options.named("test"), new ConnectionOpener.Pauses(2_000, 5, 50));
        BootstrapBroker contact =
                new BootstrapBroker(cluster.bootstrap(), BrokerAccess.plaintext(), Connection.Options.named("test"));
        PartitionLeaders leaders = new PartitionLeaders(contact, List.of("t"), 60_000, 5, System::nanoTime);
        WireReceiver receiver = new WireReceiver(
                "reader",
                new FetchSettings(
                        new FetchRequest.Limits(100, 1, 1 << 20, committed),
                        1 << 20,
                        true,
                        headersOnly,
                        1_000,
                        5,
                        FetchSettings.Reset.EARLIEST),
                new WireReceiver.Context(
                        leaders,
                        dialer,
                        () -> offsets(partitions, log -> log.beginning),
                        () -> offsets(partitions, log -> log.end),
                        sequences,
                        System::nanoTime),
                tally,
                (index, partition) -> true,
                new long[partitions]);
        reader = new Thread(() -> receiver.fill(into.inbox), "reader");
        reader.setUncaughtExceptionHandler((thread, why) -> death.set(why));
        reader.start();
        stop = () -> {
            into.close();
            join();
            receiver.close();
            leaders.close();
            contact.close();
            dialer.close();
        };
    }

    private long[] offsets(int partitions, ToLongFunction<FakeBrokers.Log> of) {
        return IntStream.range(0, partitions)
                .mapToLong(i -> of.applyAsLong(cluster.log(i)))
                .toArray();
    }

    void join() {
        try {
            reader.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static void until(BooleanSupplier fact) throws InterruptedException {
        while (!fact.getAsBoolean()) {
            Thread.sleep(1);
        }
    }

    void untilRead(int partition, long offset) throws InterruptedException {
        until(() -> into.position(partition) >= offset || death.get() != null);
        assertThat(death.get()).isNull();
    }

    /** Reads six batches in three steps. Two of the steps end inside a batch. */
    void readInSteps() throws InterruptedException {
        read();
        into.want(13);
        untilRead(0, 13);
        until(() -> !into.inbox.open());
        assertThat(into.position(0)).isEqualTo(13);
        into.want(40);
        untilRead(0, 53);
        assertThat(into.position(0)).isEqualTo(53);
        into.want(1_000);
        untilRead(0, 60);
    }

    Balance balance(long... ends) {
        stop.run();
        stop = () -> {};
        assertThat(death.get()).isNull();
        return into.balance(ends);
    }

    static List<Long> facts(Balance balance) {
        return List.of(
                balance.of(Count.RECEIVED),
                balance.of(Count.LOST),
                balance.of(Count.DUPLICATED),
                balance.of(Count.REREAD),
                balance.of(Count.REORDERED));
    }
}
