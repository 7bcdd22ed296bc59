package weir.run;

import java.nio.file.Path;
import weir.results.RunLabels;

/**
 * The options of a run that are not part of its experiment.
 *
 * @param yes true if the user has already agreed to load an external cluster
 * @param maxRate highest allowed operations per second; 0 for no limit
 * @param maxSeconds seconds after which no new trial starts; 0 for no limit
 * @param resume the folder of a run to finish; empty for a new run
 * @param strict true if a suspect or unfinished run has the exit code of an invalid run
 */
public record RunOptions(
        Path root,
        boolean yes,
        double maxRate,
        double maxSeconds,
        Path resume,
        String weir,
        String command,
        boolean strict,
        RunLabels labels) {
    public static final Path NEW = Path.of("");

    public RunOptions(
            Path root, boolean yes, double maxRate, double maxSeconds, Path resume, String weir, String command) {
        this(root, yes, maxRate, maxSeconds, resume, weir, command, false, RunLabels.NONE);
    }

    boolean resumes() {
        return !resume.equals(NEW);
    }
}
