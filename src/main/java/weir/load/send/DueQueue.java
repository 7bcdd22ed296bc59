package weir.load.send;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import weir.measure.Recorder;
import weir.measure.SentLedger;
import weir.pace.Pacer;
import weir.pace.Schedule;

/**
 * The due operations of one sender, from its phases. An operation is one message, or several messages in a transaction
 * or a request. A batch is several operations. The sender's thread asks {@link #departs} for the time of the next
 * batch, waits with {@link #await} or in its own way, and then takes the batch.
 *
 * <pre>{@code
 *  no phase --a phase begins--> waiting --due or not full--> departs --taken--> waiting
 *      ^                           |
 *      +-- nothing is left, cut or given up, and no operation is open.
 * }</pre>
 *
 * <p>The first due operation opens a batch. The batch leaves when it is full, at the end of that operation's linger
 * time, or at the end of its phase or step. The delay of a batch counts as the delay of each message. In a closed loop,
 * a batch contains all operations that the limit in flight permits, and a single operation is due when it leaves.
 */
public final class DueQueue {
    /** The longest time until a waiting sender notices the end of its phase. */
    static final long POLL_NANOS = 10_000_000;

    static final long OVER = Long.MIN_VALUE;
    private static final long NEVER = Schedule.NEVER;

    private final Backpressure backpressure = new Backpressure();
    private final Outbox.Context context;
    private final SentLedger ledger;
    private final Recorder here;
    private final Outcomes outcomes;
    private final RunRecorder sends;
    private final Pacer pacer;
    public final PhaseQueue phases;
    private final AtomicLong taken = new AtomicLong();
    long takes;
    private long[] open = new long[1024];

    private int size;
    private int messagesEach = 1;
    private boolean paced = true;
    /** For each operation taken last: the part of its delay from earlier calls, and the length of its own call. */
    private long[] explained = new long[1];

    private long[] calls = new long[1];

    private int most;
    private long lingerNanos;
    private boolean inBatches;
    private boolean exhausted;

    private long blockedNanos = NEVER;
    private long fullNanos;

    DueQueue(Outbox.Context context, SentLedger ledger, Recorder here, Outcomes outcomes) {
        this.context = context;
        this.ledger = ledger;
        this.here = here;
        this.outcomes = outcomes;
        this.sends = new RunRecorder(here, context.steps());
        this.pacer = new Pacer(context.clock());
        this.phases = new PhaseQueue(context.producer());
    }

    /** Sets the form of the operations. In a closed loop, operations of a group do not wait for each other. */
    void form(OperationForm form) {
        messagesEach = form.messages();
        paced = !form.grouped();
    }

    public long taken() {
        return taken.get();
    }

    public int topic() {
        return (int) ((takes + context.producer()) % context.topics());
    }

    public long inFlight() {
        // With this order, a message that ends meanwhile counts at worst as still in flight.
        long done = outcomes.count();
        return taken.get() * messagesEach - done;
    }

    /**
     * Returns the time of the next batch. Take the batch then or later. If an ack arrives first, ask again. {@link
     * Schedule#NEVER} is the end.
     */
    public long departs(int atMost, long linger, long nowNanos) {
        most = atMost;
        lingerNanos = linger;
        inBatches = true;
        return departs(Integer.MAX_VALUE, false, nowNanos);
    }

    /**
     * Returns the time at which the next single operation should leave.
     *
     * @param able false if an operation could not leave now; a closed loop then claims none
     * @param held true while operations are open; the method then returns {@link #OVER} instead of ending their phase
     */
    long departs(boolean able, boolean held, long nowNanos) {
        most = 1;
        return departs(able ? 1 : 0, held, nowNanos);
    }

    private long departs(int claims, boolean held, long now) {
        while (phases.inPhase() || beginNext()) {
            PhaseSchedule phase = phases.current;
            long at = phase.closed() ? whenThereIsRoom(phase, claims, now) : whenDue(phase, now);
            if (at == OVER && held) {
                return OVER;
            }
            if (at != OVER && at <= now) {
                return at;
            }
            if (at != OVER) {
                if (phase.closed() || at - now > POLL_NANOS) {
                    tick(now);
                }
                return Math.min(at, now + POLL_NANOS);
            }
            giveUp(now);
        }
        tick(now);
        return phases.none() ? NEVER : now + POLL_NANOS;
    }

    private boolean beginNext() {
        if (!phases.next(Long.MAX_VALUE)) {
            return false;
        }
        exhausted = false;
        outcomes.sentFromHere(limits(phases.current));
        return true;
    }

    private boolean limits(PhaseSchedule phase) {
        return paced && phase.closed() && phase.atOnce != PhaseSchedule.NO_LIMIT;
    }

    private boolean dueBefore(PhaseSchedule phase) {
        return inBatches && limits(phase);
    }

    /**
     * Waits until {@code at}, until an ack permits a message, or until a phase begins, after {@link #departs} has
     * returned a later time. Returns false at the end.
     */
    boolean await(long at, long now) {
        PhaseSchedule phase = phases.current;
        if (!phases.inPhase()) {
            return at != NEVER && phases.await();
        }
        if (limits(phase) && now >= phase.startNanos) {
            long operations = exhausted ? 1 : phase.atOnce;
            outcomes.awaitMore((taken.get() - operations) * messagesEach, at - now);
        } else {
            pacer.await(at);
        }
        return true;
    }

    void pause() {
        here.tick(pacer.await(context.clock().getAsLong() + POLL_NANOS));
    }

    /**
     * Records that the engine cannot accept a batch, like a blocked call. Engines call it on every attempt. They cause
     * the time since the previous attempt, even if this process stood still meanwhile.
     */
    public void blocked(long nowNanos) {
        if (phases.current.closed()) {
            return;
        }
        if (blockedNanos == NEVER) {
            blockedNanos = nowNanos;
        }
        fullNanos = nowNanos;
    }

    /** Takes the operations that should leave now. Their messages count as sent from now on. */
    public void take(MessageBatch batch, long nowNanos) {
        batch.topic = topic();
        takes++;
        batch.scattered = false;
        if (phases.current.closed()) {
            takeRoom(batch, nowNanos);
        } else {
            takeDue(batch, nowNanos);
        }
        size -= batch.count;
        System.arraycopy(open, batch.count, open, 0, size);
        int messages = batch.count * messagesEach;
        ledger.due(batch.step, messages);
        batch.first = ledger.next(batch.step, messages);
        taken.lazySet(taken.get() + batch.count);
    }

    /** Records that the last batch has left. {@code bytes} is the total size of its keys and values. */
    public void departed(MessageBatch batch, long bytes) {
        int count = batch.count;
        if (batch.alike) {
            sent(batch, 0, count, batch.sentNanos + calls[0], bytes);
        } else {
            for (int i = 0; i < count; i++) {
                sent(batch, i, 1, batch.sents[i] + calls[i], bytes / count + (i == 0 ? bytes % count : 0));
            }
        }
        sends.flush();
    }

    /** Records that the call with the last single message has returned. {@code bytes} is the size of key and value. */
    void returned(MessageBatch one, long nowNanos, long bytes) {
        sent(one, 0, 1, nowNanos, bytes);
        called(one.sentNanos(0), nowNanos);
    }

    private void sent(MessageBatch batch, int at, int count, long queuedNanos, long bytes) {
        sends.sent(batch.step, count, batch.dueNanos(at), batch.sentNanos(at), queuedNanos, explained[at], bytes);
    }

    /** Returns the part of the last operation's delay that earlier calls caused. */
    long backpressureNanos() {
        return explained[0];
    }

    void called(long fromNanos, long toNanos) {
        backpressure.call(fromNanos, toNanos, context.own(fromNanos, toNanos));
    }

    void tick(long now) {
        sends.flush();
        here.tick(now);
    }

    /** Counts due operations that were never sent, after the end of the sender's thread. */
    void settle(long endOfDrainNanos) {
        phases.settle(context.steps(), here, ledger, messagesEach, endOfDrainNanos);
        sends.flush();
    }

    public Backpressure backpressure() {
        return backpressure;
    }

    private long whenDue(PhaseSchedule phase, long now) {
        long cut = phase.cutNanos();
        gather(0);
        if (size == 0) {
            return OVER;
        }
        long first = open[0];
        if (first >= cut) {
            return now < cut ? cut : OVER;
        }
        long lingered = first + lingerNanos;
        long planned = planned(0, members(lingered), lingered);
        boolean over = phase.past(now)
                && phase.givesUp(planned, backpressure(planned, now), now, !phases.more() && !outcomes.sealed());
        return over ? OVER : planned;
    }

    private long backpressure(long planned, long now) {
        if (blockedNanos == NEVER) {
            return backpressure.of(planned);
        }
        long blocked = now - blockedNanos - own(blockedNanos, now);
        return Math.min(now - planned, backpressure.of(Math.min(planned, blockedNanos)) + blocked);
    }

    private long whenThereIsRoom(PhaseSchedule phase, int claims, long now) {
        long cut = phase.cutNanos();
        if (now >= cut && (size == 0 || !dueBefore(phase) || phase.past(now))) {
            return OVER;
        }
        if (now < phase.startNanos) {
            return Math.min(phase.startNanos, cut);
        }
        boolean limited = limits(phase);
        long inFlight = limited ? inFlight() : 0;
        long room = limited ? phase.atOnce - inFlight / messagesEach : most;
        long claimed = now < cut && !exhausted ? Math.min(room - size, claims) : 0;
        add(now, claimed > 0 ? phase.claim((int) claimed) : 0);
        exhausted = phase.spent();
        if (size == 0) {
            // A closed loop that waits for each operation also waits for the last operation.
            return exhausted && inFlight == 0 ? OVER : Math.min(cut, now + POLL_NANOS);
        }
        return limited ? planned(0, members(now), open[0] + lingerNanos) : now;
    }

    void giveUp(long now) {
        endBlocked(now);
        if (size == 0) {
            phases.current.end(now);
        } else {
            phases.giveUp(backpressure.of(open[0]), lingerNanos, now, Arrays.copyOf(open, size));
        }
        size = 0;
    }

    private void gather(long untilNanos) {
        while (!exhausted && size < most) {
            if (size > 0 && open[size - 1] > Math.max(untilNanos, open[0] + lingerNanos)) {
                return;
            }
            long next = phases.current.next();
            exhausted = next == NEVER;
            add(next, exhausted ? 0 : 1);
        }
    }

    private void add(long due, int times) {
        if (size + times > open.length) {
            open = Arrays.copyOf(open, Math.max(size + times, 2 * size));
        }
        Arrays.fill(open, size, size + times, due);
        size += times;
    }

    private int members(long untilNanos) {
        int count = Math.min(size, most);
        if (count > 1) {
            int step = context.steps().stepAt(open[0]);
            long cut = phases.current.cutNanos();
            while (count > 1 && !belongs(open[count - 1], untilNanos, cut, step)) {
                count--;
            }
        }
        return count;
    }

    private boolean belongs(long due, long untilNanos, long cut, int step) {
        return due <= untilNanos && due < cut && context.steps().stepAt(due) == step;
    }

    private long planned(int from, int count, long lingered) {
        long boundary = phases.current.cutNanos();
        if (count < most && count < size) {
            boundary = Math.min(boundary, open[count]);
        }
        boolean full = from == 0 && count == most;
        return Math.min(full ? open[count - 1] : lingered, boundary);
    }

    private void takeRoom(MessageBatch batch, long now) {
        backpressure.begin(now, now);
        if (!dueBefore(phases.current)) {
            alike(batch, Math.min(most, size), now);
            return;
        }
        int count = members(now);
        if (open[0] == open[count - 1]) {
            alike(batch, count, open[0]);
            return;
        }
        scatter(batch, count);
        for (int i = 0; i < count; i++) {
            fill(batch, i, 0, 0, 0);
        }
    }

    private void alike(MessageBatch batch, int count, long dueNanos) {
        batch.alike = true;
        batch.dueNanos = dueNanos;
        batch.sentNanos = dueNanos;
        batch.step = context.steps().stepAt(dueNanos);
        batch.count = count;
        explained[0] = 0;
        calls[0] = 0;
    }

    private void scatter(MessageBatch batch, int count) {
        batch.step = context.steps().stepAt(open[0]);
        batch.count = count;
        batch.alike = count == 1;
        if (!batch.alike) {
            batch.reserve(count);
        }
        if (count > explained.length) {
            explained = new long[batch.dues.length];
            calls = new long[batch.dues.length];
        }
    }

    private void fill(MessageBatch batch, int at, long delayNanos, long explainedNanos, long callNanos) {
        if (batch.alike) {
            batch.dueNanos = open[at];
            batch.sentNanos = open[at] + delayNanos;
        } else {
            batch.dues[at] = open[at];
            batch.sents[at] = open[at] + delayNanos;
        }
        explained[at] = explainedNanos;
        calls[at] = callNanos;
    }

    /** Takes messages in groups. A group is due within one linger time, so it would have left as one batch on time. */
    private void takeDue(MessageBatch batch, long now) {
        gather(now);
        scatter(batch, members(now));
        int from = 0;
        while (from < batch.count) {
            long lingered = open[from] + lingerNanos;
            int to = from + 1;
            while (to < batch.count && open[to] <= lingered) {
                to++;
            }
            long planned = to == batch.count ? planned(from, to, lingered) : lingered;
            boolean called = planned <= blockedNanos && blockedNanos != NEVER;
            if (!called) {
                endBlocked(now);
            }
            long leftNanos = called ? blockedNanos : now;
            long over = Math.max(0, leftNanos - planned);
            long byCalls = Math.min(over, backpressure.begin(planned, leftNanos));
            for (; from < to; from++) {
                fill(batch, from, over, byCalls, now - leftNanos);
            }
        }
        endBlocked(now);
        backpressure.call(now, now, 0);
    }

    private void endBlocked(long now) {
        if (blockedNanos != NEVER) {
            backpressure.call(blockedNanos, now, own(blockedNanos, now));
            blockedNanos = NEVER;
        }
    }

    private long own(long from, long now) {
        return context.own(Math.max(from, fullNanos), now);
    }
}
