package weir.load.send;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import weir.load.message.Identity;
import weir.load.message.Message;
import weir.measure.LatencyKind;

/**
 * A runner of one sender's operations of several messages or in transactions. It records the outcomes.
 *
 * <p>Either an operation ends when all its messages are acked, and operations may overlap. Or several operations end
 * together in an {@link OperationGroup}, one group after the other. The wait for the end of a group counts as
 * backpressure. In a closed loop, operations of a group do not wait for each other.
 */
public final class Operations implements Sender {
    private static final long IDLE_NANOS = 1_000_000_000;

    private final Outbox box;
    private final DueQueue dues;
    private final OperationForm form;
    private final Operator operator;
    private final Consumer<String> events;
    private final SplittableRandom aborts;
    private volatile Thread sender = Thread.currentThread();
    private long number;

    private long fetchedNanos;
    private long lookedNanos;

    Operations(Outbox box, OperationForm form, Operator operator, Consumer<String> events) {
        this.box = box;
        this.operator = operator;
        this.dues = box.dues();
        this.form = form;
        this.events = events;
        this.aborts = new SplittableRandom(form.seed() + box.producer());
    }

    @Override
    public void carry(Outbox outbox) {
        sender = Thread.currentThread();
        OperationGroup group = new OperationGroup(operator, form, box, this);
        boolean more = true;
        while (more) {
            long now = box.now();
            // The sender must perform an operation that it takes from the share, so it waits for the record first.
            boolean able = !form.stream() || operator.source().ready();
            long at = dues.departs(able, !group.empty(), now);
            if (!group.empty() && (at == DueQueue.OVER || now >= group.openUntilNanos)) {
                end(group, now);
            } else if (!able && dues.inPhase()) {
                fetch(group, now);
            } else if (at <= now) {
                carry(group, take());
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
        long endNanos = dues.endedNanos();
        if (form.stream() && endNanos != 0 && now - Math.max(lookedNanos, endNanos) >= IDLE_NANOS) {
            lookedNanos = now;
            operator.source().idle();
        }
    }

    private void carry(OperationGroup group, Operation operation) {
        if (!form.grouped()) {
            send(operation);
            long now = box.now();
            queued(operation, now);
            dues.called(operation.batch.sentNanos, now);
            return;
        }
        if (group.empty()) {
            group.open(aborts.nextDouble() < form.abortShare());
        }
        if (!group.add(operation)) {
            recover(group);
        } else if (group.full()) {
            end(group, group.untilNanos);
        }
    }

    private void end(OperationGroup group, long startNanos) {
        if (!group.end(startNanos)) {
            recover(group);
        }
    }

    private void recover(OperationGroup group) {
        long startNanos = box.now();
        while (group.broken() && !dues.closed()) {
            events.accept(group.failure());
            if (!group.recover()) {
                dues.pause();
            }
        }
        dues.called(startNanos, box.now());
    }

    void send(Operation operation) {
        for (int i = 0; i < operation.messages; i++) {
            long turn = form.messages() > 1 ? i : (number + box.producer()) % form.topics();
            Message message =
                    box.identify(form.firstTopic() + (int) turn, operation.batch.first + i, operation.batch.dueNanos);
            operation.bytes += message.bytes();
            operator.send(message, operation.sends(i));
        }
        operation.answered();
    }

    void queued(Operation operation, long nanos) {
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
            operator.source().next();
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
        number = source.offset();
        Message message = box.message();
        message.key = source.key();
        message.value = source.value();
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

    private void fetch(OperationGroup group, long startNanos) {
        boolean dry = operator.source().dry();
        if (!group.empty() && (dry || !form.transactional())) {
            end(group, startNanos);
            return;
        }
        if (dry) {
            box.dry = true;
            dues.giveUp(startNanos);
            return;
        }
        long most = Math.min(DueQueue.GLANCE_NANOS, Math.max(0, group.openUntilNanos - startNanos));
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
}
