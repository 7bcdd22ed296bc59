package weir.run;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import weir.cluster.Broker;
import weir.cluster.Cluster;
import weir.cluster.admin.Topics;
import weir.host.PageCache;
import weir.host.PageCache.Residency;
import weir.judge.caveat.BrokerCount;
import weir.judge.caveat.MachineCaveats;
import weir.measure.Balance;
import weir.measure.Count;
import weir.measure.Ledger;
import weir.measure.PhaseTimes;
import weir.measure.Steady;
import weir.measure.Steps;
import weir.plan.Expectation;
import weir.plan.LoadSpec;
import weir.plan.RateSpec;
import weir.plan.TopicSpec;
import weir.plan.Variant;
import weir.plan.Verify;
import weir.plan.WarmupSpec;
import weir.plan.property.Property;
import weir.plan.trial.Trial;
import weir.probe.Footprint;
import weir.results.WindowRow;
import weir.results.value.Event;
import weir.results.value.NumberFormat;
import weir.results.value.TrialEnd;
import weir.run.disturbance.Disturbances;
import weir.run.lab.Lab;
import weir.run.lab.TrialExtension;
import weir.worker.Assignment;
import weir.worker.Bridge;
import weir.worker.Finished;
import weir.worker.LoadPhase;
import weir.worker.Worker;

/**
 * The phases of one trial, from a started worker to the worker's final report.
 *
 * @param described the brokers' properties before the load
 */
record TrialPhases(
        RunContext run,
        Trial trial,
        AssignmentFactory assignments,
        TrialRecorder recorder,
        Cluster cluster,
        Topics topics,
        List<Property> described,
        Bridge bridge,
        Worker worker,
        Disturbances disturbances,
        Lab.ProbeActivity probes,
        Supplier<String> stopReason) {
    /** The time limit for the check of unread records. Reading takes about as long as writing. */
    static final Duration LONGEST_VERIFY = Duration.ofMinutes(10);

    TrialPhases {
        described = List.copyOf(described);
    }

    private boolean stopped() {
        return !stopReason.get().isEmpty();
    }

    TrialEnd conduct() {
        phase("prepare", Duration.ZERO);
        Assignment assignment = assignments.assignment(topics, recorder.originNanos(), bridge);
        recorder.parts(assignment.parts());
        worker.prepare(assignment).forEach(recorder::note);
        Stream.of(variant().ackedNote(), variant().load().idleWorkers())
                .filter(note -> !note.isEmpty())
                .forEach(recorder::note);
        disturbances.prepare();
        // A profiler cannot attach to a JVM that is still starting, so the extensions come now.
        List<TrialExtension> companions = run.lab()
                .companions(new TrialExtension.Stage(
                        run.experiment(),
                        trial,
                        cluster,
                        variant().load().topics().stream()
                                .filter(topic -> assignments.topics().containsKey(topic))
                                .flatMap(topic -> topics.names(topic).stream())
                                .toList(),
                        worker,
                        bridge,
                        recorder.folder()));
        try {
            return load(companions);
        } finally {
            companions.forEach(TrialExtension::close);
        }
    }

    private TrialEnd load(List<TrialExtension> companions) {
        Instant startedAt = run.lab().wall();
        if (!variant().load().backlog().none()) {
            phase("fill", Duration.ZERO);
            worker.run(LoadPhase.FILL);
        }
        if (variant().load().backlog().cold() || variant().before().contains(Variant.Before.DROP_CACHES)) {
            PageCacheShare.drop(cluster, recorder);
        }
        TrialWatch hopeless = TrialWatch.hopeless(variant(), limits(), () -> {
            recorder.mark("refused", "the rest of the trial is skipped");
            worker.stop();
        });
        if (trial.searches() && !trial.isWarmUp()) {
            recorder.watch(hopeless);
        }
        // A start takes up to seconds on a busy machine, and must not delay the measured phase.
        companions.forEach(TrialExtension::begin);
        WarmUp warmUp = warmUp();
        disturbances.leaders();
        Footprint before = worker.footprint();
        announce("measure", variant().measure().length());
        TrialWatch broken = TrialWatch.broken(variant(), () -> {
            recorder.mark(
                    "stop", "three seconds in a row achieved less than 95 % or had failures: later steps are skipped");
            worker.stop();
        });
        recorder.watch(broken);
        PhaseTimes measured = measured(companions);
        recorder.unwatch(broken);
        recorder.unwatch(hopeless);
        Footprint after = worker.footprint();
        marks(measured);
        phase("drain", Duration.ZERO);
        worker.drain(drainLimit());
        // A hopeless trial needs no check, and without brokers there is nothing to read.
        if (!hopeless.seen()
                && !cluster.gone()
                && variant().verify() == Verify.TRUE
                && variant().load().target() == LoadSpec.Target.CLUSTER) {
            phase("verify", Duration.ZERO);
            worker.verify(LONGEST_VERIFY);
        }
        messagesIn();
        Finished finished = worker.finish();
        run.listeners().each(listener -> listener.metrics(trial, finished.metrics()));
        double from = recorder.second(measured.startNanos());
        double to = recorder.second(measured.endNanos());
        List<Property> properties = EffectiveSettings.of(variant(), cluster, finished.properties(), described);
        double cpuSeconds = after.cpuSeconds() - before.cpuSeconds();
        TrialEnd end = new TrialEnd(
                startedAt.truncatedTo(ChronoUnit.MILLIS).toString(),
                new TrialEnd.WarmedUp(warmUp.seconds(measured.startNanos()), warmUp.settled()),
                measured(measured, finished.ledger()),
                new TrialEnd.Generator(cpuSeconds, after.peakRssMib(), finished.jvm()),
                stopReason.get(),
                EffectiveSettings.observed(properties, recorder.readings(), from, to),
                recorder.clocks(run.lab().wall(), run.lab().nanos()));
        companions.forEach(companion -> companion.taken().forEach(run.listeners()::note));
        return end;
    }

    private TrialEnd.Measured measured(PhaseTimes measured, Ledger ledger) {
        LoadSpec load = variant().load();
        Steps parts = recorder.parts();
        // A backlog is written before the steps that read it, so its counts are those of all steps.
        boolean backlog = load.workload() == LoadSpec.Workload.CONSUME;
        Balance all = ledger.balance(backlog ? Steps.FILL : Steps.MEASURE, Integer.MAX_VALUE);
        List<TrialEnd.Step> steps = new ArrayList<>();
        List<TrialEnd.WorkerLatency> workers = new ArrayList<>();
        for (PhaseTimes.Step step : measured.steps()) {
            steps.add(new TrialEnd.Step(
                    step.step(),
                    step.label(),
                    recorder.second(step.startNanos()),
                    recorder.second(step.endNanos()),
                    (step.endNanos() - step.startNanos()) / 1e9,
                    backlog ? all : parts.balance(ledger, step.step())));
            workers.addAll(recorder.workers(step.step()));
        }
        long lostBefore = ledger.balance(Steps.FILL, Steps.WARMUP).of(Count.LOST);
        return new TrialEnd.Measured(
                recorder.second(measured.startNanos()),
                recorder.second(measured.endNanos()),
                steps,
                all,
                lostBefore == Balance.UNKNOWN ? null : lostBefore,
                load.operates() ? ledger.atomicity() : null,
                workers,
                backlog ? List.of() : disturbed(ledger, parts));
    }

    private List<TrialEnd.Disturbed> disturbed(Ledger ledger, Steps parts) {
        List<TrialEnd.Disturbed> disturbed = new ArrayList<>();
        assignments.disturbances().forEach((name, what) -> {
            long from = what.at().toNanos();
            long to = what.length().isZero()
                    ? Long.MAX_VALUE
                    : from + what.length().toNanos();
            Balance balance = parts.balance(ledger, from, to);
            if (balance != null) {
                disturbed.add(new TrialEnd.Disturbed(name, balance));
            }
        });
        return disturbed;
    }

    /** The warm-up of a trial. With {@code counted} operations, it ends before the measured phase begins. */
    private record WarmUp(long startNanos, long endNanos, boolean counted, boolean settled) {
        static final WarmUp NONE = new WarmUp(0, 0, true, true);

        double seconds(long measuredNanos) {
            return ((counted ? endNanos : measuredNanos) - startNanos) / 1e9;
        }
    }

    private WarmUp warmUp() {
        WarmupSpec asked = variant().warmup();
        if (asked.none()) {
            return WarmUp.NONE;
        }
        announce("warm-up", asked.length());
        if (stopped()) {
            return WarmUp.NONE;
        }
        Steady steady = new Steady();
        AtomicBoolean settled = new AtomicBoolean(!asked.untilSteady());
        Consumer<WindowRow> watch = row -> {
            double latency = Double.isNaN(row.response().p50())
                    ? row.e2e().p50()
                    : row.response().p50();
            if (!settled.get() && steady.add(Math.max(row.acked(), row.received()) / row.seconds(), latency)) {
                settled.set(true);
                worker.stop();
            }
        };
        recorder.watch(watch);
        try {
            PhaseTimes ran = worker.run(LoadPhase.WARMUP, start -> recorder.mark(start, Event.PHASE, "warm-up"));
            return new WarmUp(ran.startNanos(), ran.endNanos(), asked.counted(), settled.get());
        } finally {
            recorder.unwatch(watch);
        }
    }

    private List<Expectation> limits() {
        return run.experiment().capacities().stream()
                .filter(search -> run.experiment().searched(search).stream()
                        .anyMatch(searched -> searched.name().equals(variant().name())))
                .flatMap(search -> search.limits().stream())
                .toList();
    }

    private PhaseTimes measured(List<TrialExtension> companions) {
        if (stopped()) {
            recorder.mark(Event.PHASE, "measure");
            worker.stop();
            return worker.run(LoadPhase.MEASURE);
        }
        PhaseTimes measured = worker.run(LoadPhase.MEASURE, start -> {
            recorder.mark(start, Event.PHASE, "measure");
            disturbances.begin(start);
            bridge.limitTimes(start, start + firstStepNanos());
        });
        Instant from = wall(measured.startNanos());
        Instant to = wall(measured.endNanos());
        companions.forEach(companion -> companion.end(from, to));
        return measured;
    }

    private Variant variant() {
        return trial.variant();
    }

    private Instant wall(long nanos) {
        return run.lab().wall().plusNanos(nanos - run.lab().nanos());
    }

    /** Reads the brokers' count of incoming records if only this trial wrote and no counter restarted. */
    private void messagesIn() {
        boolean alone = variant().during().isEmpty()
                && variant().bridge().none()
                && assignments.topics().values().stream().noneMatch(TopicSpec::existing);
        if (!alone || trial.searches() || cluster.gone() || variant().load().target() != LoadSpec.Target.CLUSTER) {
            return;
        }
        List<String> names = assignments.topics().keySet().stream()
                .flatMap(topic -> topics.names(topic).stream())
                .toList();
        OptionalLong counted = probes.messagesIn(names);
        if (counted.isPresent()) {
            recorder.reading(BrokerCount.SOURCE, BrokerCount.METRIC, (double) counted.getAsLong());
            recorder.note("brokers counted " + NumberFormat.count(counted.getAsLong())
                    + " records of all phases (MessagesIn)");
        }
    }

    private void marks(PhaseTimes measured) {
        long restSince = Long.MAX_VALUE;
        for (PhaseTimes.Step step : measured.steps()) {
            if (step.startNanos() > restSince) {
                recorder.mark(restSince, Event.REST, "rest");
            }
            recorder.mark(step.startNanos(), Event.STEP, step.label());
            restSince = step.endNanos();
        }
        for (PhaseTimes.Rest rest : measured.rests()) {
            String waited = NumberFormat.millis((rest.flushedNanos() - rest.startNanos()) / 1e6);
            recorder.mark(
                    rest.flushedNanos(),
                    Event.FLUSH,
                    rest.inFlight() == 0
                            ? "all sent messages were answered within " + waited
                            : NumberFormat.count(rest.inFlight()) + " messages are still unanswered after " + waited);
            recorder.mark(
                    rest.collectedNanos(),
                    Event.COLLECT,
                    "the generator collected its garbage in "
                            + NumberFormat.millis((rest.collectedNanos() - rest.flushedNanos()) / 1e6));
        }
    }

    /** Limits the times on each hop to the first rising step. */
    private long firstStepNanos() {
        List<RateSpec.Step> steps = variant().load().rate().steps();
        return steps.size() > 1
                ? steps.get(0).length().toNanos()
                : Duration.ofDays(10).toNanos();
    }

    private void phase(String name, Duration expected) {
        recorder.mark(Event.PHASE, name);
        announce(name, expected);
    }

    private void announce(String phase, Duration expected) {
        run.listeners().each(listener -> listener.phase(trial, phase, expected));
    }

    private Duration drainLimit() {
        if (cluster.gone()) {
            return Duration.ZERO;
        }
        Duration timeout = Duration.ofSeconds(5);
        return stopped() && variant().drain().compareTo(timeout) > 0
                ? timeout
                : variant().drain();
    }

    /** The share of the brokers' log segments that is in the page cache. */
    static final class PageCacheShare {
        private static final double MIB = 1 << 20;

        private PageCacheShare() {}

        /** Writes dirty pages now, because the kernel would write them half a minute later, during another measurement. */
        static void write(Cluster cluster, TrialRecorder recorder, LongSupplier clock) {
            long startNanos = clock.getAsLong();
            PageCache.write(segments(cluster).toList());
            double seconds = (clock.getAsLong() - startNanos) / 1e9;
            recorder.note("flushed written data to the disk within " + NumberFormat.seconds(seconds));
        }

        // Brokers map index files, so their pages stay; they are a thousandth of the data.
        private static Stream<Path> segments(Cluster cluster) {
            return cluster.brokers().stream()
                    .filter(Broker::here)
                    .map(Broker::data)
                    .flatMap(data -> PageCache.files(data, ".log").stream());
        }

        static void drop(Cluster cluster, TrialRecorder recorder) {
            // Brokers keep topics of earlier trials for another minute.
            List<Path> segments = segments(cluster)
                    .filter(segment -> !segment.toString().contains("-delete/"))
                    .toList();
            Residency before = PageCache.residency(segments);
            PageCache.drop(segments);
            Residency after = PageCache.residency(segments);
            recorder.reading(MachineCaveats.PAGE_CACHE, "segments.mib", after.bytes() / MIB);
            recorder.reading(MachineCaveats.PAGE_CACHE, MachineCaveats.RESIDENT, 100 * after.share());
            recorder.note(String.format(
                    Locale.ROOT,
                    "of %.1f MiB of log segments %.1f MiB were in the page cache, and after dropping them %.1f MiB",
                    after.bytes() / MIB,
                    before.residentBytes() / MIB,
                    after.residentBytes() / MIB));
        }
    }
}
