package weir.load.send;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import weir.load.message.Identity;
import weir.load.message.Message;
import weir.load.send.Operator.OperationFailed;
import weir.measure.LatencyKind;
import weir.plan.TransactionSpec;

/**
 * A runner of one sender's operations of several messages or in transactions. It records the outcomes.
 *
 * <p>Either an operation ends when all its messages are acked, and operations may overlap. Or several operations end
 * together in an {@link OperationGroup}, one group after the other. The wait for the end of a group counts as backpressure. In a
 * closed loop, operations of a group do not wait for each other.
 */
public final class Operations implements Sender {
    private static final long IDLE_NANOS = 1_000_000_000;

    private final Outbox box;
    private final DueQueue dues;
    private final OperationForm form;
    private final Operator operator;
    private final Consumer<String> events;
    private final SplittableRandom aborts;
    private final OperationGroup group = new OperationGroup();
    private volatile Thread sender = Thread.currentThread();
    private long number;

    private long fetchedNanos;
    private long lookedNanos;

    public Operations(Outbox box, OperationForm form, Operator operator, Consumer<String> events) {
        this.box = box;
        this.operator = operator;
        this.dues = box.dues();
        this.form = form;
        this.events = events;
        this.aborts = new SplittableRandom(form.seed() + box.context.producer());
        dues.form(form);
    }

    @Override
    public void carry(Outbox outbox) {
        sender = Thread.currentThread();
        boolean more = true;
        while (more) {
            long now = box.now();
            // The sender must perform an operation that it takes from the share, so it waits for the record first.
            boolean able = !form.stream() || operator.source().ready();
            long at = dues.departs(able, !group.empty(), now);
            if (!group.empty() && (at == DueQueue.OVER || now >= group.openUntilNanos)) {
                end(now);
            } else if (!able && dues.phases.inPhase()) {
                fetch(now);
            } else if (at <= now) {
                carry(take());
            } else {
                more = dues.await(Math.min(at, group.openUntilNanos), now);
                idle();
            }
        }
        operator.flush();
    }

    // A group member that does not poll keeps its partitions, and other members wait for them.
    private void idle() {
        long now = box.now();
        long endNanos = dues.phases.current.endNanos;
        if (form.stream() && endNanos != 0 && now - Math.max(lookedNanos, endNanos) >= IDLE_NANOS) {
            lookedNanos = now;
            operator.source().idle();
        }
    }

    private void carry(Operation operation) {
        if (!form.grouped()) {
            send(operation);
            long now = box.now();
            queued(operation, now);
            dues.called(operation.batch.sentNanos, now);
            return;
        }
        group.add(operation);
        if (group.broken()) {
            recover();
        } else if (group.full()) {
            end(group.untilNanos);
        }
    }

    private void end(long startNanos) {
        group.end(startNanos);
        if (group.broken()) {
            recover();
        }
    }

    private void recover() {
        long startNanos = box.now();
        while (group.broken() && !dues.phases.none()) {
            events.accept(group.failure());
            group.recover();
            if (group.broken()) {
                dues.pause();
            }
        }
        dues.called(startNanos, box.now());
    }

    private void send(Operation operation) {
        for (int i = 0; i < operation.messages; i++) {
            long turn = form.messages() > 1 ? i : (number + box.context.producer()) % form.topics();
            Message message =
                    box.identify(form.firstTopic() + (int) turn, operation.batch.first + i, operation.batch.dueNanos);
            operation.bytes += message.bytes();
            operator.send(message, operation.sends(i));
        }
        operation.answered();
    }

    private void queued(Operation operation, long nanos) {
        MessageBatch taken = operation.batch;
        box.here.sent(
                taken.step,
                1,
                operation.messages,
                taken.dueNanos,
                taken.sentNanos,
                nanos,
                dues.backpressureNanos(),
                operation.bytes);
    }

    private Operation take() {
        if (form.stream()) {
            make(operator.source());
        } else {
            number = dues.takes;
            box.make(number);
        }
        Operation operation = new Operation(
                form.messages(),
                form.grouped() ? this::inGroup : over -> box.outcomes().over(over, box.now()));
        MessageBatch taken = operation.batch;
        dues.take(taken, box.now());
        box.here.due(taken.step, taken.dueNanos, form.messages());
        if (form.stream()) {
            Operator.Source from = operator.source();
            box.ledger.transactions().taken(taken.first, from.partition(), from.offset());
        }
        return operation;
    }

    private void make(Operator.Source source) {
        Message message = box.message();
        source.next(message);
        number = source.offset();
        boolean room = message.value.length >= Identity.SMALLEST_VALUE && !source.headed();
        message.header = !room || Identity.runTag(message.value) != box.context.runTag();
        for (int i = message.header ? 0 : Identity.BYTES; i < message.value.length; i++) {
            byte letter = message.value[i];
            if (letter >= 'a' && letter <= 'z') {
                message.value[i] = (byte) (letter - 'a' + 'A');
            }
        }
    }

    private void inGroup(Operation operation) {
        if (!form.transactional()) {
            LockSupport.unpark(sender);
        } else if (operation.failure == null) {
            box.outcomes().answered(operation, box.now());
        }
    }

    private void fetch(long startNanos) {
        boolean dry = operator.source().dry();
        if (!group.empty() && (dry || !form.transactional())) {
            end(startNanos);
            return;
        }
        if (dry) {
            box.dry = true;
            dues.giveUp(startNanos);
            return;
        }
        long most = Math.min(DueQueue.POLL_NANOS, Math.max(0, group.openUntilNanos - startNanos));
        boolean some = operator.source().fetch(Duration.ofNanos(most));
        long now = box.now();
        fetchedNanos += now - startNanos;
        dues.called(startNanos, now);
        if (some) {
            box.here.part(LatencyKind.FETCH, box.context.steps().stepAt(now), now, fetchedNanos);
            fetchedNanos = 0;
        } else {
            box.here.tick(now);
        }
    }

    @Override
    public Duration timeout() {
        return operator.timeout();
    }

    @Override
    public void close() {
        operator.close();
    }

    /**
     * Operations that end together, in one transaction or in one commit of a stream's offsets. The sender's thread owns
     * and reuses the group.
     *
     * <p>The measured parts of the group's time follow each other without gaps, except for waits for due operations. In
     * a group of one operation, the sum of the parts is exactly the service time.
     */
    private final class OperationGroup {
        private static final long POLL_NANOS = 1_000_000;

        private final List<Operation> operations = new ArrayList<>();
        private boolean abortsOnPurpose;
        /** The time at which the group must end; {@link Long#MAX_VALUE} without a limit or an open group. */
        private long openUntilNanos = Long.MAX_VALUE;

        private long untilNanos;
        private long beginNanos;
        private long sendNanos;
        private long offsetsNanos;
        private int messages;
        private @Nullable OperationFailed failure;
        private boolean recovering;

        boolean empty() {
            return operations.isEmpty();
        }

        boolean full() {
            TransactionSpec transaction = form.transaction();
            if (transaction instanceof TransactionSpec.Each) {
                return !operations.isEmpty();
            }
            return transaction.records() > 0
                    ? messages >= transaction.records()
                    : transaction.none() && form.offsetsEach();
        }

        void add(Operation operation) {
            if (operations.isEmpty()) {
                abortsOnPurpose =
                        aborts.nextDouble() < form.transaction().abort().share();
                beginNanos = 0;
                sendNanos = 0;
                offsetsNanos = 0;
                messages = 0;
            }
            operations.add(operation);
            messages += operation.messages;
            untilNanos = operation.batch.sentNanos;
            boolean queued = false;
            try {
                if (operations.size() == 1) {
                    long open = form.transaction().interval().toNanos();
                    openUntilNanos = open == Long.MAX_VALUE ? open : untilNanos + open;
                    if (form.transactional()) {
                        box.ledger.transactions().began(operation.batch.first);
                        operator.begin();
                        beginNanos = lap();
                    }
                }
                send(operation);
                sendNanos += lap();
                queued(operation, untilNanos);
                queued = true;
                if (form.stream() && form.offsetsEach()) {
                    operator.offsets();
                    offsetsNanos += lap();
                }
                dues.called(operation.batch.sentNanos, untilNanos);
            } catch (OperationFailed why) {
                if (!queued) {
                    queued(operation, untilNanos);
                }
                dues.called(operation.batch.sentNanos, box.now());
                failed(why);
            }
        }

        private long lap() {
            long now = box.now();
            long part = now - untilNanos;
            untilNanos = now;
            return part;
        }

        void end(long startNanos) {
            untilNanos = startNanos;
            try {
                if (form.stream() && !form.offsetsEach()) {
                    operator.offsets();
                    offsetsNanos += lap();
                }
                if (!form.transactional()) {
                    awaitAnswers();
                    sendNanos += lap();
                    answered();
                } else if (abortsOnPurpose) {
                    // The flush comes first: an abort drops unsent records, so brokers would abort fewer records.
                    operator.flush();
                    sendNanos += lap();
                    operator.abort();
                    aborted(lap());
                } else {
                    operator.commit();
                    committed(lap());
                }
                dues.called(startNanos, untilNanos);
                over();
            } catch (OperationFailed why) {
                dues.called(startNanos, box.now());
                failed(why);
            }
        }

        private void awaitAnswers() {
            for (Operation operation : operations) {
                while (!operation.isOver()) {
                    LockSupport.parkNanos(this, POLL_NANOS);
                }
            }
        }

        private void answered() {
            boolean whole = true;
            for (Operation operation : operations) {
                whole &= operation.failure == null;
                box.outcomes().over(operation, untilNanos);
            }
            if (whole) {
                part(LatencyKind.SEND, sendNanos);
                part(LatencyKind.OFFSETS, offsetsNanos);
                part(LatencyKind.TRANSACTION, sendNanos + offsetsNanos);
            }
        }

        private void committed(long commitNanos) {
            operations.forEach(operation -> box.outcomes().acked(operation, untilNanos));
            box.ledger.transactions().committed();
            part(LatencyKind.BEGIN, beginNanos);
            part(LatencyKind.SEND, sendNanos);
            if (form.stream()) {
                part(LatencyKind.OFFSETS, offsetsNanos);
            }
            part(LatencyKind.COMMIT, commitNanos);
            part(LatencyKind.TRANSACTION, beginNanos + sendNanos + offsetsNanos + commitNanos);
        }

        private void aborted(long abortNanos) {
            operations.forEach(operation -> box.outcomes().aborted(operation, untilNanos));
            part(LatencyKind.ABORT, abortNanos);
            withdraw(true);
        }

        /** Rewinds a stream. Recovery repeats until a broker returns the stream's offsets. */
        private void withdraw(boolean onPurpose) {
            box.ledger.transactions().aborted(operations.get(0).batch.first, messages, onPurpose);
            if (!form.stream()) {
                return;
            }
            try {
                operator.source().rewind(false);
            } catch (OperationFailed unanswered) {
                failure = unanswered;
                recovering = true;
            }
        }

        private void part(LatencyKind metric, long nanos) {
            box.here.part(metric, operations.get(0).batch.step, untilNanos, nanos);
        }

        /** Ends the group. Without a transaction, acked messages stay and the stream continues. */
        private void failed(OperationFailed first) {
            OperationFailed why = first;
            if (!form.transactional()) {
                awaitAnswers();
                operations.forEach(operation -> box.outcomes().failed(operation, true, first.reason()));
                over();
                return;
            }
            boolean withdrawn = false;
            if (why.kind() == OperationFailed.Kind.ABORT) {
                try {
                    operator.abort();
                    withdrawn = true;
                } catch (OperationFailed worse) {
                    why = worse;
                }
            }
            operations.forEach(operation -> box.outcomes().failed(operation, false, first.reason()));
            if (withdrawn) {
                withdraw(false);
            } else {
                broke(why);
            }
            over();
        }

        private void over() {
            operations.clear();
            openUntilNanos = Long.MAX_VALUE;
        }

        boolean broken() {
            return failure != null;
        }

        String failure() {
            OperationFailed why = failure;
            if (why == null) {
                return "";
            }
            String what = recovering
                    ? "a producer that restarts got no answer and retries"
                    : switch (why.kind()) {
                        case FENCED -> "a producer was fenced and restarts";
                        case TIMED_OUT -> "a transaction timed out and its producer restarts";
                        case ABORT, BROKEN -> "a transaction failed and its producer restarts";
                    };
            return what + ": " + why.getMessage();
        }

        void recover() {
            try {
                operator.recover();
                if (form.stream()) {
                    operator.source().rewind(true);
                }
                failure = null;
                recovering = false;
            } catch (OperationFailed again) {
                // No transaction is open, so the failure is not a transaction timeout.
                failure = again;
                recovering = true;
            }
        }

        private void broke(OperationFailed why) {
            failure = why;
            if (why.kind() == OperationFailed.Kind.FENCED) {
                box.ledger.transactions().fenced();
            } else if (why.kind() == OperationFailed.Kind.TIMED_OUT) {
                box.ledger.transactions().timedOut();
            }
        }
    }
}
