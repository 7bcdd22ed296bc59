package weir.load;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.stream.IntStream;
import weir.load.send.PhaseSchedule;
import weir.load.send.PhaseShare;
import weir.measure.SingleDurations;
import weir.measure.Steps;
import weir.pace.Schedule;
import weir.pace.Schedules;
import weir.pace.StepWindow;
import weir.plan.BacklogSpec;
import weir.plan.DisturbanceSpec;
import weir.plan.LoadSpec;
import weir.plan.MeasureSpec;
import weir.plan.Rate;
import weir.plan.RateSpec;
import weir.plan.Verify;
import weir.plan.WarmupSpec;

/** The load and the phases of a trial, with the share of one worker. */
public record LoadPlan(
        LoadSpec load,
        WarmupSpec warmup,
        MeasureSpec measure,
        Collection<DisturbanceSpec> during,
        Verify verify,
        long seed,
        double meanBytes,
        int worker,
        int workers,
        int runTag,
        long originNanos,
        Steps parts) {
    private static final Duration ENDLESS = Duration.ofDays(10);

    public LoadPlan {
        during = List.copyOf(during);
    }

    List<Integer> mine(int count) {
        return IntStream.range(0, count)
                .filter(i -> i % workers == worker)
                .boxed()
                .toList();
    }

    boolean mine(String partition) {
        return Math.floorMod(partition.hashCode(), workers) == worker;
    }

    boolean reads() {
        return readsBacklog() || load.workload() == LoadSpec.Workload.DELIVER;
    }

    boolean readsBacklog() {
        return load.workload() == LoadSpec.Workload.CONSUME;
    }

    private RateSpec.Senders senders() {
        return new RateSpec.Senders(
                readsBacklog() ? load.consumers().count() : load.producers().count(), meanBytes);
    }

    boolean transactional() {
        return !load.transaction().none();
    }

    /** Returns true if figures of single readers are wanted. */
    boolean watchesReaders() {
        return reads()
                && (!load.consumers().work().none() || load.consumers().group().named());
    }

    boolean keepsSingles() {
        return load.operates() && measure.counted() && measure.operations() <= SingleDurations.MOST;
    }

    boolean streams() {
        return load.workload() == LoadSpec.Workload.STREAM;
    }

    /** Returns true if readers see complete transactions: only committed records, or only after the load. */
    boolean judgesTransactions() {
        return !transactional()
                || load.workload() != LoadSpec.Workload.DELIVER
                || "read_committed".equals(load.consumers().properties().get("isolation.level"));
    }

    long backlogRecords() {
        BacklogSpec backlog = load.backlog();
        return backlog.records() + (long) Math.ceil(backlog.size().bytes() / meanBytes);
    }

    PhaseShare filling(long startNanos) {
        return share(
                Steps.FILL,
                new RateSpec.Max(),
                new MeasureSpec.AsLongAsRates(),
                backlogRecords(),
                startNanos,
                Schedule.NEVER);
    }

    PhaseShare warming(long startNanos) {
        return warming(startNanos, warmup.rate(steady(load.rate())));
    }

    /** Returns the second, paced part of a closed loop's warm-up, because a closed loop runs no code for a rate. */
    PhaseShare pacing(long startNanos) {
        return warming(startNanos, steady(load.rate()));
    }

    long pacingNanos() {
        return warmup.rate(load.rate()).closed() && !load.rate().closed()
                ? warmup.length().toNanos() / 3 * 2
                : Schedule.NEVER;
    }

    private PhaseShare warming(long startNanos, RateSpec rate) {
        // A warm-up goes on until the measured phase begins. Its number of operations is exact only if it consumes a
        // backlog, or if both phases are counted.
        boolean exact = readsBacklog() || streams() || measure.counted();
        boolean counted = exact && warmup.counted();
        long operations = counted ? warmup.operations() : Schedule.NEVER;
        MeasureSpec length = counted ? new MeasureSpec.Operations(operations) : new MeasureSpec.For(ENDLESS);
        return share(Steps.WARMUP, rate, length, operations, startNanos, Schedule.NEVER);
    }

    long warmupNanos() {
        return warmup.counted() ? Schedule.NEVER : warmup.length().toNanos();
    }

    long warmupOperations() {
        return warmup.counted() ? warmup.operations() / workers : Schedule.NEVER;
    }

    PhaseShare measuring(long startNanos) {
        long operations = measure.counted() ? measure.operations() : Schedule.NEVER;
        long length = steps().stream().mapToLong(StepWindow::endNanos).max().orElseThrow();
        long endNanos = length == Schedule.NEVER ? Schedule.NEVER : startNanos + length;
        return share(Steps.MEASURE, load.rate(), measure, operations, startNanos, endNanos);
    }

    long idleNanos() {
        return measure.idle().toNanos();
    }

    boolean readsForeign() {
        return readsBacklog() && backlogRecords() == 0;
    }

    /** Returns the measured steps, cut at these times, in nanoseconds after the start of the measured phase. */
    public static Steps parts(LoadSpec load, MeasureSpec measure, SortedSet<Long> cuts) {
        // The times of a step do not depend on the number of senders or on the bytes.
        List<Steps.Part> whole = Schedules.steps(load.rate(), measure, new RateSpec.Senders(1, 1)).stream()
                .map(step -> new Steps.Part(Steps.MEASURE + step.step(), 0, step.startNanos(), step.endNanos()))
                .toList();
        return Steps.cut(whole, cuts);
    }

    List<StepWindow> steps() {
        return Schedules.steps(load.rate(), measure, senders());
    }

    private RateSpec steady(RateSpec rate) {
        if (rate instanceof RateSpec.Ramp ramp && ramp.from().perSecond() > 0) {
            return new RateSpec.Fixed(ramp.from(), false);
        }
        return !rate.length().isZero()
                ? new RateSpec.Fixed(
                        Rate.of(Schedules.steps(rate, new MeasureSpec.AsLongAsRates(), senders()).stream()
                                .mapToDouble(StepWindow::offeredPerSecond)
                                .filter(perSecond -> perSecond > 0)
                                .findFirst()
                                .orElse(0)),
                        false)
                : rate;
    }

    private PhaseShare share(
            int step, RateSpec rate, MeasureSpec length, long operations, long startNanos, long endNanos) {
        Schedule whole = rate.closed() ? Schedule.CLOSED : Schedules.of(rate, length, senders(), seed + step);
        int atOnce = rate instanceof RateSpec.AtATime some ? some.operations() : PhaseSchedule.NO_LIMIT;
        return new PhaseShare(
                new PhaseShare.Plan(step, whole, atOnce, operations, startNanos, endNanos, worker, workers));
    }
}
