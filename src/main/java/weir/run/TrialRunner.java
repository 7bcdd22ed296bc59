package weir.run;

import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import weir.cluster.Cluster;
import weir.judge.Evidence;
import weir.judge.caveat.Promises;
import weir.judge.trial.JudgedTrial;
import weir.judge.trial.TrialJudge;
import weir.plan.CaveatType;
import weir.plan.Expectation;
import weir.plan.Experiment;
import weir.plan.property.ResolvedSecrets;
import weir.plan.trial.Trial;
import weir.plan.trial.Trials;
import weir.results.RunFolder;
import weir.results.TrialFolder;
import weir.results.TrialWriter;
import weir.results.value.CatchUpResult;
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

    /** The outcome of a trial when it is over; {@code promise} is the exit that says how Kafka kept its promises. */
    record Carried(Search.Shown shown, Exit promise) {
        /** Judged by its folder, or as it was when it ended. */
        static Carried of(TrialFolder folder) {
            return of(JudgedTrial.of(folder), folder);
        }

        static Carried of(JudgedTrial judged, TrialFolder folder) {
            return new Carried(
                    new Search.Shown(new Evidence.Folder(judged.result(), folder), judged.caveats()),
                    Promises.kept(folder, judged.result()) ? Exit.FINE : Exit.BROKEN_PROMISE);
        }

        TrialResult result() {
            return shown.evidence().result();
        }

        /** True when it was ended before its time. */
        boolean stopped() {
            return shown.caveats().stream().anyMatch(caveat -> caveat.is(CaveatType.INTERRUPTED));
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
            return Optional.of(finish(end, run, writer));
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

    private Carried finish(TrialEnd end, TrialRun run, TrialWriter writer) {
        TrialJudge judge = new TrialJudge(writer.end(end));
        JudgedTrial judged = judge.judged();
        judge.spectrum(writer);
        CatchUpResult catchUp = judged.result().catchUp();
        if (catchUp != null && catchUp.reached()) {
            run.caughtUp(end.measured().from() + catchUp.seconds());
        }
        judged.result().figures().violations().forEach(listener::note);
        return Carried.of(judged, writer.finish(judged.result(), judged.caveats()));
    }

    /**
     * A trial of the list that an earlier execution of this run has already done. One that was interrupted is done once
     * more.
     */
    Optional<Carried> done(Trial trial) {
        return folder.trials().stream()
                .filter(earlier ->
                        !trial.searches() && earlier.started().trial() == trial.number() && earlier.finished())
                .map(Carried::of)
                .filter(earlier -> !earlier.stopped())
                .findFirst();
    }

    private int runTag() {
        // Two runs of one experiment that start at once must not have the same.
        return new SecureRandom().nextInt();
    }
}
