package weir.load;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import weir.load.message.Arrival;
import weir.load.message.Message;
import weir.load.read.Inbox;
import weir.load.read.Receiver;
import weir.load.send.DueQueue;
import weir.load.send.MessageBatch;
import weir.load.send.Outbox;
import weir.load.send.Outcomes;
import weir.load.send.Sender;

/** A Kafka in memory on the test's clock. The test decides the fate of each message. */
class MemoryEngine implements QuietEngine {
    static final int PARTITIONS = 2;
    static final long TIMEOUT_NANOS = 120_000 * TurnedClock.MILLI;

    final TurnedClock clock;
    private final Fates fates;
    final List<List<Entry>> log = List.of(new ArrayList<>(), new ArrayList<>());
    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::nanos).thenComparingLong(Event::number));
    private final long[] beginnings = new long[PARTITIONS];
    private final Thread broker = new Thread(this::serve, "weir-broker");
    private long number;
    private boolean silent;
    private volatile int rewindAt = Integer.MAX_VALUE;
    private volatile boolean held;
    private volatile boolean closed;
    private volatile LotSize lotSize = LotSize.SINGLY;

    /** How senders form batches: at most {@code most} messages, the linger, and {@code room} batches in flight. */
    record LotSize(int most, long lingerNanos, int room) {
        static final LotSize SINGLY = new LotSize(0, 0, 0);
    }

    /** The fate of a message: number of copies, time until they are written, answer, and time until the answer. */
    record Fate(int copies, long writtenAfterNanos, Answer answer, long answeredAfterNanos, long blockedNanos) {
        static Fate after(long nanos) {
            return new Fate(1, nanos, Answer.ACK, nanos, 0);
        }
    }

    enum Answer {
        ACK,
        FAILURE,
        NOTHING
    }

    interface Fates {
        Fate of(long sequence, long sentNanos);
    }

    /** A record; {@code seen} is false if its transaction was not committed. */
    static final class Entry {
        final ByteBuffer value;
        private final long writtenNanos;
        boolean seen = true;

        private Entry(byte[] value, long writtenNanos) {
            this.value = ByteBuffer.wrap(value);
            this.writtenNanos = writtenNanos;
        }
    }

    private record Event(long nanos, long number, Runnable what) {}

    MemoryEngine(TurnedClock clock, Fates fates) {
        this.clock = clock;
        this.fates = fates;
        broker.setDaemon(true);
        broker.start();
    }

    synchronized void writeForeign(int records) {
        for (int i = 0; i < records; i++) {
            write(0, new byte[40], clock.getAsLong());
        }
    }

    /** The reader of partition 0 goes back to the beginning when it reaches this offset. */
    void rewindAt(int offset) {
        rewindAt = offset;
    }

    /** Retention removes the records before this offset in partition 0. */
    synchronized void removeBefore(long offset) {
        beginnings[0] = offset;
    }

    /** From now on no query for the end of a partition is answered. */
    synchronized void fallSilent() {
        silent = true;
    }

    /** From now on readers get no records. */
    void holdReaders() {
        held = true;
    }

    /** Every written record is acked at the same moment. */
    @Override
    public synchronized long[] ackedEnds(List<String> partitions) {
        return log.stream().mapToLong(List::size).toArray();
    }

    /** From now on senders send batches. */
    void inLots(LotSize size) {
        lotSize = size;
    }

    final synchronized void at(long nanos, Runnable what) {
        events.add(new Event(nanos, number++, what));
    }

    private void serve() {
        while (!closed) {
            clock.awaitNext();
            long now = clock.getAsLong();
            for (Runnable what = due(now); what != null; what = due(now)) {
                what.run();
            }
        }
    }

    private synchronized @Nullable Runnable due(long now) {
        Event next = events.peek();
        return next == null || next.nanos > now ? null : events.remove().what;
    }

    final synchronized Entry write(int partition, byte[] value, long nanos) {
        Entry entry = new Entry(value, nanos);
        log.get(partition).add(entry);
        return entry;
    }

    int partitionOf(long sequence) {
        return (int) (sequence % PARTITIONS);
    }

    @Override
    public Sender sender(int producer) {
        return lotSize.equals(LotSize.SINGLY) ? new MemorySender() : new MemoryLotSender(lotSize);
    }

    @Override
    public Receiver receiver(int reader, long[] from) {
        return new MemoryReceiver(IntStream.range(0, PARTITIONS).boxed().toList(), from);
    }

    @Override
    public Receiver verifier(List<Integer> partitions, long[] from) {
        return new MemoryReceiver(partitions, from);
    }

    private final class MemorySender implements Sender {
        private final List<Runnable> unanswered = new ArrayList<>();

        @Override
        public void carry(Outbox outbox) {
            Outcomes outcomes = outbox.outcomes();
            MessageBatch next = new MessageBatch();
            while (outbox.awaitNext(next)) {
                MessageBatch one = next;
                next = new MessageBatch();
                Message message = outbox.message();
                long sequence = one.first;
                long sent = one.sentNanos;
                int bytes = message.bytes();
                byte[] value = message.value.clone();
                Fate fate = fates.of(sequence, sent);
                for (int copy = 0; copy < fate.copies; copy++) {
                    long written = sent + fate.writtenAfterNanos;
                    at(written, () -> write(partitionOf(sequence), value, written));
                }
                long answered = sent + fate.answeredAfterNanos;
                switch (fate.answer) {
                    case ACK -> at(answered, () -> outcomes.acked(one, answered, bytes));
                    case FAILURE -> at(answered, () -> outcomes.failed(one, new IllegalStateException("refused")));
                    case NOTHING -> unanswered.add(() -> outcomes.failed(one, new IllegalStateException("closed")));
                }
                clock.await(sent + fate.blockedNanos);
                outbox.queued(one);
            }
            while (outbox.dues().inFlight() > unanswered.size()) {
                clock.awaitNext();
            }
        }

        @Override
        public Duration timeout() {
            return Duration.ofNanos(TIMEOUT_NANOS);
        }

        /** A message that was never answered fails now, as in a closed client. */
        @Override
        public void close() {
            unanswered.forEach(Runnable::run);
            unanswered.clear();
        }
    }

    /** The fate of the first message of a batch applies to the whole batch. */
    private final class MemoryLotSender implements Sender {
        private final LotSize size;
        /** The times at which the batches in flight are answered. */
        private final List<Long> answers = new ArrayList<>();

        MemoryLotSender(LotSize size) {
            this.size = size;
        }

        @Override
        public void carry(Outbox outbox) {
            DueQueue lots = outbox.dues();
            long now = clock.getAsLong();
            for (long at = now; at < Long.MAX_VALUE; now = clock.getAsLong()) {
                at = lots.departs(size.most, size.lingerNanos, now);
                long moment = now;
                answers.removeIf(answered -> answered <= moment);
                if (at > now) {
                    clock.awaitNext();
                } else if (answers.size() == size.room) {
                    lots.blocked(now);
                    clock.awaitNext();
                } else {
                    send(outbox, now);
                }
            }
            while (outbox.dues().inFlight() > 0) {
                clock.awaitNext();
            }
        }

        private void send(Outbox outbox, long now) {
            MessageBatch lot = new MessageBatch();
            outbox.dues().take(lot, now);
            Fate fate = fates.of(lot.sequence(0), now);
            long bytes = 0;
            for (int i = 0; i < lot.count; i++) {
                byte[] value = outbox.message(lot, i).value.clone();
                bytes += value.length;
                int partition = partitionOf(lot.sequence(i));
                long written = now + fate.writtenAfterNanos;
                at(written, () -> write(partition, value, written));
            }
            outbox.dues().departed(lot, bytes);
            long size = bytes;
            long answered = now + fate.answeredAfterNanos;
            answers.add(answered);
            Outcomes outcomes = outbox.outcomes();
            at(answered, () -> {
                if (fate.answer == Answer.ACK) {
                    outcomes.acked(lot, answered, size);
                } else {
                    outcomes.failed(lot, new IllegalStateException("refused"));
                }
            });
        }

        @Override
        public Duration timeout() {
            return Duration.ofNanos(TIMEOUT_NANOS);
        }

        @Override
        public void close() {}
    }

    private final class MemoryReceiver implements Receiver {
        private final List<Integer> partitions;
        private final long[] next;
        private final Arrival arrival = new Arrival();
        /** No message arrives before the reader asks for it. */
        private long openedNanos;

        MemoryReceiver(List<Integer> partitions, long[] from) {
            this.partitions = partitions;
            this.next = from.clone();
        }

        @Override
        public void fill(Inbox inbox) {
            partitions.forEach(partition -> inbox.assigned(partition, next[partition]));
            while (!inbox.closed()) {
                if (inbox.open()) {
                    openedNanos = openedNanos == 0 ? clock.getAsLong() : openedNanos;
                    partitions.forEach(partition -> read(partition, inbox));
                }
                inbox.done(clock.getAsLong());
                clock.awaitNext();
            }
        }

        private void read(int partition, Inbox inbox) {
            List<Entry> there;
            long beginning;
            synchronized (MemoryEngine.this) {
                there = List.copyOf(log.get(partition));
                beginning = beginnings[partition];
            }
            if (next[partition] < beginning) {
                inbox.skipTo(partition, beginning);
                next[partition] = beginning;
            }
            while (!held && !inbox.closed() && next[partition] < there.size()) {
                Entry entry = there.get((int) next[partition]);
                arrival.read(entry.value);
                inbox.arrived(inbox.works() ? clock.getAsLong() : Math.max(entry.writtenNanos, openedNanos));
                if (entry.seen && !inbox.take(partition, next[partition], arrival, entry.value.remaining())) {
                    inbox.stands(partition);
                    return;
                }
                next[partition]++;
                if (inbox.works()) {
                    inbox.work(partition, arrival);
                }
                inbox.position(partition, next[partition]);
                if (partition == 0 && next[partition] == rewindAt) {
                    rewindAt = Integer.MAX_VALUE;
                    next[partition] = 0;
                    inbox.position(partition, 0);
                }
            }
        }

        @Override
        public void close() {}
    }

    @Override
    public List<String> partitions() {
        return List.of("t-0", "t-1");
    }

    @Override
    public synchronized long[] ends() {
        if (silent) {
            return LongStream.generate(() -> -1).limit(PARTITIONS).toArray();
        }
        return log.stream().mapToLong(List::size).toArray();
    }

    @Override
    public synchronized long[] beginnings() {
        return beginnings.clone();
    }

    @Override
    public void close() {
        closed = true;
    }
}
