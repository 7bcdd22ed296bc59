package weir.load.send;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import weir.load.message.Identity;
import weir.load.message.Message;
import weir.measure.LatencyKind;
import weir.pace.Schedule;

/**
 * The operations of one sender that have several messages or are in transactions: it runs them when they are due and records
 * their outcomes.
 *
 * <p>Operations either end separately, when all their messages are acked, and may overlap; or they end in
 * {@link OperationGroup}s, one group after the other. Waiting for the end of a group counts as backpressure. In a closed loop
 * the operations of a group do not wait for each other.
 */
public final class Operations implements Sender {
    private static final long NEVER = Schedule.NEVER;
    private static final long IDLE_NANOS = 1_000_000_000;

    private final Outbox box;
    private final PhaseQueue phases;
    private final OperationForm form;
    private final Operator operator;
    private final Consumer<String> events;
    private final SplittableRandom aborts;
    private volatile Thread sender = Thread.currentThread();
    private long due;
    private boolean asked;

    private long begun;
    private long number;

    private long fetchedNanos;
    private long lookedNanos;

    private enum Next {
        OPERATION,
        END_GROUP,
        FETCH,
        NOTHING
    }

    Operations(Outbox box, OperationForm form, Operator operator, Consumer<String> events) {
        this.box = box;
        this.operator = operator;
        this.phases = box.phases;
        this.form = form;
        this.events = events;
        this.aborts = new SplittableRandom(form.seed() + box.producer());
    }

    @Override
    public void carry(Outbox outbox) {
        sender = Thread.currentThread();
        box.outcomes.sentFromHere();
        OperationGroup group = new OperationGroup(operator, form, box, this);
        while (true) {
            switch (await(group)) {
                case OPERATION -> {
                    Operation operation = take();
                    if (form.grouped()) {
                        carry(group, operation);
                    } else {
                        send(operation);
                        box.called(operation.sentNanos, operation.queued(box.here, box.now()));
                    }
                }
                case END_GROUP -> end(group, box.now());
                case FETCH -> fetch(group, box.now());
                case NOTHING -> {
                    operator.flush();
                    return;
                }
            }
        }
    }

    private Next await(OperationGroup group) {
        while (true) {
            if (!phases.inPhase()) {
                if (!group.empty()) {
                    return Next.END_GROUP;
                }
                asked = false;
                if (!phases.next()) {
                    boolean more = !phases.none() && phases.await();
                    box.here.tick(box.now());
                    if (!more) {
                        return Next.NOTHING;
                    }
                    idle();
                    continue;
                }
            }
            PhaseSchedule phase = phases.current;
            boolean able = !form.stream() || operator.source().ready();
            // An operation taken from the share must be carried out, so wait for its record first.
            if (!asked && (able || !phase.closed() || phase.spent())) {
                due = phase.next();
                asked = true;
            }
            long now = box.now();
            boolean done = asked && due == NEVER;
            boolean over = done || ended(phase, now);
            if (!group.empty() && (over || now >= group.openUntilNanos)) {
                return Next.END_GROUP;
            }
            if (done) {
                // A closed loop that waits for each operation also waits for the last.
                if (waits(phase) && box.inFlight() > 0 && now < phase.cutNanos()) {
                    awaitRoom(1);
                } else {
                    phase.end(now);
                    asked = false;
                }
            } else if (over) {
                giveUp(now);
            } else if (able) {
                if (ready(phase, now, group)) {
                    return Next.OPERATION;
                }
            } else {
                boolean empty = operator.source().dry();
                if (!group.empty() && (empty || !form.transactional())) {
                    return Next.END_GROUP;
                }
                if (!empty) {
                    return Next.FETCH;
                }
                box.dry = true;
                giveUp(now);
            }
        }
    }

    private boolean ended(PhaseSchedule phase, long now) {
        if (phase.closed() || !asked || due >= phase.cutNanos()) {
            return now >= phase.cutNanos();
        }
        return box.cutOff(due, now);
    }

    // A group member that does not poll gives no partitions back, and other members wait for them.
    private void idle() {
        long now = box.now();
        long endNanos = phases.current.endNanos();
        if (form.stream() && endNanos != 0 && now - Math.max(lookedNanos, endNanos) >= IDLE_NANOS) {
            lookedNanos = now;
            operator.source().idle();
        }
    }

    private boolean ready(PhaseSchedule phase, long now, OperationGroup group) {
        long at = phase.closed() ? phase.startNanos() : due;
        if (now < at) {
            if (at - now > Outbox.GLANCE_NANOS) {
                box.here.tick(now);
            }
            box.pacer.await(Math.min(Math.min(at, now + Outbox.GLANCE_NANOS), group.openUntilNanos));
            return false;
        }
        if (waits(phase) && box.inFlight() >= (long) phase.atOnce * form.messages()) {
            awaitRoom(phase.atOnce);
            return false;
        }
        return true;
    }

    private boolean waits(PhaseSchedule phase) {
        return !form.grouped() && phase.closed() && phase.atOnce != PhaseSchedule.NO_LIMIT;
    }

    private void awaitRoom(long operations) {
        box.here.tick(box.now());
        box.outcomes.awaitMore(box.taken.get() - operations * form.messages(), Outbox.GLANCE_NANOS);
    }

    private void giveUp(long now) {
        phases.giveUp(box.backpressure.of(asked ? due : phases.current.startNanos()), 0, now, due);
        asked = false;
    }

    private void carry(OperationGroup group, Operation operation) {
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
        while (group.broken() && !phases.none()) {
            events.accept(group.trouble());
            if (!group.recover()) {
                box.here.tick(box.pacer.await(box.now() + Outbox.GLANCE_NANOS));
            }
        }
        box.called(startNanos, box.now());
    }

    void send(Operation operation) {
        for (int i = 0; i < operation.messages; i++) {
            long turn = form.messages() > 1 ? i : (number + box.producer()) % form.topics();
            Message message = box.identify(
                    form.firstTopic() + (int) turn, operation.step, operation.first + i, operation.dueNanos);
            operation.bytes += message.bytes();
            operator.send(message, operation.sends(i));
        }
        operation.sent();
    }

    private Operation take() {
        if (form.stream()) {
            operator.source().next();
            make(operator.source());
        } else {
            number = begun;
            box.make(number);
        }
        long now = box.now();
        asked = false;
        begun++;
        long dueNanos = phases.current.closed() ? now : due;
        int step = box.around.steps().stepAt(dueNanos);
        box.ledger.due(step, form.messages());
        box.here.due(step, dueNanos, form.messages());
        long first = box.ledger.next(step, form.messages());
        if (form.stream()) {
            box.ledger
                    .transactions()
                    .taken(
                            first,
                            operator.source().partition(),
                            operator.source().offset());
        }
        box.taken.lazySet(box.taken.get() + form.messages());
        box.operated.lazySet(begun);
        return new Operation(
                step,
                first,
                form.messages(),
                dueNanos,
                now,
                box.backpressure.begin(dueNanos, now),
                form.grouped() ? this::inGroup : this::over);
    }

    private void make(Operator.Source source) {
        number = source.offset();
        Message message = box.message();
        message.key = source.key();
        message.value = source.value();
        boolean room = message.value.length >= Identity.SMALLEST_VALUE && !source.headed();
        message.header = !room || Identity.runTag(message.value) != box.around.runTag();
        for (int i = message.header ? 0 : Identity.BYTES; i < message.value.length; i++) {
            byte letter = message.value[i];
            if (letter >= 'a' && letter <= 'z') {
                message.value[i] = (byte) (letter - 'a' + 'A');
            }
        }
    }

    private void over(Operation operation) {
        Throwable why = operation.failure();
        if (why == null) {
            box.outcomes.acked(operation, box.now());
        } else {
            box.outcomes.failed(operation, true, why);
        }
    }

    private void inGroup(Operation operation) {
        if (!form.transactional()) {
            LockSupport.unpark(sender);
        } else if (operation.failure() == null) {
            box.outcomes.answered(operation, box.now());
        }
    }

    private void fetch(OperationGroup group, long startNanos) {
        long most = Math.min(Outbox.GLANCE_NANOS, Math.max(0, group.openUntilNanos - startNanos));
        boolean some = operator.source().fetch(Duration.ofNanos(most));
        long now = box.now();
        fetchedNanos += now - startNanos;
        box.called(startNanos, now);
        if (some) {
            box.here.part(LatencyKind.FETCH, box.around.steps().stepAt(now), now, fetchedNanos);
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
