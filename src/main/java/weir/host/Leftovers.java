package weir.host;

import java.nio.file.Path;
import java.util.List;

/**
 * The items that a killed process left, or could not remove from a cluster.
 *
 * @param journal the file that records the items
 * @param children the children whose end the process did not record; they may have ended meanwhile
 * @param groups the control groups of its children
 * @param settings the lines of kernel files before they were changed
 * @param mounts the folders under which disks were mounted
 * @param resources the resources that it made on external clusters
 * @param runs the folders of unfinished runs
 * @param told true if the user was informed of the resources
 */
public record Leftovers(
        ProcessId owner,
        Path journal,
        List<ProcessId> children,
        List<Path> groups,
        List<KernelSetting> settings,
        List<Path> mounts,
        List<Path> folders,
        List<Resource> resources,
        List<Path> runs,
        boolean told) {
    public record Resource(ResourceType type, String bootstrap, String name) {}

    public Leftovers {
        children = List.copyOf(children);
        groups = List.copyOf(groups);
        settings = List.copyOf(settings);
        mounts = List.copyOf(mounts);
        folders = List.copyOf(folders);
        resources = List.copyOf(resources);
        runs = List.copyOf(runs);
    }

    public List<ProcessId> running() {
        return children.stream().filter(ProcessId::alive).toList();
    }
}
