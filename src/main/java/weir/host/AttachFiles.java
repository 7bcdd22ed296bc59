package weir.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The files through which a JVM is attached to, as profilers do.
 *
 * <p>HotSpot makes them in /tmp, whatever java.io.tmpdir says, and removes them at its own end, but not when it is killed.
 */
final class AttachFiles {
    private static final Path FOLDER = Path.of("/tmp");

    private AttachFiles() {}

    /** Deletes what a process left that is no more; those of a later one with the same number stay. */
    static void delete(long pid) {
        if (!ProcessId.of(pid).started().isEmpty()) {
            return;
        }
        for (String name : new String[] {".java_pid", ".attach_pid"}) {
            try {
                Files.deleteIfExists(FOLDER.resolve(name + pid));
            } catch (IOException notOurs) {
                // That of another user, who had this number before.
            }
        }
    }
}
