package weir.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;
import weir.feature.Feature;

/** A check of a place other than this machine: {@code weir doctor --on PLACE}. */
public interface PlaceCheck extends Feature.Part {
    String place();

    /**
     * Checks the place, or removes the leftovers of runs; returns the exit code.
     *
     * @param file the experiment; empty for the experiment of {@code weir quick}
     * @param set the values of {@code --set}
     */
    int check(CommandLine command, FormatOption format, Path file, List<String> set, boolean cleans) throws IOException;
}
