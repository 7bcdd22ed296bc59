package weir.host;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import weir.host.DiskThrottle.KernelSetting;

/**
 * The items that an ended process of Weir left, because it was killed or could not remove them from a cluster.
 *
 * @param children the children without a recorded end; they may have ended
 * @param settings the lines of kernel files before their change
 * @param mounts the folders of mounted disks
 * @param runs the folders of unfinished runs
 * @param reported true if Weir has reported the resources to a user
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
        boolean reported) {
    public record Resource(ResourceType type, String bootstrap, String name) {}

    /** The deletion of resources on their cluster. It throws {@code ClusterUnavailable} if the cluster does not answer. */
    public interface Deletion extends AutoCloseable {
        Set<String> topics(Collection<String> names);

        void delete(Resource resource);

        @Override
        void close();
    }

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

    /** The kinds of resources and settings that stay on a cluster until someone deletes them. */
    public enum ResourceType {
        TOPIC,
        GROUP,
        /** A limit of replication on a broker. */
        THROTTLE;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
