package weir.host;

import java.nio.file.Path;
import java.util.List;

/**
 * What a process that was killed left behind.
 *
 * @param journal the file that says so
 * @param children those that still run
 * @param topics those it made on clusters that are not ours, for whoever can connect
 * @param runs the folders of runs that it had not concluded
 */
public record Leftovers(
        ProcessId owner,
        Path journal,
        List<ProcessId> children,
        List<Path> folders,
        List<Topic> topics,
        List<Path> runs) {
    /** A topic on a cluster that is not ours. */
    public record Topic(String bootstrap, String name) {}

    public Leftovers {
        children = List.copyOf(children);
        folders = List.copyOf(folders);
        topics = List.copyOf(topics);
        runs = List.copyOf(runs);
    }
}
