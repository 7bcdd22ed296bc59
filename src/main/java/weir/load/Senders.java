package weir.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import weir.load.engine.EnginePort;
import weir.load.message.Payloads;
import weir.load.send.DueQueue;
import weir.load.send.Failures;
import weir.load.send.OperationForm;
import weir.load.send.Operations;
import weir.load.send.Operator;
import weir.load.send.Outbox;
import weir.load.send.Outcomes;
import weir.load.send.Sender;
import weir.measure.Recorder;
import weir.measure.SentLedger;

/** The producers of a load, each with a sender, an outbox and a thread, from the start to the drain. */
final class Senders {
    private static final String THREADS = "weir-producer-";
    private static final long TIMEOUT_NANOS = 10 * LoadContext.SECOND;

    private final LoadContext shared;
    private final Payloads payloads;
    private final Consumer<String> events;
    private final Failures failures;
    private final List<Sender> senders = new ArrayList<>();
    private final List<Outbox> outboxes = new ArrayList<>();
    private final List<Outbox> fillers = new ArrayList<>();

    private long behindNanos;

    private long ownNanos;

    Senders(LoadContext shared, Payloads payloads, Consumer<String> events) {
        this.shared = shared;
        this.payloads = payloads;
        this.events = events;
        this.failures = new Failures(events);
    }

    void start() {
        LoadPlan plan = shared.plan();
        int producers = plan.load().producers().count();
        if (!plan.load().operates()) {
            plan.mine(producers).forEach(producer -> outboxes.add(ordinary(producer)));
            return;
        }
        boolean fills = plan.streams() && plan.backlogRecords() > 0;
        // A stream begins before its backlog; without a backlog, at the oldest record.
        long[] from = plan.streams() && !fills
                ? shared.engine().log().beginnings()
                : shared.engine().log().ends();
        int topics = shared.engine().log().topics();
        OperationForm form = OperationForm.of(
                plan.load(), topics, shared.engine().operating().sourceTopics(), plan.seed());
        for (int producer : plan.mine(producers)) {
            if (fills) {
                fillers.add(ordinary(producer));
            }
            // The backlog's producers have separate numbers, because no transaction contains the backlog.
            int number = plan.streams() ? producers + producer : producer;
            Operator operator = shared.engine().operating().operator(producer, from);
            Outbox outbox = outbox(number, operator.timeout(), topics);
            outboxes.add(outbox);
            carry(number, new Operations(outbox, form, operator, events), outbox);
        }
    }

    private Outbox ordinary(int producer) {
        Sender sender = shared.engine().producing().sender(producer);
        int topics = shared.plan().streams()
                ? shared.engine().operating().sourceTopics()
                : shared.engine().log().topics();
        Outbox outbox = outbox(producer, sender.timeout(), topics);
        carry(producer, sender, outbox);
        return outbox;
    }

    private void carry(int producer, Sender sender, Outbox outbox) {
        senders.add(sender);
        shared.threads().start(THREADS + producer, () -> sender.carry(outbox));
    }

    private Outbox outbox(int producer, Duration timeout, int topics) {
        SentLedger sent = shared.ledger().sender(producer);
        Recorder here = shared.recorder();
        Outbox.Context context = new Outbox.Context(
                shared.plan().runTag(), producer, topics, shared.steps(), shared.clock(), shared.pauses(), failures);
        Outcomes outcomes = new Outcomes(context, timeout.toNanos(), sent, here, shared.recorder());
        return new Outbox(
                context, payloads.values().apply(producer), payloads.keys().apply(producer), sent, here, outcomes);
    }

    List<Outbox> outboxes(boolean filling) {
        return filling && !fillers.isEmpty() ? fillers : outboxes;
    }

    long operated() {
        return outboxes.stream().mapToLong(outbox -> outbox.dues().taken()).sum();
    }

    boolean dry() {
        return !outboxes.isEmpty() && outboxes.stream().allMatch(Outbox::dry);
    }

    long inFlight() {
        return dues().mapToLong(DueQueue::inFlight).sum();
    }

    private Stream<Outbox> all() {
        return Stream.concat(fillers.stream(), outboxes.stream());
    }

    private Stream<DueQueue> dues() {
        return all().map(Outbox::dues);
    }

    void report(EnginePort.Figures into) {
        long behind = dues().mapToLong(due -> due.backpressure().behindNanos()).sum();
        long own = dues().mapToLong(due -> due.backpressure().ownNanos()).sum();
        double percent = 100.0 / LoadContext.SECOND / Math.max(1, senders.size());
        into.figure("behind.percent", percent * (behind - behindNanos));
        into.figure("behind.own.percent", percent * (own - ownNanos));
        behindNanos = behind;
        ownNanos = own;
    }

    long finish(long deadlineNanos) {
        dues().forEach(due -> due.phases.close());
        boolean sent = shared.threads().join(THREADS, deadlineNanos);
        long endNanos = shared.now();
        long unresolved = inFlight();
        if (!sent || unresolved > 0) {
            all().forEach(outbox -> outbox.outcomes().seal(endNanos));
        }
        senders.forEach(Sender::close);
        shared.threads().join(THREADS, shared.now() + TIMEOUT_NANOS);
        all().forEach(outbox -> outbox.settle(endNanos));
        failures.lines().forEach(events);
        shared.threads().check();
        return unresolved;
    }

    void abandon() {
        dues().forEach(due -> due.phases.close());
        senders.forEach(Sender::close);
    }
}
