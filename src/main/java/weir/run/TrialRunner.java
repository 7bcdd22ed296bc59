package weir.run;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import weir.cluster.Cluster;
import weir.judge.Evidence;
import weir.judge.TrialJudge;
import weir.judge.caveat.LoadCaveats;
import weir.judge.caveat.Promises;
import weir.judge.caveat.TrialCaveats;
import weir.plan.CaveatType;
import weir.plan.Expectation;
import weir.plan.Experiment;
import weir.plan.property.Property;
import weir.plan.property.ResolvedSecrets;
import weir.plan.trial.Trial;
import weir.plan.trial.Trials;
import weir.results.RunFolder;
import weir.results.TrialFolder;
import weir.results.TrialWriter;
import weir.results.value.CatchUpResult;
import weir.results.value.Caveat;
import weir.results.value.GeneratorResult;
import weir.results.value.TrialEnd;
import weir.results.value.TrialResult;
import weir.search.Search;

/** Where the trials of a run are carried out, one after the other, and what is known of its brokers and clients. */
final class TrialRunner {
    private final Experiment experiment;
    private final RunFolder folder;
    private final RunListener listener;
    private final RunFacts facts;
    private final Lab lab;
    private final Clusters clusters;
    private final ResolvedSecrets secrets;
    private final int planned;
    private final GeneratorCeilings ceilings;
    private volatile @Nullable TrialRun running;
    private volatile boolean interrupted;

    TrialRunner(
            Experiment experiment,
            RunFolder folder,
            RunListener listener,
            Lab lab,
            Clusters clusters,
            ResolvedSecrets secrets) {
        this.experiment = experiment;
        this.folder = folder;
        this.listener = listener;
        this.lab = lab;
        this.clusters = clusters;
        this.secrets = secrets;
        planned = Trials.of(experiment).size();
        facts = new RunFacts(folder, experiment);
        ceilings = new GeneratorCeilings(experiment, folder.path(), lab, listener, () -> interrupted);
    }

    /**
     * The outcome of a trial when it is over.
     *
     * @param stopped whether it was ended before its time
     * @param promise the exit that says how Kafka kept its promises
     */
    record Carried(Search.Shown shown, boolean stopped, Exit promise) {
        Carried(TrialResult result, List<Caveat> caveats, TrialFolder folder, boolean stopped, Exit promise) {
            this(new Search.Shown(new Evidence.Folder(result, folder), caveats), stopped, promise);
        }

        TrialResult result() {
            return shown.evidence().result();
        }
    }

    /** From another thread: the trial that runs comes to an end and keeps what it has; no other begins. */
    void interrupt() {
        interrupted = true;
        TrialRun now = running;
        if (now != null) {
            now.stop("interrupted");
        }
    }

    boolean interrupted() {
        return interrupted;
    }

    /**
     * Empty when the run was interrupted before it began.
     *
     * @param limits that its steps are held against
     */
    Optional<Carried> carry(Trial trial, List<Expectation> limits, double maxRate) {
        GeneratorCeilings.Ceiling ceiling = ceilings.of(trial.variant());
        listener.trial(trial, trial.searches() ? 0 : planned);
        try (TrialWriter writer = folder.trial(trial, lab.wall())) {
            boolean warm = clusters.running(trial.variant());
            Cluster cluster = clusters.of(trial.variant(), writer.brokerLogs());
            TrialRun run = new TrialRun(experiment, trial, lab, cluster, writer, listener, secrets, maxRate, runTag());
            running = run;
            if (interrupted) {
                return Optional.empty();
            }
            TrialEnd end = run.conduct(
                    new GeneratorResult(null, null, ceiling.perSecond(), ceiling.note(), ceiling.alone(), null),
                    limits,
                    firstOfMany(trial, warm));
            running = null;
            facts.take(trial, cluster, end);
            return Optional.of(finish(trial, end, run, writer));
        } finally {
            running = null;
            clusters.release();
        }
    }

    /** The trials of a search are over: nothing of them is left that could disturb those that come. */
    void searched() {
        lab.cool();
    }

    /** True when the brokers carried no load before this trial, and do so for trials after it. */
    private boolean firstOfMany(Trial trial, boolean warm) {
        boolean shared =
                trial.variant().cluster().ours() && !trial.variant().cluster().freshEachTrial();
        // A search finds out by itself what a cold start does to its first tries.
        boolean last = trial.searches() || trial.number() == planned;
        return shared && !warm && !last;
    }

    private Carried finish(Trial trial, TrialEnd end, TrialRun run, TrialWriter writer) {
        TrialFolder measured = writer.end(end);
        TrialJudge judge = new TrialJudge(measured);
        TrialResult result = judge.made();
        judge.spectrum(writer);
        List<Caveat> caveats = new ArrayList<>(LoadCaveats.left(trial.number(), run.left()));
        caveats.addAll(TrialCaveats.of(trial.variant(), measured, end, result));
        CatchUpResult catchUp = result.catchUp();
        if (catchUp != null && catchUp.reached()) {
            run.caughtUp(end.measured().from() + catchUp.seconds());
        }
        TrialFolder whole = writer.finish(result, caveats);
        result.figures().violations().forEach(listener::note);
        Exit promise = promise(trial, end.properties(), run.deaths(), result);
        return new Carried(result, caveats, whole, !end.stopReason().isEmpty(), promise);
    }

    /**
     * A trial of the list that an earlier execution of this run has already done; then its result counts, and it is judged
     * again. One that was interrupted is done once more.
     */
    Optional<Carried> done(Trial trial) {
        for (TrialFolder earlier : folder.trials()) {
            boolean same = !trial.searches() && earlier.started().trial() == trial.number() && earlier.finished();
            if (same && earlier.caveats().stream().noneMatch(caveat -> caveat.is(CaveatType.INTERRUPTED))) {
                TrialResult result = earlier.result();
                long deaths = earlier.events().stream()
                        .filter(event -> event.name().endsWith(TrialRun.DIED))
                        .count();
                List<Property> properties = facts.properties(trial.variant().name());
                Exit promise = promise(trial, properties, deaths, result);
                return Optional.of(new Carried(result, earlier.caveats(), earlier, false, promise));
            }
        }
        return Optional.empty();
    }

    private static Exit promise(Trial trial, List<Property> properties, long deaths, TrialResult result) {
        Promises promises = Promises.of(trial.variant().during().isEmpty(), properties);
        return promises.kept(deaths, result.figures()) ? Exit.FINE : Exit.BROKEN_PROMISE;
    }

    private int runTag() {
        // Two runs of one experiment that start at once must not have the same.
        return new SecureRandom().nextInt();
    }
}
