package weir.load;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import weir.measure.Recorder;
import weir.measure.SentLedger;

/** The producers of a load: each a sender, its outbox and a thread, from the start to the drain. */
final class SendingHalf {
    private static final String THREADS = "weir-producer-";
    private static final long PATIENCE_NANOS = 10 * Shared.SECOND;

    private final Shared shared;
    private final Contents contents;
    private final Consumer<String> events;
    private final Failures failures;
    private final List<Sender> senders = new ArrayList<>();
    private final List<Outbox> outboxes = new ArrayList<>();

    SendingHalf(Shared shared, Contents contents, Consumer<String> events) {
        this.shared = shared;
        this.contents = contents;
        this.events = events;
        this.failures = new Failures(events);
    }

    void start() {
        LoadPlan plan = shared.plan();
        for (int producer : plan.mine(plan.load().producers())) {
            Sender sender = shared.engine().sender(producer);
            senders.add(sender);
            Outbox outbox = outbox(producer, sender);
            outboxes.add(outbox);
            shared.threads().start(THREADS + producer, () -> sender.carry(outbox));
        }
    }

    private Outbox outbox(int producer, Sender sender) {
        SentLedger sent = shared.ledger().sender(producer);
        Recorder here = shared.recorder();
        Outcomes.Around outcomesAround = new Outcomes.Around(
                shared.steps(), shared.clock(), failures, sender.timeout().toNanos());
        Outcomes outcomes = new Outcomes(outcomesAround, sent, here, shared.recorder());
        Outbox.Surroundings around = new Outbox.Surroundings(
                shared.plan().runTag(),
                producer,
                shared.engine().topics(),
                shared.steps(),
                shared.clock(),
                shared.pacer(),
                shared.standstills());
        return new Outbox(around, contents.values(producer), contents.keys(producer), sent, here, outcomes);
    }

    List<Outbox> outboxes() {
        return outboxes;
    }

    long sent() {
        return outboxes.stream().mapToLong(Outbox::sent).sum();
    }

    long inFlight() {
        return outboxes.stream().mapToLong(Outbox::inFlight).sum();
    }

    /** Sends nothing new and returns the number of messages that are still unresolved at the deadline. */
    long finish(long deadlineNanos) {
        outboxes.forEach(Outbox::close);
        boolean sent = shared.threads().join(THREADS, deadlineNanos);
        long endNanos = shared.now();
        long unresolved = inFlight();
        if (!sent || unresolved > 0) {
            outboxes.forEach(outbox -> outbox.outcomes().seal(endNanos));
        }
        senders.forEach(Sender::close);
        shared.threads().join(THREADS, shared.now() + PATIENCE_NANOS);
        outboxes.forEach(outbox -> outbox.settle(endNanos));
        failures.lines().forEach(events);
        shared.threads().check();
        return unresolved;
    }

    /** What was in flight is lost. */
    void abandon() {
        outboxes.forEach(Outbox::close);
        senders.forEach(Sender::close);
    }
}
