package weir.load;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import weir.measure.Metric;
import weir.measure.Recorder;
import weir.measure.SentLedger;
import weir.pace.Schedule;

/**
 * What one sender has to do where an operation is more than one message: it carries operations out when they are due, puts
 * them into transactions, and says what became of them.
 *
 * <p>Operations either end each by itself, when all their messages are acked, and may overlap; or they end in
 * {@link Group}s, one group after the other. What becomes due while a group ends is held by the system. In a closed loop
 * the operations of a group do not wait for each other.
 */
final class Operations {
    private static final long NEVER = Schedule.NEVER;

    private final Outbox.Surroundings around;
    private final OperationForm form;
    private final SentLedger ledger;
    private final Recorder here;
    private final Shared shared;
    private final MessageMaker maker;
    private final CallTime calls = new CallTime();
    private final AtomicLong ended = new AtomicLong();
    private final SplittableRandom aborts;
    private Pace pace = Pace.none();
    private long due;
    /** Whether {@link #due} is that of the next operation. */
    private boolean asked;

    private long begun;
    private long fetchedNanos;
    private volatile Thread sender = Thread.currentThread();
    private volatile boolean waiting;

    /** What messages are made of. */
    record Contents(ValueSource values, KeySource keys) {}

    /** What operations share with the outbox. {@code dry} says that a stream has nothing more to read. */
    record Shared(
            Paces paces,
            Outcomes outcomes,
            AtomicLong taken,
            AtomicLong operated,
            Runnable dry,
            Consumer<String> events) {}

    /** What comes next. */
    private enum Next {
        OPERATION,
        END_GROUP,
        NOTHING
    }

    Operations(
            Outbox.Surroundings around,
            Contents contents,
            OperationForm form,
            SentLedger ledger,
            Recorder here,
            Shared shared) {
        this.around = around;
        this.form = form;
        this.ledger = ledger;
        this.here = here;
        this.shared = shared;
        this.maker = new MessageMaker(around, contents, form);
        this.aborts = new SplittableRandom(form.seed() + around.producer());
    }

    /** Carries out every operation until there will never be another. */
    void carry(Operator operator) {
        sender = Thread.currentThread();
        shared.outcomes.sentFromHere();
        Group group =
                new Group(operator, new Group.Books(form, shared.outcomes, ledger, here, this::now), this::called);
        while (true) {
            switch (awaitNext(operator, group)) {
                case OPERATION -> {
                    Operation operation = take(operator);
                    if (form.grouped()) {
                        carry(group, operation);
                    } else {
                        send(operator, operation);
                    }
                }
                case END_GROUP -> end(group, now());
                case NOTHING -> {
                    operator.flush();
                    return;
                }
            }
        }
    }

    private void carry(Group group, Operation operation) {
        if (group.empty()) {
            group.open(aborts.nextDouble() < form.abortShare());
        }
        if (!group.add(operation, maker)) {
            recover(group);
        } else if (group.full()) {
            end(group, group.calledUntilNanos());
        }
    }

    private void end(Group group, long startNanos) {
        if (!group.end(startNanos)) {
            recover(group);
        }
    }

    /** Another producer, until one is ready or nobody wants it any more. */
    private void recover(Group group) {
        long startNanos = now();
        while (group.broken() && !shared.paces.none()) {
            shared.events.accept(group.trouble());
            if (!group.recover()) {
                tick(around.pacer().await(now() + Outbox.GLANCE_NANOS));
            }
        }
        called(startNanos, now());
    }

    private void send(Operator operator, Operation operation) {
        for (int i = 0; i < operation.messages; i++) {
            Message message = maker.message(operation, i);
            operation.bytes += message.bytes();
            operator.send(message, operation.sends(i));
        }
        operation.sent();
        sent(operation);
    }

    private void sent(Operation operation) {
        long queuedNanos = now();
        here.sent(
                operation.step,
                1,
                operation.messages,
                operation.dueNanos,
                operation.sentNanos,
                queuedNanos,
                operation.heldNanos,
                operation.bytes);
        called(operation.sentNanos, queuedNanos);
    }

    private void called(long fromNanos, long toNanos) {
        calls.call(fromNanos, toNanos, around.own(fromNanos, toNanos));
    }

    /** An operation that is alone is over. */
    private void over(Operation operation) {
        Throwable why = operation.failure();
        if (why == null) {
            shared.outcomes.acked(operation, now());
        } else {
            shared.outcomes.failed(operation, true, why);
        }
        ended.incrementAndGet();
        LockSupport.unpark(waiting ? sender : null);
    }

    private Operation take(Operator operator) {
        if (form.stream()) {
            operator.source().next();
            maker.take(operator.source());
        } else {
            maker.make(begun);
        }
        long now = now();
        long dueNanos = pace.closed() ? now : due;
        asked = false;
        int step = around.steps().stepAt(dueNanos);
        ledger.due(step, form.messages());
        here.due(step, dueNanos, form.messages());
        long first = ledger.next(step, form.messages());
        if (form.stream()) {
            ledger.transactions()
                    .taken(
                            first,
                            operator.source().partition(),
                            operator.source().offset());
        }
        begun++;
        shared.taken.lazySet(shared.taken.get() + form.messages());
        shared.operated.lazySet(begun);
        long held = Math.min(calls.since(dueNanos), now - dueNanos);
        return new Operation(
                step, first, form.messages(), dueNanos, now, held, form.grouped() ? this::inGroup : this::over);
    }

    /** An operation of a group is over when the group is. */
    private void inGroup(Operation operation) {
        LockSupport.unpark(form.transactional() ? null : sender);
    }

    private Next awaitNext(Operator operator, Group group) {
        while (true) {
            if (pace.over()) {
                if (!group.empty()) {
                    return Next.END_GROUP;
                }
                pace = shared.paces.after(pace);
                asked = false;
                if (pace.over()) {
                    if (shared.paces.none() || !shared.paces.await(Outbox.GLANCE_NANOS / 1_000_000)) {
                        tick(now());
                        return Next.NOTHING;
                    }
                    tick(now());
                    continue;
                }
            }
            boolean able = !form.stream() || operator.source().ready();
            // What is taken from a share is carried out, so nothing is taken before there is a record for it.
            if (!asked && (able || !pace.closed() || pace.spent())) {
                due = pace.next();
                asked = true;
            }
            long now = now();
            boolean done = asked && due == NEVER;
            boolean stageOver = done || cutOff(now);
            if (!group.empty() && (stageOver || now >= group.openUntilNanos())) {
                return Next.END_GROUP;
            }
            if (done) {
                endPace(now);
            } else if (stageOver) {
                giveUp(now);
            } else if (able) {
                if (ready(now, group)) {
                    return Next.OPERATION;
                }
            } else {
                boolean dry = operator.source().dry();
                if (!group.empty() && (dry || !form.transactional())) {
                    return Next.END_GROUP;
                }
                if (dry) {
                    shared.dry.run();
                    giveUp(now);
                } else {
                    fetch(operator.source(), group, now);
                }
            }
        }
    }

    private void endPace(long now) {
        // A closed loop that waits for each operation waits for the last one, too.
        if (waits() && inFlight() > 0 && now < pace.cutNanos()) {
            awaitEnds();
        } else {
            pace.end(now);
            asked = false;
        }
    }

    private boolean cutOff(long now) {
        long cut = pace.cutNanos();
        return (pace.closed() || !asked || due >= cut) ? now >= cut : now - Outbox.GRACE_NANOS >= cut;
    }

    /** Whether the next operation is due now; waits a little if not. */
    private boolean ready(long now, Group group) {
        long at = pace.closed() ? pace.startNanos() : due;
        if (now < at) {
            if (at - now > Outbox.GLANCE_NANOS) {
                tick(now);
            }
            around.pacer().await(Math.min(Math.min(at, now + Outbox.GLANCE_NANOS), group.openUntilNanos()));
            return false;
        }
        if (waits() && inFlight() >= pace.atOnce()) {
            awaitEnds();
            return false;
        }
        return true;
    }

    private boolean waits() {
        return !form.grouped() && pace.closed() && pace.atOnce() != Pace.NO_LIMIT;
    }

    private long inFlight() {
        return begun - ended.get();
    }

    private void awaitEnds() {
        long known = ended.get();
        tick(now());
        waiting = true;
        if (inFlight() > 0 && ended.get() == known) {
            LockSupport.parkNanos(this, Outbox.GLANCE_NANOS);
        }
        waiting = false;
    }

    private void fetch(Operator.Source source, Group group, long startNanos) {
        long most = Math.min(Outbox.GLANCE_NANOS, Math.max(0, group.openUntilNanos() - startNanos));
        boolean some = source.fetch(Duration.ofNanos(most));
        long now = now();
        fetchedNanos += now - startNanos;
        called(startNanos, now);
        if (some) {
            here.part(Metric.FETCH, around.steps().stepAt(now), now, fetchedNanos);
            fetchedNanos = 0;
        } else {
            tick(now);
        }
    }

    private void giveUp(long now) {
        // A closed loop owes nothing: its operations are due when they are carried out.
        if (!pace.closed()) {
            pace.putBack(due);
            shared.paces.giveUp(pace);
        }
        pace.end(now);
        asked = false;
    }

    private void tick(long now) {
        here.tick(now);
    }

    private long now() {
        return around.now();
    }
}
