package weir.cli;

import java.nio.file.Path;
import weir.host.Journal;

/** A temporary folder of an experiment file, deleted at the end of the command, or by a later command after a kill. */
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
