package weir.cli;

import java.nio.file.Path;
import weir.host.Journal;

/**
 * A folder for an experiment that a command writes. It is deleted when the command ends; if the command was killed, a
 * later one deletes it.
 */
public final class GeneratedExperiment implements AutoCloseable {
    private final Journal journal = Journal.open();
    private final Path folder = journal.newFolder("experiment");

    public Path folder() {
        return folder;
    }

    @Override
    public void close() {
        journal.delete(folder);
        journal.close();
    }
}
