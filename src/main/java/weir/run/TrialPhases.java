package weir.run;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import weir.cluster.Cluster;
import weir.cluster.admin.Topics;
import weir.judge.caveat.BrokerCount;
import weir.measure.PhaseTimes;
import weir.plan.BridgeSpec;
import weir.plan.Expectation;
import weir.plan.LoadSpec;
import weir.plan.RateSpec;
import weir.plan.TopicSpec;
import weir.plan.Variant;
import weir.plan.Verify;
import weir.plan.property.Property;
import weir.plan.trial.Trial;
import weir.probe.Footprint;
import weir.results.value.Event;
import weir.results.value.NumberFormat;
import weir.run.disturbance.Disturbances;
import weir.run.disturbance.Timeline;
import weir.run.lab.Lab;
import weir.worker.Assignment;
import weir.worker.Bridge;
import weir.worker.Finished;
import weir.worker.LoadPhase;
import weir.worker.Worker;

/** The phases of one trial, between a worker that was started and one that has told all it knows. */
final class TrialPhases {
    /** Reading back takes about as long as writing did. */
    static final Duration LONGEST_VERIFY = Duration.ofMinutes(10);

    private final RunContext run;
    private final Trial trial;
    private final Variant variant;
    private final Lab lab;
    private final AssignmentFactory assignments;
    private final TrialRecorder recorder;
    private final RunListener listener;
    private final Stage stage;
    private final BooleanSupplier stopped;

    /**
     * Everything that is up before a trial's first phase.
     *
     * @param described the properties that the brokers told before the load
     */
    record Stage(
            Cluster cluster,
            Topics topics,
            List<Property> described,
            Bridge bridge,
            Worker worker,
            Disturbances disturbances,
            Timeline timeline,
            Lab.Probing probes) {
        Stage {
            described = List.copyOf(described);
        }
    }

    TrialPhases(
            RunContext run,
            Trial trial,
            AssignmentFactory assignments,
            TrialRecorder recorder,
            Stage stage,
            BooleanSupplier stopped) {
        this.run = run;
        this.trial = trial;
        this.variant = trial.variant();
        this.lab = run.lab();
        this.assignments = assignments;
        this.recorder = recorder;
        this.listener = run.listener();
        this.stage = stage;
        this.stopped = stopped;
    }

    ConductedTrial conduct() {
        phase("prepare", Duration.ZERO);
        Assignment assignment = assignments.assignment(stage.topics(), recorder.originNanos(), stage.bridge());
        recorder.parts(assignment.parts());
        stage.worker().prepare(assignment).notes().forEach(note -> recorder.mark("note", note));
        Stream.of(variant.ackedNote(), variant.load().idleWorkers())
                .filter(note -> !note.isEmpty())
                .forEach(note -> recorder.mark("note", note));
        // Not before: into a JVM that is still on its way up, and has answered nothing yet, no profiler can be loaded.
        try (TrialProfiles profiles = trial.profiled()
                ? TrialProfiles.attach(run.experiment(), lab, stage, recorder.folder())
                : TrialProfiles.none()) {
            return load(profiles);
        }
    }

    private ConductedTrial load(TrialProfiles profiles) {
        Worker worker = stage.worker();
        Instant startedAt = lab.wall();
        if (!variant.load().backlog().none()) {
            phase("fill", Duration.ZERO);
            worker.run(LoadPhase.FILL);
        }
        if (variant.load().backlog().cold() || variant.before().contains(Variant.Before.DROP_CACHES)) {
            PageCacheShare.drop(stage.cluster(), recorder, lab::nanos);
        }
        HopelessWatch hopeless = HopelessWatch.of(variant, limits(), () -> {
            recorder.mark("refused", "what is left of the trial is left out");
            worker.stop();
        });
        if (trial.searches() && !trial.heats()) {
            recorder.watch(hopeless);
        }
        // Starting one takes up to seconds on a busy machine, which the measured phase must not wait for or lose.
        profiles.begin();
        WarmUp warmUp = new WarmUp(recorder, worker);
        if (!variant.warmup().none()) {
            listener.phase(trial, "warm-up", variant.warmup().length());
            warmUp.run(variant.warmup(), stopped);
        }
        stage.disturbances().leaders(stage.topics());
        Footprint before = worker.footprint();
        listener.phase(trial, "measure", variant.measure().length());
        BrokenWatch broken = BrokenWatch.of(variant, () -> {
            recorder.mark(
                    "stop", "three seconds in a row achieved less than 95 % or had failures: later steps are left out");
            worker.stop();
        });
        recorder.watch(broken);
        PhaseTimes measured = measured(profiles);
        recorder.unwatch(broken);
        recorder.unwatch(hopeless);
        Footprint after = worker.footprint();
        marks(measured);
        phase("drain", Duration.ZERO);
        worker.drain(drainLimit());
        // What has already been refused needs no reading back, and without brokers there is nothing to read.
        if (!hopeless.seen()
                && !stage.cluster().gone()
                && variant.verify() == Verify.TRUE
                && variant.load().target() == LoadSpec.Target.CLUSTER) {
            phase("verify", Duration.ZERO);
            worker.verify(LONGEST_VERIFY);
        }
        messagesIn();
        Finished finished = worker.finish();
        listener.metrics(trial, finished.metrics());
        return new ConductedTrial(
                startedAt,
                measured,
                finished,
                after.cpuSeconds() - before.cpuSeconds(),
                after.peakRssMib(),
                warmUp,
                EffectiveSettings.observed(
                        EffectiveSettings.of(variant, stage.cluster(), finished.properties(), stage.described()),
                        recorder.readings(),
                        recorder.second(measured.startNanos()),
                        recorder.second(measured.endNanos())),
                recorder.clocks(lab.wall(), lab.nanos()),
                taken(profiles));
    }

    /** The limits that an attempt of a search for the capacity is held against. */
    private List<Expectation> limits() {
        return run.experiment().capacities().stream()
                .filter(search -> run.experiment().searched(search).stream()
                        .anyMatch(searched -> searched.name().equals(variant.name())))
                .flatMap(search -> search.limits().stream())
                .toList();
    }

    private PhaseTimes measured(TrialProfiles profiles) {
        if (stopped.getAsBoolean()) {
            recorder.mark(Event.PHASE, "measure");
            stage.worker().stop();
            return stage.worker().run(LoadPhase.MEASURE);
        }
        PhaseTimes measured = stage.worker().run(LoadPhase.MEASURE, start -> {
            recorder.mark(start, Event.PHASE, "measure");
            stage.timeline().begin(start);
            stage.bridge().tells(start, start + firstStepNanos());
        });
        profiles.end(wall(measured.startNanos()), wall(measured.endNanos()));
        return measured;
    }

    private Instant wall(long nanos) {
        return lab.wall().plusNanos(nanos - lab.nanos());
    }

    private TrialProfiles.Taken taken(TrialProfiles profiles) {
        TrialProfiles.Taken taken = profiles.taken();
        taken.notes().forEach(listener::note);
        return taken;
    }

    /**
     * Asks the brokers how many records came in, where only ours can have: into topics that this trial made, with nothing
     * between us and them, and none of them having begun to count anew.
     */
    private void messagesIn() {
        boolean alone = variant.during().isEmpty()
                && variant.bridge() instanceof BridgeSpec.None
                && assignments.topics().values().stream().noneMatch(TopicSpec::existing);
        if (!alone
                || trial.searches()
                || stage.cluster().gone()
                || variant.load().target() != LoadSpec.Target.CLUSTER) {
            return;
        }
        List<String> names = assignments.topics().keySet().stream()
                .flatMap(topic -> stage.topics().names(topic).stream())
                .toList();
        OptionalLong counted = stage.probes().messagesIn(names);
        if (counted.isPresent()) {
            long second = (long) recorder.second(lab.nanos());
            recorder.reading(second, BrokerCount.SOURCE, BrokerCount.METRIC, (double) counted.getAsLong());
            recorder.mark(
                    "note",
                    "brokers counted " + NumberFormat.count(counted.getAsLong())
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
                            ? "all that was sent was answered within " + waited
                            : NumberFormat.count(rest.inFlight()) + " messages are still on their way after " + waited);
            recorder.mark(
                    rest.collectedNanos(),
                    Event.COLLECT,
                    "the generator collected its garbage in "
                            + NumberFormat.millis((rest.collectedNanos() - rest.flushedNanos()) / 1e6));
        }
    }

    /** The time goes where it goes at the first of the steps that rise; whatever passes later is not told apart. */
    private long firstStepNanos() {
        List<RateSpec.Step> steps = variant.load().rate().steps();
        return steps.size() > 1
                ? steps.get(0).length().toNanos()
                : Duration.ofDays(10).toNanos();
    }

    private void phase(String name, Duration expected) {
        recorder.mark(Event.PHASE, name);
        listener.phase(trial, name, expected);
    }

    /** The longest drain: none where no broker is left to answer, a short one where the trial was stopped. */
    private Duration drainLimit() {
        if (stage.cluster().gone()) {
            return Duration.ZERO;
        }
        Duration patience = Duration.ofSeconds(5);
        return stopped.getAsBoolean() && variant.drain().compareTo(patience) > 0 ? patience : variant.drain();
    }
}
