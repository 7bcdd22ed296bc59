package weir.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The files through which profilers and other tools attach to a JVM. HotSpot creates them in /tmp, even if
 * java.io.tmpdir is another folder. A killed JVM does not delete them.
 */
final class AttachFiles {
    private static final Path FOLDER = Path.of("/tmp");

    private AttachFiles() {}

    /** Deletes the files of an ended process, but not of a later process with the same id. */
    static void delete(long pid) {
        if (!ProcessId.of(pid).started().isEmpty()) {
            return;
        }
        for (String name : new String[] {".java_pid", ".attach_pid"}) {
            try {
                Files.deleteIfExists(FOLDER.resolve(name + pid));
            } catch (IOException notOurs) {
                // The file belongs to an earlier process of this number and of another user.
            }
        }
    }
}
