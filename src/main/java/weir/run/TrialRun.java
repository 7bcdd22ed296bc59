package weir.run;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import weir.cluster.Broker;
import weir.cluster.Cluster;
import weir.cluster.ClusterUnavailable;
import weir.cluster.NodeDeath;
import weir.cluster.admin.Topics;
import weir.cluster.admin.Topics.TopicPartitionLeader;
import weir.host.Child;
import weir.host.FreeDiskSpace;
import weir.host.Leftovers;
import weir.host.Leftovers.ResourceType;
import weir.measure.Steps;
import weir.plan.DisturbanceSpec;
import weir.plan.Expectation;
import weir.plan.Experiment;
import weir.plan.LoadSpec;
import weir.plan.PlacedSpec;
import weir.plan.Variant;
import weir.plan.property.Property;
import weir.plan.property.ResolvedSecrets;
import weir.plan.trial.Demand;
import weir.plan.trial.Trial;
import weir.results.TrialWriter;
import weir.results.UnwritableDisk;
import weir.results.value.Event;
import weir.results.value.GeneratorResult;
import weir.results.value.HostFacts;
import weir.results.value.TrialConditions;
import weir.results.value.TrialEnd;
import weir.run.AssignmentFactory.FurtherLoads;
import weir.run.Exit.BrokersGone;
import weir.run.SearchLoop.RunFacts;
import weir.run.disturbance.Disturbances;
import weir.run.disturbance.DisturbedTrial;
import weir.run.disturbance.TrialNotes;
import weir.run.lab.Lab;
import weir.time.TimeLimit;
import weir.worker.Bridge;
import weir.worker.BridgeDeath;
import weir.worker.GivenBridge;
import weir.worker.Worker;
import weir.worker.WorkerFailed;

/** One trial with its topics, its workers and its phases. */
final class TrialRun {
    /** The factor on the planned length, because a phase ends with the last, possibly late answer. */
    private static final int LATE = 2;

    /** The limit for steps without their own limit: sending files, assigning partitions, fetching a ledger. */
    private static final Duration BESIDE = Duration.ofMinutes(30);

    private final RunContext run;
    private final Experiment experiment;
    private final Trial trial;
    private final Variant variant;
    private final Lab lab;
    private final Cluster cluster;
    private final TrialWriter writer;
    private final AssignmentFactory assignments;
    private final long originNanos;
    private final TrialRecorder recorder;
    private volatile @Nullable Worker worker;
    private volatile String stopReason = "";
    private volatile String lost = "";
    private volatile boolean outOfSight;
    /** True if a broker died because of a full disk, which breaks no promise of Kafka. */
    private volatile boolean diskFull;

    private final List<String> left = new ArrayList<>();
    private final List<String> groups = new ArrayList<>();

    TrialRun(RunContext run, Trial trial, Cluster cluster, TrialWriter writer) {
        this.run = run;
        this.experiment = run.experiment();
        this.trial = trial;
        this.variant = trial.variant();
        this.lab = run.lab();
        this.cluster = cluster;
        this.writer = writer;
        // Two simultaneous runs of one experiment must have different tags.
        this.assignments = new AssignmentFactory(experiment, trial, cluster, new SecureRandom().nextInt());
        // Phases begin at whole seconds, and a warm worker needs only half a second.
        int passed = keepsWorkerWarm() && lab.warm() ? 500 : 0;
        this.originNanos = lab.nanos() - passed * 1_000_000L;
        long originMillis = lab.wall().toEpochMilli() - passed;
        this.recorder = new TrialRecorder(trial, writer, lab::nanos, originNanos, originMillis, run.listeners());
        double maxRate = trial.searches() ? 0 : run.options().maxRate();
        if (maxRate > 0) {
            // A schedule below the limit exceeds it only when it makes up for a time in which nothing could be sent.
            boolean scheduled = Preflight.highest(variant) <= maxRate;
            recorder.watch(row -> {
                if (row.acked() > maxRate && !(scheduled && row.step() != Steps.FILL)) {
                    stop(String.format(Locale.ROOT, "one second had %,d records, above --max-rate", row.acked()));
                }
            });
        }
    }

    private void note(String text) {
        run.listeners().note(text);
    }

    /** Ends the trial, which keeps its measurements. Another thread may call it. */
    void stop(String reason) {
        if (stopReason.isEmpty()) {
            stopReason = reason;
            recorder.mark("stopped", reason);
        }
        endPhase();
    }

    private void endPhase() {
        Worker running = worker;
        if (running != null) {
            running.stop();
        }
    }

    TrialEnd conduct(GeneratorResult generator, List<Expectation> limits, boolean firstOfMany) {
        cluster.onDeath(this::died);
        List<Path> folders = cluster.data();
        Path data = folders.isEmpty() ? writer.path() : folders.get(0).resolveSibling("");
        try (Topics topics = lab.topics(cluster, assignments.naming())) {
            transactions(topics);
            try {
                topics.create(assignments.topics());
                EffectiveSettings.refuseUnknown(variant, topics::unknownBrokerProperties);
                // The query comes before the load: later, it would disturb, or no broker might answer.
                List<Property> described = new ArrayList<>(topics.properties(recorder::note));
                if (variant.load().consumers().group().shares()) {
                    described.addAll(topics.groups().properties(assignments.group(), recorder::note));
                    EffectiveSettings.shareLimits(described).ifPresent(recorder::note);
                }
                writer.conditions(conditions(generator, limits, firstOfMany, described));
                groups.addAll(assignments.strayGroups());
                groups.forEach(group -> lab.journal().resource(journaled(group)));
                return conduct(topics, data, described);
            } catch (RuntimeException e) {
                RuntimeException failure = cluster.gone() && !outOfSight ? gone(e) : e;
                recorder.failed(failure, run.secrets().text(String.valueOf(failure.getMessage())));
                throw failure;
            } finally {
                worker = null;
                if (!cluster.gone()) {
                    leave(topics);
                }
            }
        } catch (RuntimeException e) {
            left.forEach(line -> note("clean-up: " + line));
            throw e;
        }
    }

    private RuntimeException gone(RuntimeException e) {
        return diskFull
                ? new ClusterUnavailable("no broker is left, because its disk is full (" + e.getMessage() + ")")
                : new BrokersGone(e);
    }

    @SuppressWarnings("try")
    private TrialEnd conduct(Topics topics, Path data, List<Property> described) {
        try (Bridge bridge = bridge(topics);
                Lab.ProbeActivity probes = lab.probes(
                        cluster, variant.cluster().metrics(), data, originNanos, recorder::reading, this::unseen);
                Disturbances disturbances = new Disturbances(
                        new DisturbedTrial(
                                experiment,
                                variant,
                                lab,
                                cluster,
                                topics,
                                bridge,
                                probes,
                                new FurtherLoads(
                                        assignments, lab, writer.path(), originNanos, new CleanUp(run.secrets(), left)),
                                writer.path(),
                                data,
                                recorder),
                        this::stop,
                        this::endPhase);
                Lab.Activity elsewhere = lab.sampleOtherHosts(variant, cluster, originNanos, recorder, this::lost);
                Worker started = worker();
                Lab.Activity guard = lab.everySecond(
                        new DiskGuard(lab, List.of(data, writer.path()), underReplicated(topics), this::stop));
                Lab.Activity growth = growth(topics);
                Lab.Activity looks = looks(bridge)) {
            worker = started;
            bridge.onDeath(this::died);
            bridge.processes().forEach(probes::watch);
            TrialEnd conducted = new TrialPhases(
                            run,
                            trial,
                            assignments,
                            recorder,
                            cluster,
                            topics,
                            described,
                            bridge,
                            started,
                            disturbances,
                            probes,
                            () -> stopReason)
                    .conduct();
            if (!lost.isEmpty()) {
                throw new WorkerFailed(lost);
            }
            if (trial.isWarmUp()) {
                TrialPhases.PageCacheShare.write(cluster, recorder, lab::nanos);
            }
            recorder.flush();
            return conducted;
        }
    }

    /**
     * True if the next trial uses the worker of this trial with its compiled code. This applies to trials of a search,
     * which form one answer, and to trials of a short form, which give no answer.
     */
    private boolean keepsWorkerWarm() {
        boolean same = trial.searches() || experiment.shortened();
        return same && variant.load().processes() == 1 && !placed().remote();
    }

    private Worker worker() {
        int processes = variant.load().processes();
        return keepsWorkerWarm()
                ? lab.warmWorker(assignments.jvm(), writer.path().resolve("worker.log"), recorder)
                : lab.worker(placed(), assignments.jvm(), processes, writer.path(), longest(variant), recorder);
    }

    /** Ends open transactions of a killed worker, for which readers of committed records would wait. */
    private void leave(Topics topics) {
        CleanUp cleanUp = new CleanUp(run.secrets(), left);
        if (transactional() && !assignments.idsChosen()) {
            cleanUp.step(() -> topics.transactionalIds().end(assignments.ids()));
        }
        groups.forEach(group -> cleanUp.step(() -> leave(topics, group)));
        cleanUp.step(topics::delete);
        left.forEach(line -> recorder.mark(Event.LEFT, line));
    }

    List<HostFacts> hosts() {
        int processes = variant.load().processes();
        List<HostFacts> all = new ArrayList<>();
        all.add(RunFacts.here(placed().remote() ? 0 : processes, brokersHere(), variant.others(String::isEmpty)));
        all.addAll(lab.otherHosts(variant, cluster));
        return all;
    }

    private List<Integer> brokersHere() {
        return cluster.brokers().stream().filter(Broker::here).map(Broker::id).toList();
    }

    private PlacedSpec placed() {
        return variant.load().placed();
    }

    private TrialConditions conditions(
            GeneratorResult generator, List<Expectation> limits, boolean firstOfMany, List<Property> described) {
        return new TrialConditions(
                limits,
                generator,
                hosts(),
                cluster.fileSystem(),
                cluster.unlimitedWriteback(),
                firstOfMany,
                Forwarders.of(cluster, described),
                described);
    }

    private void leave(Topics topics, String group) {
        try {
            if (!topics.groups().delete(group)) {
                recorder.note("group '" + group + "' stays on " + cluster.bootstrap() + " until Kafka expires it"
                        + " (offsets.retention.minutes): this principal lacks DELETE on it");
            }
            lab.journal().resourceGone(journaled(group));
        } catch (ClusterUnavailable e) {
            throw new ClusterUnavailable(
                    "group '" + group + "' is left on " + cluster.bootstrap() + ": " + e.getMessage()
                            + "; 'weir doctor --clean' deletes it",
                    e);
        }
    }

    private Leftovers.Resource journaled(String group) {
        return new Leftovers.Resource(ResourceType.GROUP, cluster.bootstrap(), group);
    }

    private boolean transactional() {
        return !variant.load().transaction().none();
    }

    private void transactions(Topics topics) {
        if (!transactional()) {
            return;
        }
        // In a shared topic, open transactions block other readers.
        String ids = assignments.shares() ? assignments.idsOfAnyRun() : assignments.ids();
        List<String> taken =
                assignments.idsChosen() ? List.of() : topics.transactionalIds().inUse(ids);
        if (!taken.isEmpty()) {
            throw new PreflightException("transactional ids " + String.join(", ", taken)
                    + " are in use: another run of this experiment uses the cluster, or was killed less than"
                    + " transaction.timeout.ms ago; wait for its end, or rename this experiment");
        }
        int level = topics.feature("transaction.version");
        recorder.note(
                "transaction.version " + level + (level == 2 ? ": each transaction has an epoch of its own" : ""));
    }

    /** Counts all appended records, including a client's own, for the comparison of paths. */
    private Lab.Activity growth(Topics topics) {
        boolean bridged = experiment.variants().stream()
                .anyMatch(one ->
                        one.bridge().instances() > 0 || !one.bridge().url().isEmpty());
        if (!bridged || variant.load().target() == LoadSpec.Target.NULL) {
            return () -> {};
        }
        return lab.everySecond(new LogGrowth(lab::nanos, topics::appended, recorder));
    }

    private Lab.Activity looks(Bridge bridge) {
        if (variant.bridge().processes().isEmpty()) {
            return () -> {};
        }
        Runnable look = () -> bridge.markEvents(recorder::mark);
        Lab.Activity looks = lab.everySecond(look);
        return () -> {
            looks.close();
            // A load that is refused at once may end within the first second.
            look.run();
        };
    }

    private Bridge bridge(Topics topics) {
        boolean other = variant.load().producers().engine() == LoadSpec.Engine.OTHER;
        if (variant.load().target() == LoadSpec.Target.NULL) {
            return other ? lab.nullServer(writer.path()) : new GivenBridge(List.of());
        }
        return variant.bridge().none()
                ? new GivenBridge(List.of())
                : lab.bridge(assignments.bridge(topics, originNanos, writer.path(), recorder), longest(variant));
    }

    private void unseen(String brokers, String why) {
        recorder.mark(brokers + Event.UNSEEN, why);
        note(brokers + " can no longer be monitored: " + why);
    }

    /** Marks a lost host, which does not count as a broken promise of Kafka. */
    private void lost(String host, String why) {
        String reason = run.secrets().text(why);
        recorder.mark(host + Event.LOST, reason);
        note(host + " is lost: " + reason);
    }

    private void died(NodeDeath death) {
        List<String> lines =
                death.lastLines().stream().map(run.secrets()::text).collect(Collectors.toCollection(ArrayList::new));
        if (death.unseen()) {
            outOfSight = true;
        } else {
            if (FreeDiskSpace.full(death.log())) {
                // On a full disk, the broker's own last line may be missing too.
                lines.add("the log ends here: " + UnwritableDisk.NO_ROOM);
            }
            diskFull |= lines.stream().anyMatch(UnwritableDisk::reportedIn);
            recorder.mark(death.node() + Event.DIED, String.join(" / ", lines));
        }
        note(String.format(
                "%s died: it %s after %d s; last lines of %s:%n  %s",
                death.node(),
                Child.ending(death.exitCode()),
                death.after().toSeconds(),
                death.log(),
                String.join("\n  ", lines)));
        if (cluster.gone()) {
            stop("no broker is left");
        }
    }

    private void died(BridgeDeath death) {
        String why = "it " + Child.ending(death.exitCode());
        String lines = run.secrets().text(String.join(" / ", death.lastLines()));
        recorder.mark(death.server() + Event.ENDED, lines.isEmpty() ? why : why + "; last lines of its log: " + lines);
        note(death.server() + " died: " + why + (lines.isEmpty() ? "" : "; last lines of its log: " + lines));
        if (death.unseen()) {
            lost = death.server() + ": " + lines;
            stop("the host of " + death.server() + " is lost");
        }
    }

    private Supplier<List<TopicPartitionLeader>> underReplicated(Topics topics) {
        boolean changed = variant.during().values().stream().anyMatch(DisturbanceSpec.Operation.class::isInstance);
        return cluster.startedByWeir() || changed ? List::of : topics::underReplicated;
    }

    /**
     * The clean-up after a trial. If an action fails, {@code left} gets the reason and the next action runs. A failed
     * action changes neither the measurements nor the reason of a failed trial.
     */
    record CleanUp(ResolvedSecrets secrets, List<String> left) {
        void step(Runnable step) {
            try {
                step.run();
            } catch (RuntimeException e) {
                left.add(secrets.text(String.valueOf(e.getMessage())));
            }
        }
    }

    /**
     * The time limit for a trial's workers, after which they count as stuck. {@link TimeLimit#NEVER} if the load counts
     * operations or takes its rates from a file, because its duration is unknown.
     */
    static Duration longest(Variant variant) {
        boolean filled = !variant.load().backlog().none();
        if (filled
                || variant.warmup().counted()
                || variant.measure().counted()
                || (variant.load().rate().timed()
                        && variant.load().rate().steps().isEmpty())) {
            return TimeLimit.NEVER;
        }
        return variant.warmup()
                .length()
                .plus(Demand.length(variant))
                .multipliedBy(LATE)
                .plus(variant.drain())
                .plus(TrialPhases.LONGEST_VERIFY)
                .plus(BESIDE);
    }

    /**
     * The growth of the log by any writer, from end offsets once a second. A second without an answer has no reading;
     * the next reading is for the whole time since the last answer.
     */
    static final class LogGrowth implements Runnable {
        private static final double SECOND = 1e9;

        private final LongSupplier nanos;
        private final LongSupplier appended;
        private final TrialNotes notes;
        private long countBefore = -1;
        private long nanosBefore;
        private boolean failed;

        LogGrowth(LongSupplier nanos, LongSupplier appended, TrialNotes notes) {
            this.nanos = nanos;
            this.appended = appended;
            this.notes = notes;
        }

        @Override
        public void run() {
            long asked = nanos.getAsLong();
            long count;
            try {
                count = appended.getAsLong();
            } catch (RuntimeException unknown) {
                if (!Thread.currentThread().isInterrupted() && !failed) {
                    failed = true;
                    notes.mark(asked, "note", "the end offsets could not be read: " + unknown.getMessage());
                }
                return;
            }
            // The broker took the offsets at an unknown time between question and answer.
            long now = asked + (nanos.getAsLong() - asked) / 2;
            if (countBefore >= 0 && now > nanosBefore) {
                notes.reading("log", "appended.per.s", (count - countBefore) * SECOND / (now - nanosBefore));
            }
            countBefore = count;
            nanosBefore = now;
        }
    }
}
