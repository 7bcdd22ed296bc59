package weir.host;

import java.nio.file.Path;
import java.util.List;

/**
 * The leftovers of a process that was killed, or that a cluster did not let clean up.
 *
 * @param journal the file that records them
 * @param children the children that it had not seen end; they may have ended since
 * @param groups control groups, in which its children were
 * @param settings lines of files of the kernel, as they were before they were changed
 * @param mounts folders under which disks were put
 * @param resources the resources that it made on external clusters
 * @param runs the folders of runs that it had not concluded
 * @param told true when the user was told of the resources
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
