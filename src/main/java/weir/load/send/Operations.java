package weir.load.send;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import weir.load.message.KeySource;
import weir.load.message.Message;
import weir.load.message.ValueSource;
import weir.measure.LatencyKind;
import weir.measure.Recorder;
import weir.measure.SentLedger;

/**
 * The work of one sender where an operation is more than one message: it carries operations out when they are due, puts
 * them into transactions, and says what became of them.
 *
 * <p>Operations either end each by itself, when all their messages are acked, and may overlap; or they end in
 * {@link OperationGroup}s, one group after the other. What becomes due while a group ends counts as backpressure. In a closed loop
 * the operations of a group do not wait for each other.
 */
public final class Operations {
    private final Outbox.Surroundings around;
    private final OperationForm form;
    private final SentLedger ledger;
    private final Recorder here;
    private final Shared shared;
    private final MessageMaker maker;
    private final Backpressure backpressure;
    private final OperationScheduler scheduler;
    private final SplittableRandom aborts;
    private long fetchedNanos;

    /** The sources of the values and keys that messages are made of. */
    record Contents(ValueSource values, KeySource keys) {}

    /** The state that operations share with the outbox. {@code dry} says that a stream has nothing more to read. */
    record Shared(
            PhaseQueue phases,
            Outcomes outcomes,
            Backpressure backpressure,
            AtomicLong taken,
            AtomicLong operated,
            Runnable dry,
            Consumer<String> events) {}

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
        this.backpressure = shared.backpressure();
        this.maker = new MessageMaker(around, contents, form);
        this.scheduler = new OperationScheduler(around, form, here, shared);
        this.aborts = new SplittableRandom(form.seed() + around.producer());
    }

    /** Carries out every operation until there will never be another. */
    public void carry(Operator operator) {
        scheduler.carriedHere();
        shared.outcomes.sentFromHere();
        OperationGroup group = new OperationGroup(
                operator, new OperationGroup.Books(form, shared.outcomes, ledger, here, this::now), this::called);
        while (true) {
            switch (scheduler.await(operator, group)) {
                case OPERATION -> {
                    Operation operation = take(operator);
                    if (form.grouped()) {
                        carry(group, operation);
                    } else {
                        send(operator, operation);
                    }
                }
                case END_GROUP -> end(group, now());
                case FETCH -> fetch(operator.source(), group, now());
                case NOTHING -> {
                    operator.flush();
                    return;
                }
            }
        }
    }

    private void carry(OperationGroup group, Operation operation) {
        if (group.empty()) {
            group.open(aborts.nextDouble() < form.abortShare());
        }
        if (!group.add(operation, maker)) {
            recover(group);
        } else if (group.full()) {
            end(group, group.calledUntilNanos());
        }
    }

    private void end(OperationGroup group, long startNanos) {
        if (!group.end(startNanos)) {
            recover(group);
        }
    }

    /** Another producer, until one is ready or nobody wants it any more. */
    private void recover(OperationGroup group) {
        long startNanos = now();
        while (group.broken() && !shared.phases.none()) {
            shared.events.accept(group.trouble());
            if (!group.recover()) {
                here.tick(around.pacer().await(now() + Outbox.GLANCE_NANOS));
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
                operation.backpressureNanos,
                operation.bytes);
        called(operation.sentNanos, queuedNanos);
    }

    private void called(long fromNanos, long toNanos) {
        backpressure.call(fromNanos, toNanos, around.own(fromNanos, toNanos));
    }

    /** An operation that is alone is over. Who waits to send the next one does not wait until this one is booked. */
    private void over(Operation operation) {
        long now = now();
        scheduler.over();
        Throwable why = operation.failure();
        if (why == null) {
            shared.outcomes.acked(operation, now);
        } else {
            shared.outcomes.failed(operation, true, why);
        }
    }

    private Operation take(Operator operator) {
        if (form.stream()) {
            operator.source().next();
            maker.take(operator.source());
        } else {
            maker.make(scheduler.begun());
        }
        long now = now();
        long dueNanos = scheduler.take(now);
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
        shared.taken.lazySet(shared.taken.get() + form.messages());
        shared.operated.lazySet(scheduler.begun());
        long backpressureNanos = backpressure.begin(dueNanos, now);
        return new Operation(
                step,
                first,
                form.messages(),
                dueNanos,
                now,
                backpressureNanos,
                form.grouped() ? this::inGroup : this::over);
    }

    /** An operation of a group is over when the group is. */
    private void inGroup(Operation operation) {
        if (!form.transactional()) {
            scheduler.wake();
        } else if (operation.failure() == null) {
            shared.outcomes.answered(operation, now());
        }
    }

    private void fetch(Operator.Source source, OperationGroup group, long startNanos) {
        long most = Math.min(Outbox.GLANCE_NANOS, Math.max(0, group.openUntilNanos() - startNanos));
        boolean some = source.fetch(Duration.ofNanos(most));
        long now = now();
        fetchedNanos += now - startNanos;
        called(startNanos, now);
        if (some) {
            here.part(LatencyKind.FETCH, around.steps().stepAt(now), now, fetchedNanos);
            fetchedNanos = 0;
        } else {
            here.tick(now);
        }
    }

    private long now() {
        return around.now();
    }
}
