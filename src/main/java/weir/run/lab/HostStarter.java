package weir.run.lab;

import java.nio.file.Path;
import java.util.List;
import weir.host.HostUnavailable;

/** A starter of Weir's agents on hosts that are pods. */
public interface HostStarter {
    HostStarter NONE = new HostStarter() {
        @Override
        public void start(List<String> names, String conductor, Path token) {
            throw new HostUnavailable("only a run in a pod can create pods");
        }

        @Override
        public String lossReason(String name) {
            return "";
        }
    };

    /**
     * Starts an agent for each of these names; returns shortly before they connect.
     *
     * @param conductor HOST:PORT for the agents' connection
     * @param token the file that identifies an agent
     * @throws HostUnavailable if an agent cannot be started
     */
    void start(List<String> names, String conductor, Path token);

    /** The reason for the loss of a host according to its creator, such as Kubernetes; empty if unknown. */
    String lossReason(String name);
}
