package weir.run;

import java.nio.file.Path;
import weir.results.RunLabels;

/**
 * The options of a run that are not part of its experiment.
 *
 * @param root the folder of all runs
 * @param yes whether the user has already agreed to load a cluster that Weir did not start
 * @param maxRate highest allowed operations per second, 0 for no bound
 * @param maxSeconds seconds after which no new trial starts, 0 for no bound
 * @param resume the folder of a run to finish, empty to start a new one
 * @param weir the version of Weir
 * @param command the command as the user typed it, for the report
 * @param strict whether a suspect or unfinished run exits like an invalid one
 * @param labels the user's labels of the run
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
