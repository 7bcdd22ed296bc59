package weir.run;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import weir.cluster.Cluster;
import weir.host.Children;
import weir.host.Journal;
import weir.plan.CaveatType;
import weir.plan.ClusterSpec;
import weir.plan.Estimate;
import weir.plan.Experiment;
import weir.plan.Property;
import weir.plan.Redact;
import weir.plan.SearchSpec;
import weir.plan.Secrets;
import weir.plan.Trial;
import weir.plan.Trials;
import weir.plan.Variant;
import weir.results.Asked;
import weir.results.Caveat;
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
        Facts facts = new Facts(folder, experiment);
        CanaryWatch canaries = new CanaryWatch(folder, experiment, listener::note);
        canaries.before();
        List<Trial> trials = Trials.of(experiment);
        Ceilings ceilings = new Ceilings(experiment, folder.path(), children, listener, () -> interrupted);
        for (Trial trial : trials) {
            double seconds = (System.nanoTime() - started) / 1e9;
            boolean late = options.maxSeconds() > 0 && seconds > options.maxSeconds();
            if (interrupted || late) {
                listener.note(late ? "the time is up" : "interrupted");
                break;
            }
            if (!done(folder, trial, facts)) {
                Ceilings.Ceiling ceiling = ceilings.of(trial.variant());
                listener.trial(trial, trials.size());
                if (!attempt(trial, folder, facts, children, clusters, ceiling)) {
                    break;
                }
            }
        }
        if (interrupted || results.size() < trials.size()) {
            listener.unfinished(again(folder));
        }
        clusters.close();
        if (interrupted) {
            exits.add(Exit.INTERRUPTED);
        } else {
            take(canaries.after());
        }
        Asked asked = folder.asked();
        take(RunDoubts.of(experiment, asked, folder.machine(), results));
        RunResult result = new Ending(experiment, folder, results, caveats).conclude(asked, exits);
        listener.done(result);
        return result;
    }

    /** A trial that fails ends the run, and what was measured before it stays. */
    private boolean attempt(
            Trial trial,
            RunFolder folder,
            Facts facts,
            Children children,
            Clusters clusters,
            Ceilings.Ceiling ceiling) {
        try {
            conduct(trial, folder, facts, children, clusters, ceiling);
            return true;
        } catch (RuntimeException e) {
            if (results.isEmpty()
                    && folder.trials().stream()
                            .allMatch(begun -> begun.windows().isEmpty())) {
                throw e;
            }
            StringWriter trace = new StringWriter();
            e.printStackTrace(new PrintWriter(trace));
            folder.put("failure.txt", redacted(trial, trace.toString()));
            listener.note("trial " + trial.id() + " failed: " + redacted(trial, String.valueOf(e.getMessage()))
                    + " (trace: " + folder.path().resolve("failure.txt") + ")");
            boolean theirs =
                    e instanceof BrokersGone && trial.variant().during().isEmpty();
            exits.add(theirs ? Exit.BROKEN_PROMISE : Exit.OUR_FAULT);
            return false;
        }
    }

    // Loading what others use needs their word, with the numbers in front of them.
    private void agreement(Clusters clusters, Estimate estimate) {
        List<Variant> theirs = experiment.variants().stream()
                .filter(variant -> variant.cluster() instanceof ClusterSpec.External)
                .toList();
        if (theirs.isEmpty() || options.yes()) {
            return;
        }
        Cluster cluster = clusters.of(theirs.get(0), Path.of(""));
        double highest = theirs.stream().mapToDouble(Preflight::highest).max().orElse(0);
        String question = String.format(
                java.util.Locale.ROOT,
                "Cluster %s at %s (%d brokers, %s) will get %s %,d records, %.1f MiB with replicas, %s. Go on?",
                cluster.id(),
                cluster.bootstrap(),
                cluster.brokers().size(),
                cluster.version(),
                estimate.bounded() ? "up to" : "about",
                estimate.records(),
                estimate.bytes() / (double) (1 << 20),
                Double.isInfinite(highest)
                        ? "as fast as it takes them"
                        : String.format(java.util.Locale.ROOT, "at up to %,.0f/s", highest));
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
        Resume.check(folder, asked, Facts.now(folder, experiment));
        return folder;
    }

    /** The command as it was typed, going on with this run. */
    private String again(RunFolder folder) {
        return options.command().contains(" --resume")
                ? options.command()
                : options.command() + " --resume " + folder.path();
    }

    private static String redacted(Trial trial, String text) {
        String hidden = text;
        for (SortedMap<String, String> properties : List.of(
                trial.variant().cluster().client(),
                trial.variant().load().producer(),
                trial.variant().load().consumer())) {
            hidden = Redact.text(hidden, Secrets.resolve(properties));
        }
        return hidden;
    }

    /**
     * Whether an earlier execution of this run has already done a trial; then its result counts, and it is judged again.
     * One that was interrupted is done once more.
     */
    private boolean done(RunFolder folder, Trial trial, Facts facts) {
        for (TrialFolder earlier : folder.trials()) {
            boolean same = earlier.started().trial() == trial.number() && earlier.finished();
            if (same && earlier.caveats().stream().noneMatch(caveat -> caveat.is(CaveatType.INTERRUPTED))) {
                TrialResult result = earlier.result();
                results.add(result);
                take(earlier.caveats());
                long deaths = earlier.events().stream()
                        .filter(event -> event.name().endsWith(TrialRun.DIED))
                        .count();
                judge(trial, facts.properties(trial.variant().name()), deaths, result);
                return true;
            }
        }
        return false;
    }

    private void judge(Trial trial, List<Property> properties, long deaths, TrialResult result) {
        Promises promises = Promises.of(trial.variant().during().isEmpty(), properties);
        exits.add(promises.kept(deaths, result.figures()) ? Exit.FINE : Exit.BROKEN_PROMISE);
    }

    private void conduct(
            Trial trial,
            RunFolder folder,
            Facts facts,
            Children children,
            Clusters clusters,
            Ceilings.Ceiling ceiling) {
        try (TrialWriter writer = folder.trial(trial, Instant.now())) {
            boolean warm = clusters.running(trial.variant());
            Cluster cluster = clusters.of(trial.variant(), writer.brokerLogs());
            TrialRun run =
                    new TrialRun(experiment, trial, children, cluster, writer, listener, options.maxRate(), runTag());
            running = run;
            if (interrupted) {
                return;
            }
            Outcome outcome = run.conduct();
            running = null;
            facts.take(trial, cluster, outcome);
            finish(trial, outcome, ceiling, circumstances(trial, cluster, warm), writer);
        } finally {
            running = null;
            clusters.release();
        }
    }

    private TrialDoubts.Circumstances circumstances(Trial trial, Cluster cluster, boolean warm) {
        boolean shared = trial.variant().cluster() instanceof ClusterSpec.Embedded embedded
                && embedded.fresh() == ClusterSpec.Fresh.RUN;
        boolean last = trial.number() == Trials.of(experiment).size();
        return new TrialDoubts.Circumstances(
                cluster,
                Runtime.getRuntime().availableProcessors(),
                Facts.filesystem(cluster),
                shared && !warm && !last);
    }

    private void finish(
            Trial trial,
            Outcome outcome,
            Ceilings.Ceiling ceiling,
            TrialDoubts.Circumstances around,
            TrialWriter writer) {
        TrialResults made =
                new TrialResults(trial, outcome, ceiling, SearchSpec.BreakingPoint.limits(experiment, trial.variant()));
        TrialResult result = made.result();
        List<Caveat> doubts = TrialDoubts.of(trial, outcome, result, around);
        made.spectrum(writer);
        writer.finish(result, doubts);
        results.add(result);
        result.figures().violations().forEach(listener::note);
        take(doubts);
        judge(trial, outcome.properties(), outcome.deaths().size(), result);
        listener.trialDone(result);
    }

    private void take(List<Caveat> found) {
        for (Caveat caveat : Doubts.accept(found, experiment.accepted())) {
            caveats.add(caveat);
            listener.caveat(caveat);
        }
    }

    private int runTag() {
        return new SplittableRandom(Instant.now().toEpochMilli() ^ experiment.seed()).nextInt();
    }
}
