package weir.run.lab;

import java.nio.file.Path;
import java.util.List;
import weir.host.HostUnavailable;

/** A starter of agents on hosts that are pods. */
public interface HostStarter {
    HostStarter NONE = new HostStarter() {
        @Override
        public void start(List<String> names, String conductor, Path token) {
            throw new HostUnavailable("only a conductor in a pod can create pods");
        }

        @Override
        public String lossReason(String name) {
            return "";
        }
    };

    /**
     * Returns when an agent of each of these names is about to connect.
     *
     * @param conductor HOST:PORT at which it does
     * @param token the file with which the agent identifies itself
     * @throws HostUnavailable when one of them cannot be started
     */
    void start(List<String> names, String conductor, Path token);

    /** The reason why a host is lost, as its creator knows it now; empty if unknown. */
    String lossReason(String name);
}
