package weir.load;

import java.util.ArrayList;
import java.util.List;
import weir.load.send.PhaseShare;
import weir.load.workload.LoadParticipants;
import weir.load.workload.Workload;
import weir.measure.PhaseTimes;
import weir.measure.Steps;
import weir.pace.Schedule;
import weir.pace.StepWindow;

/** The phases in which operations are carried: fill, warm-up, measure. They follow each other on one thread. */
final class LoadPhases {
    /** The time that it takes to ask several workers for the next phase. */
    private static final long NOTICE_NANOS = 8 * LoadContext.SECOND / 10;

    private static final long SINCE_NANOS = LoadContext.SECOND / 20;

    private final LoadContext shared;
    private final Workload workload;
    private final Senders sending;
    private final Receivers reading;
    private PhaseShare share;
    private long read;
    private long readNanos;
    private volatile boolean stopped;

    LoadPhases(LoadContext shared, Workload workload, Senders sending, Receivers reading) {
        this.shared = shared;
        this.workload = workload;
        this.sending = sending;
        this.reading = reading;
        this.share = shared.plan().filling(shared.now());
    }

    PhaseTimes fill() {
        long startNanos = shared.now();
        if (shared.plan().backlogRecords() > 0) {
            begin(shared.plan().filling(startNanos), startNanos);
            while (!stopped && (!share.over() || sending.inFlight() > 0)) {
                shared.threads().pause(5);
            }
        }
        return time(startNanos, shared.now(), List.of());
    }

    PhaseTimes warmUp(long asked) {
        LoadPlan plan = shared.plan();
        long startNanos = notPast(asked);
        if (!plan.warms()) {
            return time(startNanos, startNanos, List.of());
        }
        share.cut(startNanos);
        shared.steps().begin(Steps.WARMUP, startNanos, Schedule.NEVER);
        // Asked before anything is sent: so many are sent and no more, and one that was missed would be waited for for
        // ever.
        long before = carried();
        begin(plan.warming(startNanos), startNanos);
        long toldNanos = after(startNanos, told(plan.warmupNanos()));
        long operations = plan.warmupOperations();
        long pacedNanos = after(startNanos, plan.pacingNanos());
        while (!stopped && shared.now() < toldNanos && carried() - before < operations && !ranOut()) {
            if (shared.now() >= pacedNanos) {
                share.cut(pacedNanos);
                begin(plan.pacing(pacedNanos), pacedNanos);
                pacedNanos = Schedule.NEVER;
            }
            shared.threads().pause(5);
        }
        long now = shared.now();
        long endNanos = stopped || now < toldNanos ? now : Math.max(now, after(startNanos, plan.warmupNanos()));
        return time(startNanos, endNanos, List.of(new PhaseTimes.Step(Steps.WARMUP, startNanos, endNanos, "warm-up")));
    }

    PhaseTimes measure(long asked) {
        List<StepWindow> steps = shared.plan().steps();
        long startNanos = notPast(asked);
        // First, so that nothing which the warm-up still sends can be taken for the first step's.
        share.cut(startNanos);
        List<Steps.Part> parts = shared.plan().parts().parts();
        for (int i = 0; i < parts.size(); i++) {
            Steps.Part part = parts.get(i);
            shared.steps().begin(Steps.MEASURE + i, startNanos + part.startNanos(), after(startNanos, part.endNanos()));
        }
        begin(shared.plan().measuring(startNanos), startNanos);
        StepPauses rests = new StepPauses(steps, startNanos, onItsWay(), System::gc);
        long planned = after(startNanos, steps.get(steps.size() - 1).endNanos());
        // A phase that has a length lasts so long, also when its last operation was sent a little earlier.
        while (!stopped && shared.now() < planned && !ranOut() && (planned < Schedule.NEVER || !share.over())) {
            rests.tend(shared::now);
            shared.threads().pause(5);
        }
        long now = shared.now();
        share.cut(now);
        long endNanos = planned == Schedule.NEVER && share.over() ? share.lastNanos(now) : Math.min(now, planned);
        if (!share.over() && shared.plan().idleNanos() > 0) {
            // The time in which nothing came is not what reading took.
            endNanos = Math.min(endNanos, readNanos);
        }
        if (workload.readsBacklog() && shared.plan().load().rate().closed() && planned == Schedule.NEVER && !stopped) {
            // Nor is the time until we looked. What was taken last is still being counted.
            shared.threads().pause(5);
            long takenNanos = reading.takenNanos();
            endNanos = takenNanos < startNanos ? endNanos : Math.min(endNanos, takenNanos + 1);
        }
        shared.steps().end(endNanos);
        List<PhaseTimes.Step> ran = new ArrayList<>();
        for (StepWindow step : steps) {
            long begin = startNanos + step.startNanos();
            if (begin < endNanos || ran.isEmpty()) {
                long end = Math.max(begin, Math.min(endNanos, after(startNanos, step.endNanos())));
                ran.add(new PhaseTimes.Step(Steps.MEASURE + step.step(), begin, end, step.label()));
            }
        }
        return time(startNanos, endNanos, ran, rests.over());
    }

    private StepPauses.Load onItsWay() {
        return new StepPauses.Load() {
            @Override
            public long inFlight() {
                return sending.inFlight();
            }

            @Override
            public long passed() {
                return reading.passed();
            }
        };
    }

    /** From any thread. */
    void stop() {
        stopped = true;
        shared.threads().wake();
    }

    /** Nothing is due any more. */
    void end() {
        share.cut(shared.now());
    }

    private void begin(PhaseShare next, long startNanos) {
        share = next;
        read = reading.passed();
        readNanos = startNanos;
        LoadPlan plan = shared.plan();
        LoadParticipants participants = new LoadParticipants(
                sending.outboxes(next.step() == Steps.FILL),
                plan.load().producers().count(),
                reading.inboxes(),
                plan.load().consumers().count());
        workload.begin(next, participants);
    }

    // The measured phase begins at a whole second, and who asks for it needs a moment. So that no second goes by in
    // between, a warm-up is told to be over a little before the second in which it is; its load goes on.
    static long told(long warmupNanos) {
        if (warmupNanos == Schedule.NEVER) {
            return warmupNanos;
        }
        long whole = Math.floorDiv(warmupNanos - 1, LoadContext.SECOND) * LoadContext.SECOND;
        return Math.max(whole + SINCE_NANOS, warmupNanos - NOTICE_NANOS);
    }

    /** A phase that is asked for too late begins a second later, still in step with the windows. */
    private long notPast(long startNanos) {
        long late = shared.now() - startNanos;
        return late < 0 ? startNanos : startNanos + (late / LoadContext.SECOND + 1) * LoadContext.SECOND;
    }

    private boolean ranOut() {
        boolean reads = workload.readsBacklog() && share.step() != Steps.FILL;
        boolean dry = shared.plan().streams() && share.step() != Steps.FILL && sending.dry();
        return dry || (reads && (shared.plan().idleNanos() > 0 ? idle() : reading.ranOut()));
    }

    /** True when nothing was read for as long as readers are to wait, in this phase. */
    private boolean idle() {
        long passed = reading.passed();
        if (passed != read) {
            read = passed;
            readNanos = shared.now();
        }
        return shared.now() - readNanos >= shared.plan().idleNanos();
    }

    private long carried() {
        return workload.readsBacklog() ? reading.passed() : sending.operated();
    }

    private PhaseTimes time(long startNanos, long endNanos, List<PhaseTimes.Step> ran) {
        return time(startNanos, endNanos, ran, List.of());
    }

    private PhaseTimes time(long startNanos, long endNanos, List<PhaseTimes.Step> ran, List<PhaseTimes.Rest> rests) {
        boolean ended = stopped;
        stopped = false;
        return new PhaseTimes(startNanos, endNanos, ended, ran, rests);
    }

    private static long after(long startNanos, long nanos) {
        return nanos == Schedule.NEVER ? Schedule.NEVER : startNanos + nanos;
    }
}
