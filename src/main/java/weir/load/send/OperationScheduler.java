package weir.load.send;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import weir.measure.Recorder;
import weir.pace.Schedule;

/**
 * Decides what the sender of operations has to do next, and when. Its thread owns it; only that an operation is over
 * may be told from any thread.
 */
final class OperationScheduler {
    private static final long NEVER = Schedule.NEVER;
    private static final long IDLE_NANOS = 1_000_000_000;

    private final Outbox.Surroundings around;
    private final OperationForm form;
    private final Recorder here;
    private final Backpressure backpressure;
    private final PhaseQueue phases;
    private final Outcomes outcomes;
    private final Runnable dry;
    private final AtomicLong ended = new AtomicLong();
    private PhaseSchedule phase = PhaseSchedule.none();
    private long due;
    /** True when {@link #due} is that of the next operation. */
    private boolean asked;

    private long begun;
    private long lookedNanos;
    private volatile Thread sender = Thread.currentThread();
    private volatile boolean waiting;

    enum Next {
        OPERATION,
        END_GROUP,
        FETCH,
        NOTHING
    }

    OperationScheduler(Outbox.Surroundings around, OperationForm form, Recorder here, Operations.Shared shared) {
        this.around = around;
        this.form = form;
        this.here = here;
        this.backpressure = shared.backpressure();
        this.phases = shared.phases();
        this.outcomes = shared.outcomes();
        this.dry = shared.dry();
    }

    /** This thread carries all operations from now on. */
    void carriedHere() {
        sender = Thread.currentThread();
    }

    /** Operations that were taken. */
    long begun() {
        return begun;
    }

    /** The next operation begins; returns when it was due. */
    long take(long now) {
        asked = false;
        begun++;
        return phase.closed() ? now : due;
    }

    /** An operation that others may wait for is over. */
    void over() {
        ended.incrementAndGet();
        LockSupport.unpark(waiting ? sender : null);
    }

    /** Something that the sender waits for elsewhere has happened. */
    void wake() {
        LockSupport.unpark(sender);
    }

    /** Waits until something is to be done. */
    Next await(Operator operator, OperationGroup group) {
        while (true) {
            if (phase.over()) {
                if (!group.empty()) {
                    return Next.END_GROUP;
                }
                phase = phases.after(phase);
                asked = false;
                if (phase.over()) {
                    if (phases.none() || !phases.await(Outbox.GLANCE_NANOS / 1_000_000)) {
                        tick(now());
                        return Next.NOTHING;
                    }
                    tick(now());
                    idle(operator);
                    continue;
                }
            }
            boolean able = !form.stream() || operator.source().ready();
            // What is taken from a share is carried out, so nothing is taken before there is a record for it.
            if (!asked && (able || !phase.closed() || phase.spent())) {
                due = phase.next();
                asked = true;
            }
            long now = now();
            boolean done = asked && due == NEVER;
            boolean stageOver = done || cutOff(now);
            if (!group.empty() && (stageOver || now >= group.openUntilNanos())) {
                return Next.END_GROUP;
            }
            if (done) {
                endPhase(now);
            } else if (stageOver) {
                giveUp(now);
            } else if (able) {
                if (ready(now, group)) {
                    return Next.OPERATION;
                }
            } else {
                boolean empty = operator.source().dry();
                if (!group.empty() && (empty || !form.transactional())) {
                    return Next.END_GROUP;
                }
                if (empty) {
                    dry.run();
                    giveUp(now);
                } else {
                    return Next.FETCH;
                }
            }
        }
    }

    // A member of a group that does not ask for records gives nothing back, and others wait for what it holds.
    private void idle(Operator operator) {
        long now = now();
        boolean first = phase.endNanos() == 0;
        if (form.stream() && !first && now - lookedNanos >= IDLE_NANOS && now - phase.endNanos() >= IDLE_NANOS) {
            lookedNanos = now;
            operator.source().idle();
        }
    }

    private void endPhase(long now) {
        // A closed loop that waits for each operation waits for the last one, too.
        if (waits() && inFlight() > 0 && now < phase.cutNanos()) {
            awaitEnds();
        } else {
            phase.end(now);
            asked = false;
        }
    }

    private boolean cutOff(long now) {
        long cut = phase.cutNanos();
        if (phase.closed() || !asked || due >= cut) {
            return now >= cut;
        }
        return phase.past(now) && phase.givesUp(due, backpressure.of(due), now, !phases.more() && !outcomes.sealed());
    }

    /** True when the next operation is due now; waits a little if not. */
    private boolean ready(long now, OperationGroup group) {
        long at = phase.closed() ? phase.startNanos() : due;
        if (now < at) {
            if (at - now > Outbox.GLANCE_NANOS) {
                tick(now);
            }
            around.pacer().await(Math.min(Math.min(at, now + Outbox.GLANCE_NANOS), group.openUntilNanos()));
            return false;
        }
        if (waits() && inFlight() >= phase.atOnce()) {
            awaitEnds();
            return false;
        }
        return true;
    }

    private boolean waits() {
        return !form.grouped() && phase.closed() && phase.atOnce() != PhaseSchedule.NO_LIMIT;
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

    private void giveUp(long now) {
        // A closed loop owes nothing: its operations are due when they are carried out.
        if (!phase.closed()) {
            phase.putBack(due);
            phases.giveUp(phase, backpressure.of(asked ? due : phase.startNanos()), 0, now);
        }
        phase.end(now);
        asked = false;
    }

    private void tick(long now) {
        here.tick(now);
    }

    private long now() {
        return around.now();
    }
}
