package weir.load.send;

import java.util.Arrays;
import weir.load.message.KeySource;
import weir.load.message.Message;
import weir.load.message.ValueSource;
import weir.pace.Schedule;

/**
 * The messages of one sender in batches. The sender asks {@link #departs} when the next {@link MessageBatch} should leave,
 * and waits in its own way; then it takes the batch, calls {@link #departed}, and reports the outcome to {@link Outcomes}.
 *
 * <p>A batch opens with its first due message. It should leave when it is full, when that message has lingered, or when
 * its phase or step ends. The sender does not wake up for each message: the delay of the batch counts as the delay of each of
 * its messages. In a closed loop, messages are due when there is room for them.
 */
public final class BatchAccumulator {
    private static final long NEVER = Schedule.NEVER;
    private static final long OVER = Long.MIN_VALUE;

    private final Outbox box;
    private final PhaseQueue phases;
    private final DueQueue open = new DueQueue();
    private long[] groups = new long[3];

    private int grouped;
    private int most;
    private long lingerNanos;
    private boolean exhausted;
    private int claimed;

    private long blockedNanos = NEVER;
    private long fullNanos;

    private long batches;

    BatchAccumulator(Outbox box) {
        this.box = box;
        this.phases = box.phases;
    }

    public ValueSource values() {
        return box.values;
    }

    public boolean interchangeable() {
        return box.values.interchangeable() && box.keys == KeySource.KEYLESS;
    }

    public int producer() {
        return box.around.producer();
    }

    public int runTag() {
        return box.around.runTag();
    }

    /** Sets a callback, run on any thread, for when {@link #departs} should be asked again early. */
    public void wakeBy(Runnable waker) {
        phases.wakeBy(waker);
    }

    public int topic() {
        return (int) ((batches + box.around.producer()) % box.around.topics());
    }

    public boolean keyed() {
        return box.keys != KeySource.KEYLESS;
    }

    /**
     * Returns when the next batch should leave: a time up to now if it may be taken, a later time to ask again then or
     * after an ack, or {@link Schedule#NEVER} at the end.
     */
    public long departs(int atMost, long linger, long nowNanos) {
        most = atMost;
        lingerNanos = linger;
        box.outcomes.sentFromHere();
        while (true) {
            if (!phases.inPhase()) {
                exhausted = false;
                if (!phases.next()) {
                    box.tick(nowNanos);
                    return phases.none() ? NEVER : nowNanos + Outbox.GLANCE_NANOS;
                }
            }
            PhaseSchedule phase = phases.current;
            long at = phase.closed() ? whenThereIsRoom(phase, nowNanos) : whenDue(phase, nowNanos);
            if (at != OVER && at <= nowNanos) {
                return at;
            }
            if (at != OVER) {
                box.tick(nowNanos);
                return Math.min(at, nowNanos + Outbox.GLANCE_NANOS);
            }
        }
    }

    /**
     * Records that the engine has no room for a batch that may be taken, like a blocked call. Engines call it on every
     * such attempt: the time until then is the engine's, even if we stood still meanwhile.
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

    /** Takes the batch that should leave now; its messages count as sent from now on. */
    public void take(MessageBatch batch, long nowNanos) {
        batch.topic = topic();
        batches++;
        batch.scattered = false;
        grouped = 0;
        if (claimed > 0) {
            batch.step = box.around.steps().stepAt(nowNanos);
            batch.count = Math.min(most, claimed);
            claimed -= batch.count;
            alike(batch, nowNanos);
        } else {
            takeDue(batch, nowNanos);
        }
        box.ledger.due(batch.step, batch.count);
        batch.first = box.ledger.next(batch.step, batch.count);
        box.taken.lazySet(box.taken.get() + batch.count);
    }

    /** Records that the batch taken last has left; {@code bytes} are the total of its keys and values. */
    public void departed(MessageBatch batch, long bytes) {
        int count = batch.count;
        if (batch.alike) {
            long due = batch.dueNanos;
            box.sends.sent(batch.step, count, due, due, due, 0, bytes);
        } else {
            long size = bytes / count + bytes % count;
            int at = 0;
            for (int group = 0; group < grouped; group += 3) {
                for (; at < groups[group]; at++) {
                    long sent = batch.sents[at];
                    box.sends.sent(
                            batch.step, 1, batch.dues[at], sent, sent + groups[group + 2], groups[group + 1], size);
                    size = bytes / count;
                }
            }
        }
        box.sends.flush();
    }

    /** Makes the message with this number in the batch taken last; called once for each, in order. */
    public Message message(MessageBatch batch, int number) {
        long sequence = batch.first + number;
        box.make(sequence);
        return box.identify(batch.topic, batch.step, sequence, batch.dueNanos(number));
    }

    private long whenDue(PhaseSchedule phase, long now) {
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
        return phase.past(now) && phase.givesUp(planned, backpressure(planned, now), now, box.hasTime())
                ? giveUp(now)
                : planned;
    }

    private long backpressure(long planned, long now) {
        if (blockedNanos == NEVER) {
            return box.backpressure.of(planned);
        }
        long blocked = now - blockedNanos - own(blockedNanos, now);
        return Math.min(now - planned, box.backpressure.of(Math.min(planned, blockedNanos)) + blocked);
    }

    private long whenThereIsRoom(PhaseSchedule phase, long now) {
        long cut = phase.cutNanos();
        boolean cutOff = phase.past(now) || (now >= cut && open.isEmpty());
        if (cutOff || (exhausted && open.isEmpty())) {
            return giveUp(now);
        }
        if (now < phase.startNanos()) {
            return Math.min(phase.startNanos(), cut);
        }
        if (phase.atOnce == PhaseSchedule.NO_LIMIT) {
            claimed = claimed > 0 ? claimed : phase.claim(most);
            return claimed > 0 ? now : giveUp(now);
        }
        long room = phase.atOnce - box.inFlight() - open.size;
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

    private long giveUp(long now) {
        if (!phases.current.closed()) {
            endBlocked(now);
        }
        long first = open.isEmpty() ? now : open.get(0);
        phases.giveUp(box.backpressure.of(first), lingerNanos, now, open.toArray());
        open.clear();
        claimed = 0;
        return OVER;
    }

    private void gather(long untilNanos) {
        while (!exhausted && open.size <= most) {
            if (!open.isEmpty() && open.last() > Math.max(untilNanos, open.get(0) + lingerNanos)) {
                return;
            }
            long next = phases.current.next();
            exhausted = next == NEVER;
            open.add(next, exhausted ? 0 : 1);
        }
    }

    private int members(long untilNanos) {
        int count = Math.min(open.size, most);
        int step = box.around.steps().stepAt(open.get(0));
        long cut = phases.current.cutNanos();
        while (count > 1 && !belongs(open.get(count - 1), untilNanos, cut, step)) {
            count--;
        }
        return count;
    }

    private boolean belongs(long due, long untilNanos, long cut, int step) {
        return due <= untilNanos && due < cut && box.around.steps().stepAt(due) == step;
    }

    private long planned(int from, int count, long lingered) {
        long boundary = phases.current.cutNanos();
        if (count < most && count < open.size) {
            boundary = Math.min(boundary, open.get(count));
        }
        boolean full = from == 0 && count == most;
        return Math.min(full ? open.get(count - 1) : lingered, boundary);
    }

    private void takeDue(MessageBatch batch, long now) {
        boolean closed = phases.current.closed();
        if (!closed) {
            gather(now);
        }
        int count = members(now);
        batch.step = box.around.steps().stepAt(open.get(0));
        batch.count = count;
        if (closed && open.get(0) == open.get(count - 1)) {
            alike(batch, open.get(0));
        } else {
            batch.alike = false;
            batch.reserve(count);
            if (closed) {
                for (int i = 0; i < count; i++) {
                    batch.dues[i] = open.get(i);
                    batch.sents[i] = batch.dues[i];
                }
                group(count, 0, 0);
            } else {
                takeGroups(batch, now);
            }
        }
        open.remove(count);
    }

    /** Takes messages in groups: messages due within one linger would have left as one batch if we had been on time. */
    private void takeGroups(MessageBatch batch, long now) {
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
            long explained = Math.min(over, box.backpressure.begin(planned, leftNanos));
            for (; from < to; from++) {
                long due = open.get(from);
                batch.dues[from] = due;
                batch.sents[from] = due + over;
            }
            group(to, explained, now - leftNanos);
        }
        endBlocked(now);
        box.backpressure.call(now, now, 0);
    }

    private void group(int end, long backpressureNanos, long ofCall) {
        if (grouped == groups.length) {
            groups = Arrays.copyOf(groups, 2 * grouped);
        }
        groups[grouped++] = end;
        groups[grouped++] = backpressureNanos;
        groups[grouped++] = ofCall;
    }

    private void endBlocked(long now) {
        if (blockedNanos != NEVER) {
            box.backpressure.call(blockedNanos, now, own(blockedNanos, now));
            blockedNanos = NEVER;
        }
    }

    private long own(long from, long now) {
        return box.around.own(Math.max(from, fullNanos), now);
    }

    private static void alike(MessageBatch batch, long dueNanos) {
        batch.alike = true;
        batch.dueNanos = dueNanos;
    }

    private static final class DueQueue {
        private long[] ring = new long[1024];
        private int head;
        int size;

        boolean isEmpty() {
            return size == 0;
        }

        long get(int index) {
            return ring[(head + index) & (ring.length - 1)];
        }

        long last() {
            return get(size - 1);
        }

        void add(long due, int times) {
            while (size + times > ring.length) {
                long[] wider = Arrays.copyOf(Arrays.copyOfRange(ring, head, ring.length), 2 * ring.length);
                System.arraycopy(ring, 0, wider, ring.length - head, head);
                ring = wider;
                head = 0;
            }
            for (int i = 0; i < times; i++) {
                ring[(head + size++) & (ring.length - 1)] = due;
            }
        }

        void remove(int count) {
            head = (head + count) & (ring.length - 1);
            size -= count;
        }

        void clear() {
            size = 0;
        }

        long[] toArray() {
            long[] all = new long[size];
            Arrays.setAll(all, this::get);
            return all;
        }
    }
}
