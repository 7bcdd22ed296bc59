package weir.cluster;

import java.nio.file.Path;

/**
 * One broker of a cluster.
 *
 * @param host the name of the host on which we have started it; empty for this machine, and for one that is not ours
 * @param pid on its machine; -1 when it does not run, or is not ours
 * @param log its log file here; empty when it is not ours
 * @param data its folder of partitions, on its machine; empty when it is not ours
 */
public record Broker(int id, String address, String rack, String host, long pid, Path log, Path data) {
    /** True when it is a process of this machine, now. */
    public boolean here() {
        return host.isEmpty() && pid > 0;
    }
}
