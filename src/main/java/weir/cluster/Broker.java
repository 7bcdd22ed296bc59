package weir.cluster;

import java.nio.file.Path;

/**
 * One broker of a cluster.
 *
 * @param host the host on which Weir started the broker; empty for this machine and for other brokers
 * @param pid the process id on its host; -1 if the broker is down or Weir did not start it
 * @param log the log file on this machine; empty if Weir did not start the broker
 * @param data the data folder on its host; empty if Weir did not start the broker
 */
public record Broker(int id, String address, String rack, String host, long pid, Path log, Path data) {
    public boolean here() {
        return host.isEmpty() && pid > 0;
    }
}
