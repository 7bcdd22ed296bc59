package weir.run;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AppenderBase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import weir.cluster.ClientReferences;
import weir.cluster.Cluster;
import weir.cluster.ClusterUnavailable;
import weir.cluster.FaultInjection;
import weir.host.HostUnavailable;
import weir.host.Journal;
import weir.host.OwnedFolders;
import weir.io.Io;
import weir.judge.caveat.CaveatCollector;
import weir.judge.caveat.MachineCaveats;
import weir.measure.Canary;
import weir.plan.Experiment;
import weir.plan.PlacedSpec;
import weir.plan.SearchSpec;
import weir.plan.Variant;
import weir.plan.property.ResolvedSecrets;
import weir.plan.trial.Estimate;
import weir.plan.trial.ExtraTrials;
import weir.probe.Probes;
import weir.results.CanaryResults;
import weir.results.Machine;
import weir.results.RequestedExperiment;
import weir.results.RunFolder;
import weir.results.RunLabels;
import weir.results.RunResult;
import weir.results.UnwritableDisk;
import weir.results.value.Caveat;
import weir.run.SearchLoop.RunFacts;
import weir.run.lab.Lab;
import weir.run.lab.ProcessLab;
import weir.worker.WorkerFailed;

/** The conductor of one experiment, which runs the trials in order and draws the conclusion. */
public final class Runner {
    private final Experiment experiment;
    private final RunOptions options;
    private final RunListeners listeners;
    private final Lab.Opener labs;
    private final List<Caveat> caveats = new ArrayList<>();
    private ResolvedSecrets secrets = ResolvedSecrets.NONE;
    private volatile @Nullable SearchLoop running;
    private volatile boolean interrupted;

    public Runner(Experiment experiment, RunOptions options, RunListener listener) {
        this(experiment, options, listener, ProcessLab::open);
    }

    public Runner(Experiment experiment, RunOptions options, RunListener listener, Lab.Opener labs) {
        this(experiment, options, new RunListeners(listener, List.of()), labs);
    }

    public Runner(Experiment experiment, RunOptions options, RunListeners listeners, Lab.Opener labs) {
        this.labs = labs;
        this.experiment = experiment;
        this.options = options;
        this.listeners = listeners;
    }

    /** Stops the running trial, which keeps its measurements, and starts no other. Called from another thread. */
    public void interrupt() {
        interrupted = true;
        SearchLoop now = running;
        if (now != null) {
            now.interrupt();
        }
    }

    /**
     * Runs all trials and writes the conclusion.
     *
     * @throws weir.plan.Problems if the plan names something that does not exist
     * @throws PreflightException if nothing could be measured
     */
    public RunResult run() {
        new Preflight(experiment).plan(options);
        secrets = ClientReferences.secrets(experiment);
        secrets.remark().ifPresent(listeners::note);
        experiment.remarks().forEach(listeners::note);
        experiment.leftOutWithVariants().forEach(listeners::note);
        ExtraTrials.all(extra -> extra.leftOut(experiment)).forEach(listeners::note);
        Preflight.askedOfOperators(experiment).forEach(listeners::note);
        try {
            return conduct();
        } catch (RuntimeException e) {
            throw RedactedException.of(e, secrets);
        }
    }

    private RunResult conduct() {
        Estimate estimate = Estimate.of(experiment);
        new Preflight(experiment).machine(estimate, options);
        try (Lab lab = labs.open(listeners::note);
                Clusters clusters = new Clusters(lab, experiment)) {
            Journal journal = lab.journal();
            new Preflight(experiment)
                    .given(
                            spec -> lab.cluster(spec, FaultInjection.NONE, Path.of("")),
                            lab::refused,
                            lab::uncoordinated);
            agreement(clusters, estimate);
            Preflight.releases(experiment).forEach(lab::fetch);
            connect(lab, estimate);
            RunFolder folder = folder(lab);
            journal.run(folder.path());
            ConductorLog log = ConductorLog.open(folder.path().resolve("conductor.log"), secrets, listeners::note);
            boolean kept = true;
            try {
                listeners.each(listener -> listener.started(folder.path(), estimate));
                return measured(new RunContext(experiment, options, folder, lab, listeners, secrets), clusters);
            } catch (ClusterUnavailable | PreflightException nothingMeasured) {
                kept = options.resumes();
                throw nothingMeasured;
            } finally {
                hide(folder, clusters);
                log.close();
                journal.runOver(folder.path());
                if (!kept) {
                    OwnedFolders.delete(folder.path());
                    // Only an empty folder is deleted.
                    var unused = options.root().toFile().delete();
                }
            }
        }
    }

    private void connect(Lab lab, Estimate estimate) {
        List<String> missing = new ArrayList<>();
        for (Variant variant : experiment.variants()) {
            try {
                variant.placements().forEach(hosts -> lab.connect(hosts, options.weir()));
                variant.placements().stream()
                        .flatMap(hosts -> hosts.each().stream())
                        .distinct()
                        .forEach(host -> missing.addAll(
                                new MachineNeeds(variant, host, lab.machine(host)).missing(estimate.largest())));
            } catch (HostUnavailable | WorkerFailed e) {
                throw new PreflightException(String.valueOf(e.getMessage()));
            }
        }
        if (!missing.isEmpty()) {
            throw new PreflightException(missing);
        }
    }

    private void hide(RunFolder folder, Clusters clusters) {
        clusters.close();
        if (!secrets.equals(ResolvedSecrets.NONE)) {
            folder.rewriteLogs(
                    secrets::text,
                    (log, why) -> listeners.note(
                            "deleted " + log + ", which may contain a secret and could not be rewritten: " + why));
        }
    }

    private RunResult measured(RunContext run, Clusters clusters) {
        Lab lab = run.lab();
        RunFolder folder = run.folder();
        long startNanos = lab.nanos();
        BooleanSupplier over = () ->
                interrupted || (options.maxSeconds() > 0 && (lab.nanos() - startNanos) / 1e9 > options.maxSeconds());
        SearchLoop loop = new SearchLoop(run, clusters, over, this::take);
        running = loop;
        if (interrupted) {
            loop.interrupt();
        }
        CanaryWatch canaries = new CanaryWatch(folder, experiment, lab, listeners::note);
        canaries.before();
        boolean whole = loop.run();
        if (over.getAsBoolean()) {
            listeners.note(interrupted ? "interrupted" : "the time limit of the run (--max-time) is reached");
        }
        if (interrupted || !whole) {
            boolean pods = experiment.variants().stream()
                    .flatMap(variant -> variant.placements().stream())
                    .anyMatch(hosts -> hosts.start() == PlacedSpec.Start.POD);
            if (pods) {
                listeners.note("start a new run for the remaining trials, because Weir cannot resume a run in pods");
            } else {
                listeners.each(listener -> listener.unfinished(folder.asked().resumed(folder.path())));
            }
        }
        clusters.close();
        List<Exit> exits = new ArrayList<>(loop.exits());
        if (interrupted) {
            exits.add(Exit.INTERRUPTED);
        } else {
            take(canaries.after());
        }
        RunSummary summary = loop.summary();
        take(summary.caveats());
        RunResult result = summary.conclude(caveats, whole, options.strict(), exits);
        write(folder, result);
        listeners.each(listener -> listener.done(result));
        return result;
    }

    private void write(RunFolder folder, RunResult result) {
        try {
            folder.conclude(result);
        } catch (UncheckedIOException e) {
            String why = UnwritableDisk.reason(e).orElseThrow(() -> e);
            listeners.note("the conclusion of the run could not be written: " + why);
        }
    }

    // Asks for consent to these numbers, because others use the cluster.
    private void agreement(Clusters clusters, Estimate estimate) {
        List<Variant> theirs = experiment.variants().stream()
                .filter(variant -> !variant.cluster().startedByWeir())
                .toList();
        if (theirs.isEmpty() || options.yes()) {
            return;
        }
        Cluster cluster = clusters.of(theirs.get(0), Path.of(""));
        double highest = theirs.stream()
                .mapToDouble(variant -> Preflight.highest(experiment, options, variant))
                .max()
                .orElse(0);
        boolean replicated = theirs.stream()
                .flatMap(variant -> variant.usedTopics().values().stream())
                .allMatch(topic -> !topic.existing() && topic.replication() > 1);
        String question = String.format(
                Locale.ROOT,
                "Weir will load cluster %s at %s (%d brokers, %s): %s %,d records, %.1f MiB%s, %s. Continue?",
                cluster.id(),
                cluster.bootstrap(),
                cluster.brokers().size(),
                cluster.version(),
                estimate.bounded() ? "up to" : "about",
                estimate.records(),
                estimate.bytes() / (double) (1 << 20),
                replicated ? " including replicas" : " for each replica",
                pace(theirs, highest));
        if (!listeners.agrees(question)) {
            throw new PreflightException("cluster " + cluster.id()
                    + " was not started by Weir and requires a confirmation; answer yes on a terminal, or give --yes");
        }
    }

    private String pace(List<Variant> theirs, double highest) {
        if (Double.isInfinite(highest)) {
            return "without a rate limit";
        }
        boolean fills =
                theirs.stream().anyMatch(variant -> !variant.load().backlog().none());
        boolean reads = experiment.adaptive().stream()
                .filter(SearchSpec::readsAtFullSpeed)
                .anyMatch(search -> experiment.searched(search).stream().anyMatch(theirs::contains));
        String rate = String.format(Locale.ROOT, "at up to %,.0f/s", highest);
        if (!fills && !reads) {
            return rate;
        }
        String backlog = "the backlog, which is read without a rate limit";
        return highest > 0 ? rate + ", " + backlog : backlog;
    }

    private RunFolder folder(Lab lab) {
        ResolvedSecrets spelledOut = ClientReferences.spelledOut(experiment);
        RequestedExperiment asked =
                RequestedExperiment.of(experiment, options.weir(), spelledOut.values(options.command()));
        if (!options.resumes()) {
            return Io.attempt("reading " + experiment.file(), () -> {
                String text = spelledOut.plan(Files.readString(experiment.file()));
                RunFolder folder = RunFolder.create(options.root(), lab.wall(), text, asked, lab.journal()::run);
                name(folder, options.labels());
                folder.drawn(Probes.drawn());
                return folder;
            });
        }
        RunFolder folder = RunFolder.open(options.resume());
        Resume.check(folder, asked, RunFacts.now(folder, experiment), options.labels());
        name(folder, folder.labels().with(options.labels()));
        return folder;
    }

    private static void name(RunFolder folder, RunLabels labels) {
        if (!labels.equals(folder.labels())) {
            folder.labels(labels);
        }
    }

    private void take(List<Caveat> found) {
        for (Caveat caveat : CaveatCollector.accept(found, experiment.accepted())) {
            caveats.add(caveat);
            listeners.each(listener -> listener.caveat(caveat));
        }
    }

    /**
     * The machine benchmarks before the first and after the last trial, without any process of Weir. A short form of an
     * experiment skips them, because its numbers support no conclusion.
     */
    record CanaryWatch(RunFolder folder, Experiment experiment, Lab lab, Consumer<String> notes) {
        // The disk of the brokers' data, for brokers of Weir.
        private Path disk() {
            Path data = experiment.variants().get(0).cluster().data();
            return !data.toString().isEmpty() && data.toFile().isDirectory() ? data : folder.path();
        }

        /** Keeps the benchmarks of the first start for a resumed run, because the machine may have changed. */
        void before() {
            if (folder.canaries().before().isEmpty()) {
                folder.canaries(new CanaryResults(run(), List.of()));
            }
        }

        List<Caveat> after() {
            CanaryResults both = new CanaryResults(folder.canaries().before(), run());
            try {
                folder.canaries(both);
            } catch (UncheckedIOException e) {
                notes.accept("the machine benchmarks after the run could not be stored: " + why(e));
            }
            return caveats(both, experiment);
        }

        static List<Caveat> caveats(CanaryResults both, Experiment experiment) {
            List<Caveat> caveats = new ArrayList<>(MachineCaveats.drifted(both.drifted()));
            if (!experiment.searches().isEmpty()) {
                caveats.addAll(MachineCaveats.unsteady(Stream.concat(both.before().stream(), both.after().stream())
                        .toList()));
            }
            return caveats;
        }

        private static String why(UncheckedIOException e) {
            return e.getMessage() + ": " + UnwritableDisk.reason(e).orElse(String.valueOf(e.getCause()));
        }

        private List<Canary> run() {
            if (experiment.shortened()) {
                return List.of();
            }
            try {
                return lab.canaries(disk());
            } catch (UncheckedIOException e) {
                // A failed benchmark must not fail the run.
                notes.accept("the machine benchmarks failed, so the report has no baseline: " + why(e));
                return List.of();
            }
        }
    }

    /**
     * The log of Kafka's clients in this process during a run. The first entry creates its file, and one line on the
     * terminal names the file. The terminal shows no other part of the log.
     */
    static final class ConductorLog extends AppenderBase<ILoggingEvent> implements AutoCloseable {
        private static final Logger KAFKA = (Logger) LoggerFactory.getLogger("org.apache.kafka");
        // The configured level, which another run of this process may have changed.
        private static final @Nullable Level CONFIGURED = KAFKA.getLevel();

        private final Path file;
        private final ResolvedSecrets secrets;
        private final Consumer<String> note;
        private final Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
        private final List<Appender<ILoggingEvent>> replaced = new ArrayList<>();
        private boolean reported;

        private ConductorLog(Path file, ResolvedSecrets secrets, Consumer<String> note) {
            this.file = file;
            this.secrets = secrets;
            this.note = note;
        }

        static ConductorLog open(Path file, ResolvedSecrets secrets, Consumer<String> note) {
            ConductorLog log = new ConductorLog(file, secrets, note);
            log.setContext(log.root.getLoggerContext());
            log.root.iteratorForAppenders().forEachRemaining(log.replaced::add);
            log.replaced.forEach(log.root::detachAppender);
            KAFKA.setLevel(null);
            log.start();
            log.root.addAppender(log);
            return log;
        }

        // AppenderBase passes one event at a time.
        @Override
        protected void append(ILoggingEvent event) {
            String logger =
                    event.getLoggerName().substring(event.getLoggerName().lastIndexOf('.') + 1);
            String message = secrets.text(event.getFormattedMessage());
            String trace = event.getThrowableProxy() == null
                    ? ""
                    : secrets.text(ThrowableProxyUtil.asString(event.getThrowableProxy()));
            String kept = event.getInstant() + " " + event.getLevel() + " " + logger + ": " + message + "\n" + trace;
            String where = file.toString();
            try {
                Files.writeString(
                        file, kept, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            } catch (IOException e) {
                where = "which cannot be written: " + e.getMessage();
            }
            if (!reported) {
                reported = true;
                note.accept("Kafka clients of this process logged errors (log: " + where + ")");
            }
        }

        @Override
        public void close() {
            root.detachAppender(this);
            KAFKA.setLevel(CONFIGURED);
            stop();
            replaced.forEach(root::addAppender);
            replaced.clear();
        }
    }

    /** The check whether new trials may be added to those of an earlier execution of the run. */
    static final class Resume {
        private Resume() {}

        static void check(RunFolder folder, RequestedExperiment asked, Map<String, String> facts, RunLabels labels) {
            List<String> changed = new ArrayList<>();
            RequestedExperiment before = folder.asked();
            if (!before.weir().equals(asked.weir())) {
                changed.add("Weir was " + before.weir() + " and is " + asked.weir());
            }
            if (!before.variants().equals(asked.variants()) || before.seed() != asked.seed()) {
                changed.add("the experiment has changed");
            }
            Map<String, String> then = folder.machine().facts();
            List<String> same = new ArrayList<>(Machine.LASTING);
            facts.keySet().stream()
                    .filter(fact -> fact.startsWith(RunFacts.HASH))
                    .forEach(same::add);
            for (String fact : same) {
                if (!then.isEmpty() && !Objects.equals(then.get(fact), facts.get(fact))) {
                    changed.add(fact + " was '" + then.get(fact) + "' and is '" + facts.get(fact) + "'");
                }
            }
            // A label names the tested version, so all trials must have the same label.
            Map<String, String> called = folder.labels().labels();
            labels.labels().forEach((name, now) -> {
                String was = called.getOrDefault(name, now);
                if (!was.equals(now)) {
                    changed.add("label " + name + " was '" + was + "' and is '" + now + "'");
                }
            });
            if (!changed.isEmpty()) {
                throw new PreflightException(folder.path() + ": this run cannot be resumed, because "
                        + String.join("; ", changed) + "; start a new run");
            }
        }
    }
}
