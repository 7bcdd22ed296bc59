package weir.load.send;

import java.util.concurrent.atomic.AtomicLong;
import weir.load.message.Identity;
import weir.load.message.KeySource;
import weir.load.message.Message;
import weir.load.message.ValueSource;
import weir.measure.Recorder;
import weir.measure.SentLedger;
import weir.pace.Schedule;

/**
 * The messages that one sender has to send, many at once. The sender asks {@link #departs} when the next
 * {@link MessageBatch} should leave, and waits in its own way; then it takes the batch, says so with {@link #departed},
 * and tells {@link Outcomes} what became of it.
 *
 * <p>A batch opens with its first due message. It should leave when it is full, when that message has lingered, or when
 * its phase or step ends. Its messages were not woken for one by one: each counts as sent so much after it was due as
 * the batch left after it should have. Where the schedule is a closed loop, messages are due when there is room for
 * them.
 */
public final class BatchAccumulator {
    private static final long NEVER = Schedule.NEVER;
    /** The phase is over. */
    private static final long OVER = Long.MIN_VALUE;

    private final Outbox.Surroundings around;
    private final ValueSource values;
    private final KeySource keys;
    private final SentLedger ledger;
    private final Recorder here;
    private final Shared shared;
    private final Backpressure backpressure;
    private final BatchRuns runs;
    private final Message message = new Message();
    private final DueQueue open = new DueQueue();
    private PhaseSchedule phase = PhaseSchedule.none();
    private int most;
    private long lingerNanos;
    private boolean exhausted;
    /** Operations of an endless closed loop for the next batch. */
    private int claimed;

    private long blockedNanos = NEVER;
    /** When the engine was last seen to have no room. */
    private long fullNanos;

    private long batches;

    /** The state that batches share with the outbox. */
    record Shared(PhaseQueue phases, Outcomes outcomes, Backpressure backpressure, AtomicLong taken) {
        long inFlight() {
            return taken.get() - outcomes.count();
        }

        /** True when there is time for what should have been sent before. */
        boolean time() {
            return !phases.more() && !outcomes.sealed();
        }
    }

    BatchAccumulator(
            Outbox.Surroundings around,
            ValueSource values,
            KeySource keys,
            SentLedger ledger,
            Recorder here,
            Shared shared) {
        this.around = around;
        this.values = values;
        this.keys = keys;
        this.ledger = ledger;
        this.here = here;
        this.shared = shared;
        this.backpressure = shared.backpressure;
        this.runs = new BatchRuns(here);
    }

    /** The values that the messages are made of, for an engine that makes some ahead. */
    public ValueSource values() {
        return values;
    }

    /** True when any value made ahead does for any message, once its identity is written into it. */
    public boolean interchangeable() {
        return values.interchangeable() && keys == KeySource.KEYLESS;
    }

    public int producer() {
        return around.producer();
    }

    public int runTag() {
        return around.runTag();
    }

    /** Runs, on any thread, whenever it is worth asking {@link #departs} again before its time. */
    public void wakeBy(Runnable waker) {
        shared.phases.wakeBy(waker);
    }

    /** The topic that the next batch is for: each topic in turn, so that a batch is for one. */
    public int topic() {
        return (int) ((batches + around.producer()) % around.topics());
    }

    /** True when messages have keys. */
    public boolean keyed() {
        return keys != KeySource.KEYLESS;
    }

    /**
     * The time when the next batch should leave: now or earlier when it may be taken, later when the question should be
     * asked again then or after an acknowledgement, {@link Schedule#NEVER} when there will never be another.
     */
    public long departs(int atMost, long linger, long nowNanos) {
        most = atMost;
        lingerNanos = linger;
        shared.outcomes.sentFromHere();
        while (true) {
            if (phase.over()) {
                phase = shared.phases.after(phase);
                exhausted = false;
                if (phase.over()) {
                    here.tick(nowNanos);
                    return shared.phases.none() ? NEVER : nowNanos + Outbox.GLANCE_NANOS;
                }
            }
            long at = phase.closed() ? whenThereIsRoom(nowNanos) : whenDue(nowNanos);
            if (at != OVER && at <= nowNanos) {
                return at;
            }
            if (at != OVER) {
                here.tick(nowNanos);
                return Math.min(at, nowNanos + Outbox.GLANCE_NANOS);
            }
        }
    }

    /**
     * A batch may be taken, and the engine has no room for it: until it is, the engine holds us as a blocked call
     * would. To be told whenever it is found so: up to then the engine was the reason, also where we stood still
     * meanwhile.
     */
    public void blocked(long nowNanos) {
        if (phase.closed()) {
            return;
        }
        if (blockedNanos == NEVER) {
            blockedNanos = nowNanos;
        }
        fullNanos = nowNanos;
    }

    /** Takes the batch that should leave now. From now on its messages count as sent. */
    public void take(MessageBatch batch, long nowNanos) {
        batch.topic = topic();
        batches++;
        batch.scattered = false;
        runs.clear();
        if (claimed > 0) {
            batch.step = around.steps().stepAt(nowNanos);
            batch.count = Math.min(most, claimed);
            claimed -= batch.count;
            alike(batch, nowNanos);
        } else {
            takeDue(batch, nowNanos);
        }
        ledger.due(batch.step, batch.count);
        batch.first = ledger.next(batch.step, batch.count);
        shared.taken.lazySet(shared.taken.get() + batch.count);
    }

    /** The batch that was taken last is on its way; {@code bytes} are those of all its keys and values. */
    public void departed(MessageBatch batch, long bytes) {
        runs.record(batch.step, batch.count, bytes);
    }

    /** Makes the message of this number in the batch taken last; to be asked once for each, in order. */
    public Message message(MessageBatch batch, int number) {
        long sequence = batch.first + number;
        message.value = values.next(sequence);
        message.key = keys.next(sequence, message.value);
        message.header = !values.generated() || message.value.length < Identity.SMALLEST_VALUE;
        message.topic = batch.topic;
        message.step = batch.step;
        message.sequence = sequence;
        message.dueNanos = batch.dueNanos(number);
        Identity.write(
                message.header ? message.identity : message.value,
                around.runTag(),
                around.producer(),
                sequence,
                message.dueNanos);
        return message;
    }

    private long whenDue(long now) {
        long cut = phase.cutNanos();
        gather(0);
        if (open.isEmpty()) {
            phase.end(now);
            return OVER;
        }
        long first = open.get(0);
        if (first >= cut) {
            return now < cut ? cut : giveUp(now);
        }
        long lingered = first + lingerNanos;
        long planned = planned(0, members(lingered), lingered);
        return phase.past(now) && phase.givesUp(planned, backpressure(planned, now), now, shared.time())
                ? giveUp(now)
                : planned;
    }

    /** Nanoseconds in which the engine had no room for us, of those since then. */
    private long backpressure(long planned, long now) {
        if (blockedNanos == NEVER) {
            return backpressure.of(planned);
        }
        long blocked = now - blockedNanos - own(blockedNanos, now);
        return Math.min(now - planned, backpressure.of(Math.min(planned, blockedNanos)) + blocked);
    }

    private long whenThereIsRoom(long now) {
        long cut = phase.cutNanos();
        boolean cutOff = phase.past(now) || (now >= cut && open.isEmpty());
        if (cutOff || (exhausted && open.isEmpty())) {
            return giveUp(now);
        }
        if (now < phase.startNanos()) {
            return Math.min(phase.startNanos(), cut);
        }
        if (phase.atOnce() == PhaseSchedule.NO_LIMIT) {
            claimed = claimed > 0 ? claimed : phase.claim(most);
            return claimed > 0 ? now : giveUp(now);
        }
        long room = phase.atOnce() - shared.inFlight() - open.size();
        if (room > 0 && now < cut && !exhausted) {
            int got = phase.claim((int) room);
            exhausted = got < room;
            open.add(now, got);
        }
        if (open.isEmpty()) {
            return exhausted ? giveUp(now) : Math.min(cut, now + Outbox.GLANCE_NANOS);
        }
        long lingered = open.get(0) + lingerNanos;
        return planned(0, members(now), lingered);
    }

    /** A closed loop owes nothing: its operations are due when they are sent. */
    private long giveUp(long now) {
        if (!phase.closed()) {
            endBlocked(now);
            phase.putBack(open.toArray());
            long first = open.isEmpty() ? now : open.get(0);
            shared.phases.giveUp(phase, backpressure.of(first), lingerNanos, now);
        }
        open.clear();
        claimed = 0;
        phase.end(now);
        return OVER;
    }

    /** Knows of a message behind all that would still go into the next batch, or that there is none or no room. */
    private void gather(long untilNanos) {
        while (!exhausted && open.size() <= most) {
            if (!open.isEmpty() && open.last() > Math.max(untilNanos, open.get(0) + lingerNanos)) {
                return;
            }
            long next = phase.next();
            exhausted = next == NEVER;
            open.add(next, exhausted ? 0 : 1);
        }
    }

    /** How many of the open messages go into a batch that ends with those due then. */
    private int members(long untilNanos) {
        int count = Math.min(open.size(), most);
        int step = around.steps().stepAt(open.get(0));
        long cut = phase.cutNanos();
        while (count > 1 && !belongs(open.get(count - 1), untilNanos, cut, step)) {
            count--;
        }
        return count;
    }

    private boolean belongs(long due, long untilNanos, long cut, int step) {
        return due <= untilNanos && due < cut && around.steps().stepAt(due) == step;
    }

    /** When those from {@code from} on should have left, if they are the last ones of the batch. */
    private long planned(int from, int count, long lingered) {
        long boundary = phase.cutNanos();
        if (count < most && count < open.size()) {
            boundary = Math.min(boundary, open.get(count));
        }
        boolean full = from == 0 && count == most;
        return Math.min(full ? open.get(count - 1) : lingered, boundary);
    }

    private void takeDue(MessageBatch batch, long now) {
        if (!phase.closed()) {
            gather(now);
        }
        int count = members(now);
        batch.step = around.steps().stepAt(open.get(0));
        batch.count = count;
        if (phase.closed()) {
            takeRoom(batch);
        } else {
            takeGroups(batch, now);
        }
        open.remove(count);
    }

    private void takeRoom(MessageBatch batch) {
        if (open.get(0) == open.get(batch.count - 1)) {
            alike(batch, open.get(0));
            return;
        }
        spread(batch);
        for (int i = 0; i < batch.count; i++) {
            batch.dues[i] = open.get(i);
            batch.sents[i] = batch.dues[i];
            runs.add(batch.dues[i], 1, 0, 0, 0);
        }
    }

    /**
     * Takes messages in groups: those that were due within one linger should have left together, as a batch of their
     * own if we had been on time.
     */
    private void takeGroups(MessageBatch batch, long now) {
        spread(batch);
        int from = 0;
        while (from < batch.count) {
            long lingered = open.get(from) + lingerNanos;
            int to = from + 1;
            while (to < batch.count && open.get(to) <= lingered) {
                to++;
            }
            long planned = to == batch.count ? planned(from, to, lingered) : lingered;
            boolean called = planned <= blockedNanos && blockedNanos != NEVER;
            if (!called) {
                endBlocked(now);
            }
            long leftNanos = called ? blockedNanos : now;
            long over = Math.max(0, leftNanos - planned);
            long explained = Math.min(over, backpressure.begin(planned, leftNanos));
            for (; from < to; from++) {
                long due = open.get(from);
                batch.dues[from] = due;
                batch.sents[from] = due + over;
                runs.add(due, 1, over, explained, now - leftNanos);
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

    /**
     * Returns our own part of the time in which the engine had no room: there may have been some since we last looked.
     */
    private long own(long from, long now) {
        return around.own(Math.max(from, fullNanos), now);
    }

    private void alike(MessageBatch batch, long dueNanos) {
        batch.alike = true;
        batch.dueNanos = dueNanos;
        runs.add(dueNanos, batch.count, 0, 0, 0);
    }

    private static void spread(MessageBatch batch) {
        batch.alike = false;
        batch.reserve(batch.count);
    }
}
