package weir.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;
import weir.feature.Feature;

/** The check of a place other than this machine: {@code weir doctor --on PLACE}. */
public interface PlaceCheck extends Feature.Part {
    String place();

    /**
     * Prints the conditions for a run in that place, or removes the leftovers of earlier runs there; returns the exit
     * code.
     *
     * @param file the experiment file; empty for the experiment of {@code weir quick}
     * @param set values that override those of the file, as in {@code --set}
     */
    int check(CommandLine command, FormatOption format, Path file, List<String> set, boolean cleans) throws IOException;
}
