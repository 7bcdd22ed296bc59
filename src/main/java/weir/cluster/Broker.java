package weir.cluster;

import java.nio.file.Path;

/**
 * One broker of a cluster.
 *
 * @param host the name of the host on which Weir started it; empty for this machine and for a broker that Weir did not
 * start
 * @param pid its process id on its machine; -1 if it does not run, or Weir did not start it
 * @param log its log file on this machine; empty if Weir did not start it
 * @param data its folder of partitions, on its machine; empty if Weir did not start it
 */
public record Broker(int id, String address, String rack, String host, long pid, Path log, Path data) {
    /** True while the broker runs as a process of this machine. */
    public boolean here() {
        return host.isEmpty() && pid > 0;
    }
}
