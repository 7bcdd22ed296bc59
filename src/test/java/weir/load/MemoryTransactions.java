package weir.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import weir.load.engine.Operating;
import weir.load.message.KeySource;
import weir.load.message.Message;
import weir.load.send.Operator;
import weir.load.send.Operator.OperationFailed;

/**
 * A Kafka in memory with transactions, on the test's clock: every call takes the given time. The test can break a
 * promise in one transaction. Partition 0 is the source of a stream.
 */
final class MemoryTransactions extends MemoryEngine implements Operating {
    static final long BEGIN = TurnedClock.MILLI;
    static final long SEND = 2 * TurnedClock.MILLI;
    static final long OFFSETS = 3 * TurnedClock.MILLI;
    static final long COMMIT = 5 * TurnedClock.MILLI;
    static final long ABORT = 4 * TurnedClock.MILLI;
    static final long ACK = 7 * TurnedClock.MILLI;
    static final long RECOVER = 20 * TurnedClock.MILLI;

    private final boolean stream;
    private final boolean transactional;
    private final Map<Integer, Set<Deed>> deeds = new HashMap<>();
    private final List<Operator> operators = new ArrayList<>();
    private final AtomicInteger unanswered = new AtomicInteger();
    private long stood;

    /** A broken promise of a transaction. */
    enum Deed {
        /** Shows its records although it aborts. */
        SHOWS_ABORTED,
        TEARS,
        FORGETS,
        /** Shows its records, but its commit does not return and its offsets are not committed. */
        DOUBLES,
        /** Commits its records but not its offsets. */
        LOSES_OFFSETS,
        FENCES,
        TIMES_OUT,
        /** Does not commit, and requests an abort instead. */
        REFUSES,
        /** Times out, and the first restart times out, too. */
        STAYS_AWAY
    }

    MemoryTransactions(TurnedClock clock, boolean stream, boolean transactional) {
        super(clock, (sequence, sent) -> Fate.after(0));
        this.stream = stream;
        this.transactional = transactional;
    }

    MemoryTransactions does(Deed deed, int transaction) {
        deeds.computeIfAbsent(transaction, none -> EnumSet.noneOf(Deed.class)).add(deed);
        return this;
    }

    /** Only the source of a stream has a backlog. */
    @Override
    int partitionOf(long sequence) {
        return 0;
    }

    @Override
    public Operator operator(int producer, long[] from) {
        Operator operator = new MemoryOperator(from[0]);
        operators.add(operator);
        return operator;
    }

    private final class MemoryOperator implements Operator {
        private final List<Entry> open = new ArrayList<>();
        /** Number of records that have left the producer. */
        private int flushed;

        private final MemorySource source;
        private final List<Operator.Answer> ackedByFlush = new ArrayList<>();
        private int transactions = -1;
        private boolean away;
        private long next;

        MemoryOperator(long from) {
            this.source = new MemorySource(from);
        }

        private boolean did(Deed deed) {
            return deeds.getOrDefault(transactions, Set.of()).contains(deed);
        }

        @Override
        public void begin() {
            transactions++;
            flushed = 0;
            clock.await(clock.getAsLong() + BEGIN);
        }

        @Override
        public void send(Message message, Operator.Answer answer) {
            Entry entry = write(message.topic, message.value.clone(), clock.getAsLong());
            entry.seen = !transactional;
            open.add(entry);
            if (transactional) {
                answer.acked();
            } else if (stream) {
                ackedByFlush.add(answer);
            } else {
                unanswered.incrementAndGet();
                at(clock.getAsLong() + ACK, () -> {
                    // A flush ends without unanswered records, so the outcome of a record is recorded first.
                    answer.acked();
                    unanswered.decrementAndGet();
                });
            }
            clock.await(clock.getAsLong() + SEND);
        }

        @Override
        public void offsets() {
            clock.await(clock.getAsLong() + OFFSETS);
            next = source.next;
            if (!transactional) {
                stood = next;
                flush();
            }
        }

        @Override
        public void commit() {
            clock.await(clock.getAsLong() + COMMIT);
            if (did(Deed.FENCES)) {
                throw new OperationFailed(OperationFailed.Kind.FENCED, new IllegalStateException("fenced"));
            }
            away = did(Deed.STAYS_AWAY);
            if (away || did(Deed.TIMES_OUT)) {
                throw new OperationFailed(OperationFailed.Kind.TIMED_OUT, new IllegalStateException("no answer"));
            }
            if (did(Deed.REFUSES)) {
                throw new OperationFailed(OperationFailed.Kind.ABORT, new IllegalStateException("abort it"));
            }
            for (int i = 0; i < open.size(); i++) {
                boolean lost = did(Deed.FORGETS) || (did(Deed.TEARS) && i > 0);
                open.get(i).seen = !lost;
            }
            open.clear();
            if (did(Deed.DOUBLES)) {
                throw new OperationFailed(OperationFailed.Kind.TIMED_OUT, new IllegalStateException("no answer"));
            }
            if (!did(Deed.LOSES_OFFSETS)) {
                stood = next;
            }
            source.stood = source.next;
        }

        @Override
        public void abort() {
            clock.await(clock.getAsLong() + ABORT);
            boolean seen = did(Deed.SHOWS_ABORTED);
            open.subList(0, flushed).forEach(entry -> entry.seen = seen);
            open.clear();
        }

        @Override
        public void flush() {
            flushed = open.size();
            while (unanswered.get() > 0) {
                clock.awaitNext();
            }
            if (!ackedByFlush.isEmpty()) {
                clock.await(clock.getAsLong() + ACK);
                ackedByFlush.forEach(Operator.Answer::acked);
                ackedByFlush.clear();
            }
        }

        @Override
        public void recover() {
            clock.await(clock.getAsLong() + RECOVER);
            if (away) {
                away = false;
                throw new OperationFailed(OperationFailed.Kind.TIMED_OUT, new IllegalStateException("no answer"));
            }
            open.clear();
        }

        @Override
        public Source source() {
            return source;
        }

        @Override
        public Duration timeout() {
            return Duration.ofNanos(TIMEOUT_NANOS);
        }

        @Override
        public void close() {}
    }

    /** A source that reads ten records at a time, which takes ten milliseconds. */
    private final class MemorySource implements Operator.Source {
        private long stood;
        private long next;
        private long fetched;

        MemorySource(long from) {
            this.stood = from;
            this.next = from;
            this.fetched = from;
        }

        @Override
        public boolean ready() {
            return next < fetched;
        }

        @Override
        public boolean fetch(Duration limit) {
            clock.await(clock.getAsLong() + 10 * TurnedClock.MILLI);
            fetched = Math.min(next + 10, log.get(0).size());
            return ready();
        }

        @Override
        public void idle() {}

        @Override
        public boolean dry() {
            return next == log.get(0).size();
        }

        @Override
        public void next(Message into) {
            next++;
            into.key = KeySource.NONE;
            into.value = log.get(0).get((int) offset()).value.array().clone();
        }

        @Override
        public boolean headed() {
            return false;
        }

        @Override
        public int partition() {
            return 0;
        }

        @Override
        public long offset() {
            return next - 1;
        }

        @Override
        public void rewind(boolean unknown) {
            next = unknown ? MemoryTransactions.this.stood : stood;
            fetched = next;
        }
    }

    @Override
    public int topics() {
        return 2;
    }

    @Override
    public int sourceTopics() {
        return stream ? 1 : 0;
    }

    @Override
    public boolean source(int partition) {
        return partition < sourceTopics();
    }

    @Override
    public long[] streamed() {
        return stream ? new long[] {stood} : new long[0];
    }

    @Override
    public List<String> partitions() {
        return stream ? List.of("source-0", "target-0") : List.of("left-0", "right-0");
    }
}
