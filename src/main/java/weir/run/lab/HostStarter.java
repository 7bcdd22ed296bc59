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
     * Starts an agent for each of these names and returns when they are about to connect.
     *
     * @param conductor HOST:PORT to which the agents connect
     * @param token the file that identifies an agent
     * @throws HostUnavailable when an agent cannot be started
     */
    void start(List<String> names, String conductor, Path token);

    /** The reason why a host was lost, as far as its creator, such as Kubernetes, knows it. Empty if unknown. */
    String lossReason(String name);
}
