package weir.cli.perf;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import weir.measure.Snapshot;
import weir.plan.syntax.CaveatType;
import weir.plan.trial.Estimate;
import weir.plan.trial.Trial;
import weir.results.ProbeReading;
import weir.results.RunFolder;
import weir.results.value.Caveat;
import weir.results.value.TrialResult;
import weir.run.RunListener;

/** The listener of a run for {@link PerfOutput}: what the tools do not print goes to standard error. */
final class PerfListener implements RunListener {
    private final PerfFlags.PerfWords words;
    private final PerfOutput lines;
    private final Printing printing;
    private SortedMap<String, Object> metrics = new TreeMap<>();

    /** The printing of the client's metrics. */
    interface Printing {
        void print(SortedMap<String, Object> metrics);
    }

    PerfListener(PerfFlags.PerfWords words, PerfOutput lines, Printing printing) {
        this.words = words;
        this.lines = lines;
        this.printing = printing;
    }

    /** Whoever names topic, number and throughput has been asked; what comes of it is told all the same. */
    @Override
    public boolean agrees(String question) {
        if (lines.writes()) {
            words.say(question.replace(" Go on?", ""));
        }
        return true;
    }

    @Override
    public void started(Path folder, Estimate estimate) {
        lines.begin();
    }

    @Override
    public void window(Trial trial, Snapshot window, long beganMillis) {
        lines.window(window, beganMillis);
    }

    @Override
    public void note(String text) {
        words.say(text);
    }

    @Override
    public void unfinished(String command) {
        words.say("interrupted");
    }

    @Override
    public void caveat(Caveat caveat) {
        if (caveat.level() != CaveatType.Level.NOTE) {
            words.say(caveat.level().name().toLowerCase(Locale.ROOT) + ": " + caveat.type() + ": " + caveat.evidence());
        }
    }

    @Override
    public void reading(Trial trial, ProbeReading reading) {
        lines.reading(reading);
    }

    @Override
    public void trialDone(TrialResult result) {
        lines.trial(result);
    }

    @Override
    public void metrics(Trial trial, SortedMap<String, Object> known) {
        metrics = known;
    }

    boolean broken() {
        return lines.broken();
    }

    void total(boolean interrupted) {
        lines.total(interrupted);
        printing.print(metrics);
    }

    void tell(RunFolder run, Path report) {
        List<String> told = lines.beyond(run);
        told.forEach(words::say);
        words.say("report: " + report);
    }
}
