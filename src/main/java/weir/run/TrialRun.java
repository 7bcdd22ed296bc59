package weir.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import weir.cluster.Broker;
import weir.cluster.Cluster;
import weir.cluster.EmbeddedCluster;
import weir.cluster.Partition;
import weir.cluster.Topics;
import weir.host.Children;
import weir.measure.Balance;
import weir.plan.BacklogSpec;
import weir.plan.ClusterSpec;
import weir.plan.Experiment;
import weir.plan.GroupSpec;
import weir.plan.LoadSpec;
import weir.plan.MeasureSpec;
import weir.plan.Property;
import weir.plan.Secrets;
import weir.plan.TopicSpec;
import weir.plan.Trial;
import weir.plan.Variant;
import weir.plan.WarmupSpec;
import weir.probe.Footprint;
import weir.probe.Probes;
import weir.probe.Sampler;
import weir.results.Event;
import weir.results.TrialWriter;
import weir.worker.Assignment;
import weir.worker.Drained;
import weir.worker.Finished;
import weir.worker.LocalWorker;
import weir.worker.Stage;
import weir.worker.StageEnd;
import weir.worker.Worker;
import weir.worker.WorkerJvm;

/** Conducts one trial: its topics, its worker, its phases. */
final class TrialRun {
    private final Experiment experiment;
    private final Trial trial;
    private final Variant variant;
    private final Children children;
    private final Cluster cluster;
    private final TrialWriter writer;
    private final RunListener listener;
    private final int runTag;
    private final List<EmbeddedCluster.Death> deaths = new CopyOnWriteArrayList<>();
    private final long originNanos = System.nanoTime();
    private final long originMillis = System.currentTimeMillis();
    private final Tally tally;
    private volatile @Nullable Worker worker;
    private volatile String stopReason = "";

    TrialRun(
            Experiment experiment,
            Trial trial,
            Children children,
            Cluster cluster,
            TrialWriter writer,
            RunListener listener,
            double maxRate,
            int runTag) {
        this.experiment = experiment;
        this.trial = trial;
        this.variant = trial.variant();
        this.children = children;
        this.cluster = cluster;
        this.writer = writer;
        this.listener = listener;
        this.runTag = runTag;
        this.tally = new Tally(writer, originNanos, originMillis, row -> listener.window(trial, row));
        if (maxRate > 0) {
            tally.watch(row -> {
                if (row.acked() > maxRate) {
                    stop(String.format(Locale.ROOT, "a second took %,d records, above --max-rate", row.acked()));
                }
            });
        }
    }

    /** All that a finished trial leaves in memory, for the figures to be made of. */
    record Outcome(
            Instant startedAt,
            boolean backlog,
            Tally tally,
            StageEnd measured,
            Drained drained,
            Finished finished,
            Usage generator,
            boolean settled,
            double warmedUpSeconds,
            String stopReason,
            List<EmbeddedCluster.Death> deaths,
            List<Property> properties,
            double wallMillis,
            double steadyMillis) {
        int lastStep() {
            return measured.steps().get(measured.steps().size() - 1).step();
        }

        /** A backlog is written before the steps that read it, so its account is that of all steps. */
        Balance balance(int first, int last) {
            return backlog
                    ? finished.ledger().balance(weir.measure.Steps.FILL, lastStep())
                    : finished.ledger().balance(first, last);
        }

        Balance balance() {
            return balance(weir.measure.Steps.MEASURE, lastStep());
        }
    }

    /** What the generator used in the measured phase. */
    record Usage(double cpuSeconds, double rssMib) {}

    /** From another thread: keeps what was measured so far and comes to an end. */
    void stop(String reason) {
        if (stopReason.isEmpty()) {
            stopReason = reason;
            tally.mark("stopped", reason);
        }
        Worker running = worker;
        if (running != null) {
            running.stop();
        }
    }

    Outcome conduct() {
        if (cluster instanceof EmbeddedCluster embedded) {
            embedded.onDeath(this::died);
        }
        try (Topics topics = Topics.on(cluster, naming(), children.journal())) {
            topics.create(used());
            known(topics);
            try (Sampler sampler = Sampler.start(
                            originNanos, r -> tally.reading(r.second(), r.source(), r.metric(), r.value()));
                    Worker started =
                            LocalWorker.start(children, jvm(), writer.path().resolve("worker.log"), tally);
                    Guard guard = new Guard(data(), underReplicated(topics), this::stop)) {
                worker = started;
                guard.start();
                watch(sampler, started);
                Outcome outcome = phases(started, topics);
                tally.flush();
                return outcome;
            } finally {
                worker = null;
                topics.delete();
            }
        }
    }

    // Brokers ignore what they do not know; then the trial would not be the one that was asked for.
    private void known(Topics topics) {
        if (variant.cluster() instanceof ClusterSpec.Embedded asked) {
            Set<String> unknown = new TreeSet<>(asked.broker().keySet());
            asked.brokers().forEach(broker -> unknown.addAll(broker.broker().keySet()));
            unknown.retainAll(topics.unknownBrokerProperties());
            if (!unknown.isEmpty()) {
                throw new PreflightException("cluster.broker: the brokers of Kafka " + asked.kafka() + " do not know "
                        + String.join(", ", unknown) + "; leave it out, or correct its name");
            }
        }
    }

    private Outcome phases(Worker started, Topics topics) {
        phase("prepare", Duration.ZERO);
        started.prepare(assignment(topics)).notes().forEach(note -> tally.mark("note", note));
        Instant startedAt = Instant.now();
        if (!(variant.load().backlog() instanceof BacklogSpec.None)) {
            phase("fill", Duration.ZERO);
            started.run(Stage.FILL);
        }
        WarmUp warmUp = new WarmUp(tally, started);
        if (!(variant.warmup() instanceof WarmupSpec.None)) {
            phase("warm-up", expected(variant.warmup()));
            warmUp.run(variant.warmup(), this::stopped);
        }
        Footprint before = footprint(started);
        phase("measure", expected(variant.measure()));
        BrokenWatch broken = BrokenWatch.of(variant.load().rate(), started, tally);
        StageEnd measured = stopped() ? stoppedAtOnce(started) : started.run(Stage.MEASURE);
        broken.close();
        Footprint after = footprint(started);
        marks(measured);
        phase("drain", Duration.ZERO);
        Drained drained = started.drain(stopped() ? shorter(variant.drain()) : variant.drain());
        if (variant.verify()) {
            phase("verify", Duration.ZERO);
            started.verify(verifyLimit());
        }
        Finished finished = started.finish();
        return new Outcome(
                startedAt,
                variant.load().workload() == LoadSpec.Workload.CONSUME,
                tally,
                measured,
                drained,
                finished,
                new Usage(after.cpuSeconds() - before.cpuSeconds(), after.peakRssMib()),
                warmUp.settled(),
                warmUp.seconds(),
                stopReason,
                List.copyOf(deaths),
                properties(topics, finished),
                System.currentTimeMillis() - originMillis,
                (System.nanoTime() - originNanos) / 1e6);
    }

    private void marks(StageEnd measured) {
        long restSince = Long.MAX_VALUE;
        for (StageEnd.Step step : measured.steps()) {
            if (step.startNanos() > restSince) {
                tally.mark(restSince, Event.REST, "rest");
            }
            tally.mark(step.startNanos(), Event.STEP, step.label());
            restSince = step.endNanos();
        }
    }

    private StageEnd stoppedAtOnce(Worker started) {
        started.stop();
        return started.run(Stage.MEASURE);
    }

    private boolean stopped() {
        return !stopReason.isEmpty();
    }

    private void phase(String name, Duration expected) {
        tally.mark(Event.PHASE, name);
        listener.phase(trial, name, expected);
    }

    private static Duration expected(WarmupSpec warmup) {
        if (warmup instanceof WarmupSpec.For f) {
            return f.length();
        }
        if (warmup instanceof WarmupSpec.ForAt f) {
            return f.length();
        }
        if (warmup instanceof WarmupSpec.UntilSteady steady) {
            return steady.max();
        }
        return Duration.ZERO;
    }

    private static Duration expected(MeasureSpec measure) {
        return measure instanceof MeasureSpec.For f ? f.length() : Duration.ZERO;
    }

    private static Duration shorter(Duration limit) {
        Duration patience = Duration.ofSeconds(5);
        return limit.compareTo(patience) < 0 ? limit : patience;
    }

    /** Reading back takes about as long as writing did. */
    private static Duration verifyLimit() {
        return Duration.ofMinutes(10);
    }

    private void died(EmbeddedCluster.Death death) {
        deaths.add(death);
        tally.mark(death.node() + " died", String.join(" / ", death.lastLines()));
        listener.note(String.format(
                "%s died with exit code %d after %d s; last lines of %s:%n  %s",
                death.node(),
                death.exitCode(),
                death.after().toSeconds(),
                death.log(),
                String.join("\n  ", death.lastLines())));
        if (cluster.brokers().stream().noneMatch(broker -> broker.pid() > 0)) {
            stop("no broker is left");
        }
    }

    private WorkerJvm jvm() {
        List<String> jars = variant.cluster() instanceof ClusterSpec.External external
                ? external.classpath().stream().map(Path::toString).toList()
                : List.of();
        return WorkerJvm.of(variant.load(), jars);
    }

    private Assignment assignment(Topics topics) {
        SortedMap<String, List<String>> names = new TreeMap<>();
        used().keySet().forEach(topic -> names.put(topic, topics.names(topic)));
        SortedMap<String, String> client =
                new TreeMap<>(Secrets.resolve(variant.cluster().client()));
        client.putAll(cluster.clientProperties());
        String group = variant.load().group() instanceof GroupSpec.Named named ? groupName(named.name()) : "";
        return new Assignment(
                variant.resolved(),
                trial.number(),
                0,
                1,
                runTag,
                variant.seed() + trial.number(),
                originNanos,
                client,
                Secrets.resolve(variant.load().producer()),
                Secrets.resolve(variant.load().consumer()),
                names,
                group,
                folder().toString());
    }

    private Path folder() {
        Path parent = experiment.file().toAbsolutePath().getParent();
        return parent == null ? Path.of("/") : parent;
    }

    private String groupName(String name) {
        return "weir-" + experiment.name() + "-" + trial.number() + "-" + name;
    }

    // A cluster of our own shows the names of the file; on one that is not ours nothing may collide.
    private UnaryOperator<String> naming() {
        return cluster instanceof EmbeddedCluster
                ? name -> name
                : name -> "weir-" + experiment.name() + "-" + Integer.toHexString(runTag) + "-" + trial.number() + "-"
                        + name;
    }

    private SortedMap<String, TopicSpec> used() {
        SortedMap<String, TopicSpec> used = new TreeMap<>(variant.topics());
        if (!variant.load().topics().isEmpty()) {
            used.keySet().retainAll(variant.load().topics());
        }
        return used;
    }

    private Supplier<List<Partition>> underReplicated(Topics topics) {
        return cluster instanceof EmbeddedCluster ? List::of : topics::underReplicated;
    }

    private Path data() {
        return cluster.brokers().stream()
                .filter(broker -> broker.pid() > 0)
                .map(Broker::data)
                .findFirst()
                .orElse(writer.path());
    }

    private void watch(Sampler sampler, Worker started) {
        try {
            sampler.watch("host", Probes.host(data()));
        } catch (IOException e) {
            throw new UncheckedIOException("looking at the disk behind " + data(), e);
        }
        for (Broker broker : cluster.brokers()) {
            if (broker.pid() > 0) {
                sampler.watch("broker-" + broker.id(), Probes.broker(broker.pid()));
            }
        }
        sampler.watch("generator", Probes.jvm(started.pid()));
    }

    private static Footprint footprint(Worker started) {
        try {
            return Footprint.of(started.pid());
        } catch (IOException e) {
            throw new UncheckedIOException("asking what the worker has used", e);
        }
    }

    private List<Property> properties(Topics topics, Finished finished) {
        List<Property> all = new ArrayList<>(finished.properties());
        SortedMap<String, String> asked =
                variant.cluster() instanceof ClusterSpec.Embedded embedded ? embedded.broker() : new TreeMap<>();
        for (Topics.Property p : topics.properties(asked)) {
            Property.Source source = p.requested().isEmpty() ? Property.Source.DEFAULT : Property.Source.YOURS;
            all.add(new Property(p.of(), p.name(), p.requested(), p.effective(), p.byDefault(), source));
        }
        return all;
    }
}
