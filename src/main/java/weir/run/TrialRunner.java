package weir.run;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import weir.cluster.Cluster;
import weir.judge.caveat.ProfileCaveats;
import weir.judge.trial.JudgedTrial;
import weir.judge.trial.TrialJudge;
import weir.plan.Expectation;
import weir.plan.Experiment;
import weir.plan.property.ResolvedSecrets;
import weir.plan.trial.Trial;
import weir.plan.trial.Trials;
import weir.results.RunFolder;
import weir.results.TrialWriter;
import weir.results.profile.ProfiledTrial;
import weir.results.value.CatchUpResult;
import weir.results.value.Caveat;
import weir.results.value.GeneratorResult;
import weir.results.value.TrialEnd;
import weir.run.lab.Lab;

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
    Optional<JudgedTrial> carry(Trial trial, List<Expectation> limits, double maxRate) {
        GeneratorResult ceiling = ceilings.of(trial.variant());
        listener.trial(trial, trial.answers() ? planned : 0);
        try (TrialWriter writer = folder.trial(trial, lab.wall())) {
            boolean warm = clusters.running(trial.variant());
            Cluster cluster = clusters.of(trial.variant(), writer.brokerLogs());
            listener.brokers(trial, cluster::brokers);
            TrialRun run = new TrialRun(experiment, trial, lab, cluster, writer, listener, secrets, maxRate, runTag());
            running = run;
            if (interrupted) {
                return Optional.empty();
            }
            TrialEnd end = run.conduct(ceiling, limits, firstOfMany(trial, warm));
            running = null;
            if (!trial.profiled()) {
                facts.take(trial, cluster, run.hosts(), end);
            }
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
        boolean last = !trial.answers() || trial.number() == planned;
        return shared && !warm && !last;
    }

    private JudgedTrial finish(Trial trial, TrialEnd end, TrialRun run, TrialWriter writer) {
        TrialJudge judge = new TrialJudge(writer.end(end));
        JudgedTrial judged = judge.judged();
        judge.spectrum(writer);
        CatchUpResult catchUp = judged.result().catchUp();
        if (catchUp != null && catchUp.reached()) {
            run.caughtUp(end.measured().from() + catchUp.seconds());
        }
        List<Caveat> caveats = new ArrayList<>(judged.caveats());
        if (trial.profiled()) {
            ProfiledTrial.Contents contents = run.profiles().contents(judged.result());
            ProfiledTrial.write(writer.path(), contents);
            caveats.addAll(ProfileCaveats.of(trial.number(), contents));
        }
        writer.finish(judged.result(), caveats);
        judged.result().figures().violations().forEach(listener::note);
        return judged;
    }

    /**
     * A trial of the list, or a profiled one, that an earlier execution of this run has already done. One that was
     * interrupted is done once more.
     */
    Optional<JudgedTrial> done(Trial trial) {
        return (trial.profiled() ? folder.profiled() : folder.trials())
                .stream()
                        .filter(earlier ->
                                !trial.searches() && earlier.started().trial() == trial.number() && earlier.finished())
                        .map(JudgedTrial::of)
                        .filter(earlier -> !earlier.interrupted())
                        .findFirst();
    }

    private int runTag() {
        // Two runs of one experiment that start at once must not have the same.
        return new SecureRandom().nextInt();
    }
}
