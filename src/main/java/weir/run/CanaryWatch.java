package weir.run;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import weir.judge.caveat.MachineCaveats;
import weir.measure.Canary;
import weir.plan.Experiment;
import weir.results.RunFolder;
import weir.results.Unwritable;
import weir.results.value.Caveat;
import weir.run.lab.Lab;

/**
 * Runs the machine benchmarks before the first trial and after the last one, while nothing of ours runs; not in the short
 * form of an experiment, whose numbers nobody builds on.
 */
final class CanaryWatch {
    private final RunFolder folder;
    private final Path disk;
    private final boolean silent;
    private final boolean limits;
    private final Lab lab;
    private final Consumer<String> notes;

    CanaryWatch(RunFolder folder, Experiment experiment, Lab lab, Consumer<String> notes) {
        this.folder = folder;
        this.disk = disk(folder, experiment);
        this.silent = experiment.shortened();
        this.limits = !experiment.searches().isEmpty();
        this.lab = lab;
        this.notes = notes;
    }

    // Where the brokers will write, when they are ours.
    private static Path disk(RunFolder folder, Experiment experiment) {
        Path data = experiment.variants().get(0).cluster().data();
        return !data.toString().isEmpty() && data.toFile().isDirectory() ? data : folder.path();
    }

    /** A resumed run keeps those from its very beginning: the machine may have changed since. */
    void before() {
        if (folder.canaries().before().isEmpty()) {
            folder.canaries(new weir.results.CanaryResults(run(), List.of()));
        }
    }

    List<Caveat> after() {
        weir.results.CanaryResults both =
                new weir.results.CanaryResults(folder.canaries().before(), run());
        try {
            folder.canaries(both);
        } catch (UncheckedIOException e) {
            notes.accept("the machine benchmarks after the run could not be stored: " + why(e));
        }
        List<Caveat> caveats = new ArrayList<>(MachineCaveats.drifted(both.drifted()));
        if (limits) {
            caveats.addAll(MachineCaveats.unsteady(
                    Stream.concat(both.before().stream(), both.after().stream()).toList()));
        }
        return caveats;
    }

    private static String why(UncheckedIOException e) {
        return e.getMessage() + ": " + Unwritable.reason(e).orElse(String.valueOf(e.getCause()));
    }

    private List<Canary> run() {
        if (silent) {
            return List.of();
        }
        try {
            return lab.canaries(disk);
        } catch (UncheckedIOException e) {
            // Not worth a run.
            notes.accept("the machine could not be benchmarked, so the report has no baseline of it: " + why(e));
            return List.of();
        }
    }
}
