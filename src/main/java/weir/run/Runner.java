package weir.run;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import weir.cluster.Cluster;
import weir.cluster.EmbeddedCluster;
import weir.host.Children;
import weir.host.Journal;
import weir.plan.ClusterSpec;
import weir.plan.Estimate;
import weir.plan.Experiment;
import weir.plan.Property;
import weir.plan.Trial;
import weir.plan.Trials;
import weir.probe.MachineFacts;
import weir.results.Asked;
import weir.results.Caveat;
import weir.results.ComparisonResult;
import weir.results.Comparisons;
import weir.results.Conclusions;
import weir.results.ExpectResult;
import weir.results.Machine;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.results.TrialFolder;
import weir.results.TrialResult;
import weir.results.TrialWriter;

/** Conducts one experiment: its trials in order, and what they say together. */
public final class Runner {
    private final Experiment experiment;
    private final RunOptions options;
    private final RunListener listener;
    private final List<TrialResult> results = new ArrayList<>();
    private final List<Caveat> caveats = new ArrayList<>();
    private final List<Exit> exits = new ArrayList<>();
    private final Map<String, String> facts = new LinkedHashMap<>();
    private final Map<String, List<Property>> properties = new LinkedHashMap<>();
    private volatile @Nullable TrialRun running;
    private volatile boolean interrupted;

    public Runner(Experiment experiment, RunOptions options, RunListener listener) {
        this.experiment = experiment;
        this.options = options;
        this.listener = listener;
    }

    /** From another thread: the trial that runs comes to an end and keeps what it has; no other begins. */
    public void interrupt() {
        interrupted = true;
        TrialRun now = running;
        if (now != null) {
            now.stop("interrupted");
        }
    }

    /**
     * Returns when the last trial has ended and the conclusion is written.
     *
     * @throws weir.plan.Problems when the plan asks for what is not there
     * @throws PreflightException when nothing could be measured
     */
    public RunResult run() {
        Preflight.plan(experiment);
        Estimate estimate = Estimate.of(experiment);
        Preflight.machine(experiment, estimate, options);
        long started = System.nanoTime();
        try (Journal journal = Journal.open();
                Children children = Children.open(journal);
                Clusters clusters = new Clusters(children, listener::note)) {
            children.caveats().forEach(listener::note);
            // A run that was killed could not clean up behind itself.
            Journal.clearAll(Journal.state()).forEach(done -> listener.note("after a killed weir: " + done));
            agreement(clusters, estimate);
            RunFolder folder = folder();
            journal.run(folder.path());
            try {
                listener.started(folder.path(), estimate);
                return trials(folder, started, children, clusters);
            } finally {
                journal.runOver(folder.path());
            }
        }
    }

    private RunResult trials(RunFolder folder, long started, Children children, Clusters clusters) {
        facts.putAll(machineFacts(folder.path()));
        CanaryWatch canaries = new CanaryWatch(folder, experiment, listener::note);
        canaries.before();
        List<Trial> trials = Trials.of(experiment);
        for (Trial trial : trials) {
            double seconds = (System.nanoTime() - started) / 1e9;
            boolean late = options.maxSeconds() > 0 && seconds > options.maxSeconds();
            if (interrupted || late) {
                listener.note(
                        late
                                ? "the time is up: the trials that are left are not run; --resume does them"
                                : "interrupted");
                break;
            }
            if (!done(folder, trial)) {
                listener.trial(trial, trials.size());
                if (!attempt(trial, folder, children, clusters)) {
                    break;
                }
            }
        }
        clusters.end();
        if (interrupted) {
            exits.add(Exit.INTERRUPTED);
        } else {
            take(canaries.after());
        }
        return conclude(folder);
    }

    /** A trial that fails ends the run, and what was measured before it stays. */
    private boolean attempt(Trial trial, RunFolder folder, Children children, Clusters clusters) {
        try {
            conduct(trial, folder, children, clusters);
            return true;
        } catch (RuntimeException e) {
            if (results.isEmpty()
                    && folder.trials().stream()
                            .allMatch(begun -> begun.windows().isEmpty())) {
                throw e;
            }
            StringWriter trace = new StringWriter();
            e.printStackTrace(new PrintWriter(trace));
            folder.put("failure.txt", trace.toString());
            listener.note("trial " + trial.id() + " failed: " + e.getMessage() + " (trace: "
                    + folder.path().resolve("failure.txt") + ")");
            exits.add(Exit.OUR_FAULT);
            return false;
        }
    }

    // Loading what others use needs their word, with the numbers in front of them.
    private void agreement(Clusters clusters, Estimate estimate) {
        ClusterSpec first = experiment.variants().get(0).cluster();
        if (!(first instanceof ClusterSpec.External external) || options.yes()) {
            return;
        }
        Cluster cluster = clusters.of(external, Path.of(""));
        double highest = experiment.variants().stream()
                .mapToDouble(Preflight::highest)
                .max()
                .orElse(0);
        String question = String.format(
                java.util.Locale.ROOT,
                "Cluster %s at %s (%d brokers, %s) will get %s %,d records, %.1f MiB with replicas, at up to %,.0f/s. Go on?",
                cluster.id(),
                cluster.bootstrap(),
                cluster.brokers().size(),
                cluster.version(),
                estimate.bounded() ? "up to" : "about",
                estimate.records(),
                estimate.bytes() / (double) (1 << 20),
                highest);
        if (!listener.agrees(question)) {
            throw new PreflightException("cluster " + cluster.id()
                    + " is not ours and nobody agreed to load it; say yes on a terminal, or give --yes");
        }
    }

    private RunFolder folder() {
        Asked asked = Asked.of(experiment, options.weir(), options.command());
        if (!options.resumes()) {
            try {
                return RunFolder.create(options.root(), Instant.now(), Files.readString(experiment.file()), asked);
            } catch (IOException e) {
                throw new UncheckedIOException("reading " + experiment.file(), e);
            }
        }
        RunFolder folder = RunFolder.open(options.resume());
        Resume.check(folder, asked, machineFacts(folder.path()));
        return folder;
    }

    /** Whether an earlier execution of this run has already done a trial; then its result counts. */
    private boolean done(RunFolder folder, Trial trial) {
        for (TrialFolder earlier : folder.trials()) {
            if (earlier.started().trial() == trial.number() && earlier.finished()) {
                TrialResult result = earlier.result();
                results.add(result);
                take(earlier.caveats());
                return true;
            }
        }
        return false;
    }

    private void conduct(Trial trial, RunFolder folder, Children children, Clusters clusters) {
        try (TrialWriter writer = folder.trial(trial, Instant.now())) {
            Cluster cluster = clusters.of(trial.variant().cluster(), writer.brokerLogs());
            TrialRun run =
                    new TrialRun(experiment, trial, children, cluster, writer, listener, options.maxRate(), runTag());
            running = run;
            if (interrupted) {
                return;
            }
            Outcome outcome = run.conduct();
            running = null;
            facts.put("kafka", cluster.version());
            outcome.finished().jvm().forEach((name, value) -> facts.put("generator." + name, value));
            if (cluster instanceof EmbeddedCluster embedded) {
                embedded.settings()
                        .forEach(
                                s -> facts.put("broker set by Weir: " + s.name(), s.value() + " (" + s.reason() + ")"));
            }
            properties.put(trial.variant().name(), outcome.properties());
            folder.machine(new Machine(facts, properties));
            finish(trial, outcome, cluster, writer);
        } finally {
            running = null;
            clusters.release();
        }
    }

    private void finish(Trial trial, Outcome outcome, Cluster cluster, TrialWriter writer) {
        TrialResults made = new TrialResults(trial, outcome);
        TrialResult result = made.result();
        List<Caveat> doubts = made.caveats(result, Runtime.getRuntime().availableProcessors(), filesystem(cluster));
        made.spectrum(writer);
        writer.finish(result, doubts);
        results.add(result);
        take(doubts);
        Promises promises = Promises.of(trial.variant().during().isEmpty(), outcome.properties());
        boolean kept = promises.kept(outcome.deaths().size(), outcome.balance());
        exits.add(kept ? Exit.FINE : Exit.BROKEN_PROMISE);
        listener.trialDone(result);
    }

    private void take(List<Caveat> found) {
        for (Caveat caveat : Doubts.accept(found, experiment.accepted())) {
            caveats.add(caveat);
            listener.caveat(caveat);
        }
    }

    private RunResult conclude(RunFolder folder) {
        List<String> variants =
                results.stream().map(TrialResult::variant).distinct().toList();
        List<ComparisonResult> comparisons = Comparisons.of(experiment.comparisons(), variants, results);
        List<ExpectResult> expect = new Verdicts(evidence(folder)).of(experiment.expectations());
        boolean valid = caveats.stream().noneMatch(c -> c.level() == Caveat.Level.INVALID);
        if (!valid) {
            exits.add(Exit.INVALID);
        }
        if (!expect.stream().allMatch(ExpectResult::held)) {
            exits.add(Exit.EXPECTATION_FAILED);
        }
        Asked asked = folder.asked();
        RunResult result = new RunResult(
                RunResult.VERSION,
                experiment.name(),
                folder.path().toString(),
                valid,
                Exit.worst(exits).code(),
                caveats,
                expect,
                comparisons,
                results,
                Conclusions.of(asked, folder.machine(), results, caveats, comparisons),
                folder.report().toString());
        folder.conclude(result);
        listener.done(result);
        return result;
    }

    private List<Evidence> evidence(RunFolder folder) {
        List<TrialFolder> folders = folder.trials();
        List<Evidence> evidence = new ArrayList<>();
        for (TrialResult result : results) {
            folders.stream()
                    .filter(trial -> trial.started().trial() == result.trial())
                    .forEach(trial -> evidence.add(new Evidence.Folder(result, trial)));
        }
        return evidence;
    }

    private Map<String, String> machineFacts(Path folder) {
        try {
            return new TreeMap<>(MachineFacts.of(folder));
        } catch (IOException e) {
            throw new UncheckedIOException("asking what this machine is", e);
        }
    }

    private static String filesystem(Cluster cluster) {
        return cluster.brokers().stream()
                .filter(broker -> broker.pid() > 0)
                .findFirst()
                .map(broker -> {
                    try {
                        return Objects.requireNonNullElse(
                                MachineFacts.of(broker.data()).get("filesystem"), "");
                    } catch (IOException e) {
                        throw new UncheckedIOException("asking for the file system of " + broker.data(), e);
                    }
                })
                .orElse("");
    }

    private int runTag() {
        return new SplittableRandom(Instant.now().toEpochMilli() ^ experiment.seed()).nextInt();
    }
}
