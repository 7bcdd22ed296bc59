package weir.cli;

import java.nio.file.Path;
import weir.host.Folders;
import weir.host.Journal;

/** A folder for the experiment that a command writes by itself; gone with the command, or cleared when that was killed. */
final class WrittenExperiments implements AutoCloseable {
    private final Journal journal = Journal.open();
    private final Path folder = journal.newFolder("experiment");

    Path folder() {
        return folder;
    }

    @Override
    public void close() {
        Folders.delete(folder);
        journal.folderGone(folder);
        journal.close();
    }
}
