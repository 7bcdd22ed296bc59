package weir.host;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;

/** What this process would leave behind if it were killed now, written down so that a later one can clear it. */
@SuppressWarnings("DoNotCallSuggester")
public final class Journal implements AutoCloseable {
    private Journal() {}

    /** What a killed process left behind: its children and folders are cleared here, its topics by whoever can connect. */
    public record Leftovers(String owner, List<ProcessId> children, List<Path> folders, List<Topics> topics) {
        /** Topics made on a cluster that is not ours. */
        public record Topics(String bootstrap, List<String> names) {}
    }

    /** The journal of this process in the state folder of this user. */
    public static Journal open() {
        throw new UnsupportedOperationException();
    }

    public static Journal open(Path state) {
        throw new UnsupportedOperationException();
    }

    public void child(ProcessId child) {
        throw new UnsupportedOperationException();
    }

    public void childGone(ProcessId child) {
        throw new UnsupportedOperationException();
    }

    public void folder(Path folder) {
        throw new UnsupportedOperationException();
    }

    public void folderGone(Path folder) {
        throw new UnsupportedOperationException();
    }

    public void topics(String bootstrap, Collection<String> names) {
        throw new UnsupportedOperationException();
    }

    public void topicsGone(String bootstrap, Collection<String> names) {
        throw new UnsupportedOperationException();
    }

    /** What processes that are no more left behind. */
    public static List<Leftovers> leftovers(Path state) {
        throw new UnsupportedOperationException();
    }

    /** Kills the children and deletes the folders; tells what it did, a line each. */
    public static List<String> clear(Path state, Leftovers leftovers) {
        throw new UnsupportedOperationException();
    }

    /** {@code $XDG_STATE_HOME/weir}, or {@code ~/.local/state/weir}. */
    public static Path state() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
