package weir.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import weir.cluster.ClientReferences;
import weir.cluster.Cluster;
import weir.cluster.ClusterUnavailable;
import weir.cluster.FaultInjection;
import weir.host.Journal;
import weir.host.OwnedFolders;
import weir.judge.caveat.CaveatCollector;
import weir.judge.caveat.RunCaveats;
import weir.judge.trial.JudgedTrial;
import weir.plan.Experiment;
import weir.plan.PlacedSpec;
import weir.plan.SearchSpec;
import weir.plan.Variant;
import weir.plan.property.ResolvedSecrets;
import weir.plan.trial.Estimate;
import weir.plan.trial.ProfiledTrials;
import weir.probe.Probes;
import weir.results.RequestedExperiment;
import weir.results.RunFolder;
import weir.results.RunLabels;
import weir.results.RunResult;
import weir.results.RunState;
import weir.results.Unwritable;
import weir.results.value.Caveat;
import weir.results.value.TrialResult;
import weir.run.lab.Lab;
import weir.run.lab.ProcessLab;
import weir.worker.WorkerFailed;
import weir.worker.agent.WorkerHosts;

/** Conducts one experiment: its trials in order, and what they say together. */
public final class Runner {
    private final Experiment experiment;
    private final RunOptions options;
    private final RunListener listener;
    private final Lab.Opener labs;
    private final List<Caveat> caveats = new ArrayList<>();
    private ResolvedSecrets secrets = ResolvedSecrets.NONE;
    private volatile @Nullable TrialRunner runner;
    private volatile boolean interrupted;

    public Runner(Experiment experiment, RunOptions options, RunListener listener) {
        this(experiment, options, listener, ProcessLab::open);
    }

    public Runner(Experiment experiment, RunOptions options, RunListener listener, Lab.Opener labs) {
        this.labs = labs;
        this.experiment = experiment;
        this.options = options;
        this.listener = listener;
    }

    /** From another thread: the trial that runs comes to an end and keeps what it has; no other begins. */
    public void interrupt() {
        interrupted = true;
        TrialRunner now = runner;
        if (now != null) {
            now.interrupt();
        }
    }

    /**
     * Returns when the last trial has ended and the conclusion is written.
     *
     * @throws weir.plan.Problems when the plan asks for what is not there
     * @throws PreflightException when nothing could be measured
     */
    public RunResult run() {
        Preflight.plan(experiment, options);
        secrets = ClientReferences.secrets(experiment);
        secrets.remark().ifPresent(listener::note);
        experiment.remarks().forEach(listener::note);
        experiment.leftOutWithVariants().forEach(listener::note);
        ProfiledTrials.leftOut(experiment).forEach(listener::note);
        Preflight.askedOfOperators(experiment).forEach(listener::note);
        try {
            return conduct();
        } catch (RuntimeException e) {
            throw HiddenFault.of(e, secrets);
        }
    }

    private RunResult conduct() {
        Estimate estimate = Estimate.of(experiment);
        Preflight.machine(experiment, estimate, options);
        try (Lab lab = labs.open(listener::note);
                Clusters clusters = new Clusters(lab, experiment)) {
            Journal journal = lab.journal();
            Preflight.given(
                    experiment,
                    spec -> lab.cluster(spec, FaultInjection.NONE, Path.of("")),
                    lab::refused,
                    lab::uncoordinated);
            agreement(clusters, estimate);
            Preflight.releases(experiment).forEach(lab::fetch);
            connect(lab, estimate);
            RunFolder folder = folder(lab);
            journal.run(folder.path());
            ConductorLog log = ConductorLog.open(folder.path().resolve("conductor.log"), secrets, listener::note);
            boolean kept = true;
            try {
                listener.started(folder.path(), estimate);
                return measured(
                        folder, lab, new TrialRunner(experiment, folder, listener, lab, clusters, secrets), clusters);
            } catch (ClusterUnavailable | PreflightException nothingMeasured) {
                kept = options.resumes();
                throw nothingMeasured;
            } finally {
                hide(folder, clusters);
                log.close();
                journal.runOver(folder.path());
                if (!kept) {
                    OwnedFolders.delete(folder.path());
                    // Succeeds only where it is empty.
                    var unused = options.root().toFile().delete();
                }
            }
        }
    }

    private boolean inPods() {
        return experiment.variants().stream()
                .flatMap(variant -> variant.placements().stream())
                .anyMatch(hosts -> hosts.start() == PlacedSpec.Start.POD);
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
            } catch (WorkerHosts.Unavailable | WorkerFailed e) {
                throw new PreflightException(String.valueOf(e.getMessage()));
            }
        }
        if (!missing.isEmpty()) {
            throw new PreflightException(missing);
        }
    }

    /** Clients tell brokers what is in their properties, and brokers write their logs themselves. */
    private void hide(RunFolder folder, Clusters clusters) {
        clusters.close();
        if (!secrets.equals(ResolvedSecrets.NONE)) {
            folder.rewriteLogs(
                    secrets::text,
                    (log, why) -> listener.note(
                            "deleted " + log + ", which may show a secret and could not be rewritten: " + why));
        }
    }

    private RunResult measured(RunFolder folder, Lab lab, TrialRunner at, Clusters clusters) {
        long startNanos = lab.nanos();
        runner = at;
        if (interrupted) {
            at.interrupt();
        }
        CanaryWatch canaries = new CanaryWatch(folder, experiment, lab, listener::note);
        canaries.before();
        BooleanSupplier over = () -> over(lab.nanos() - startNanos);
        SearchLoop loop =
                new SearchLoop(experiment, options, folder, at, listener, secrets, over, lab::nanos, this::take);
        boolean whole = loop.run();
        if (over.getAsBoolean()) {
            listener.note(interrupted ? "interrupted" : "the time is up");
        }
        if (interrupted || !whole) {
            if (inPods()) {
                listener.note("what is left has to be run anew: a run in pods is not resumed");
            } else {
                listener.unfinished(folder.asked().resumed(folder.path()));
            }
        }
        clusters.close();
        List<Exit> exits = new ArrayList<>(loop.exits());
        if (interrupted) {
            exits.add(Exit.INTERRUPTED);
        } else {
            take(canaries.after());
        }
        RequestedExperiment asked = folder.asked();
        List<TrialResult> results =
                loop.judged().stream().map(JudgedTrial::result).toList();
        take(RunCaveats.of(experiment, asked, folder.machine(), results));
        if (options.strict() && RunState.of(caveats, whole) != RunState.VALID) {
            exits.add(Exit.INVALID);
        }
        RunResult result = new RunSummary(
                        experiment, folder, loop.judged(), loop.found(), loop.breakingPoints(), caveats)
                .conclude(asked, exits);
        write(folder, result);
        listener.done(result);
        return result;
    }

    /** On a full disk the trials tell what they can by themselves. */
    private void write(RunFolder folder, RunResult result) {
        try {
            folder.conclude(result);
        } catch (UncheckedIOException e) {
            String why = Unwritable.reason(e).orElseThrow(() -> e);
            listener.note("the conclusion could not be written: " + why);
        }
    }

    private boolean over(long nanos) {
        boolean late = options.maxSeconds() > 0 && nanos / 1e9 > options.maxSeconds();
        return interrupted || late;
    }

    // Loading what others use needs their word, with the numbers in front of them.
    private void agreement(Clusters clusters, Estimate estimate) {
        List<Variant> theirs = experiment.variants().stream()
                .filter(variant -> !variant.cluster().ours())
                .toList();
        if (theirs.isEmpty() || options.yes()) {
            return;
        }
        Cluster cluster = clusters.of(theirs.get(0), Path.of(""));
        double highest = theirs.stream()
                .mapToDouble(variant -> Preflight.highest(experiment, options, variant))
                .max()
                .orElse(0);
        String question = String.format(
                java.util.Locale.ROOT,
                "Cluster %s at %s (%d brokers, %s) will get %s %,d records, %.1f MiB%s, %s. Go on?",
                cluster.id(),
                cluster.bootstrap(),
                cluster.brokers().size(),
                cluster.version(),
                estimate.bounded() ? "up to" : "about",
                estimate.records(),
                estimate.bytes() / (double) (1 << 20),
                replicated(theirs) ? " with replicas" : ", and as much again for each further replica",
                pace(theirs, highest));
        if (!listener.agrees(question)) {
            throw new PreflightException("cluster " + cluster.id()
                    + " is not ours: confirmation required; say yes on a terminal, or give --yes");
        }
    }

    /** True where the file says how many replicas each topic has; else the cluster chooses, or chose. */
    private static boolean replicated(List<Variant> theirs) {
        return theirs.stream()
                .flatMap(variant -> variant.usedTopics().values().stream())
                .allMatch(topic -> !topic.existing() && topic.replication() > 1);
    }

    /** No rate bounds the writing of what is there to be read. */
    private String pace(List<Variant> theirs, double highest) {
        if (Double.isInfinite(highest)) {
            return "as fast as it takes them";
        }
        boolean fills =
                theirs.stream().anyMatch(variant -> !variant.load().backlog().none());
        boolean reads = experiment.adaptive().stream()
                .filter(SearchSpec.Partitions.class::isInstance)
                .anyMatch(search -> experiment.searched(search).stream().anyMatch(theirs::contains));
        String rate = String.format(java.util.Locale.ROOT, "at up to %,.0f/s", highest);
        if (!fills && !reads) {
            return rate;
        }
        String backlog = "the backlog that is read as fast as it takes it";
        return highest > 0 ? rate + ", " + backlog : backlog;
    }

    private RunFolder folder(Lab lab) {
        ResolvedSecrets spelledOut = ClientReferences.spelledOut(experiment);
        RequestedExperiment asked =
                RequestedExperiment.of(experiment, options.weir(), spelledOut.values(options.command()));
        if (!options.resumes()) {
            try {
                String text = spelledOut.plan(Files.readString(experiment.file()));
                RunFolder folder = RunFolder.create(options.root(), lab.wall(), text, asked, lab.journal()::run);
                name(folder, options.labels());
                folder.drawn(Probes.drawn());
                return folder;
            } catch (IOException e) {
                throw new UncheckedIOException("reading " + experiment.file(), e);
            }
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
            listener.caveat(caveat);
        }
    }
}
