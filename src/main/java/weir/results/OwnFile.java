package weir.results;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** A file that belongs to the folder it is found in: no link to somewhere else, no device or pipe that never ends. */
final class OwnFile {
    private OwnFile() {}

    static Path check(Path file) {
        if (Files.isSymbolicLink(file)) {
            throw new UnreadableRunException(file + ": is a link; a run folder holds its own files");
        }
        if (Files.exists(file) && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new UnreadableRunException(file + ": is no plain file, as all files of a run are");
        }
        return file;
    }

    static Path checkFolder(Path folder) {
        if (Files.isSymbolicLink(folder)) {
            throw new UnreadableRunException(folder + ": is a link; a run folder holds its own folders");
        }
        return folder;
    }
}
