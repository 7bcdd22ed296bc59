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
     * Prints what a run would find there, or removes what runs left there; returns the exit code.
     *
     * @param file the experiment; empty for that of {@code weir quick}
     * @param set values over those of the file, as in {@code --set}
     */
    int check(CommandLine command, FormatOption format, Path file, List<String> set, boolean cleans) throws IOException;
}
