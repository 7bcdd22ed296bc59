package weir.worker.agent;

import java.nio.file.Path;
import java.util.List;

/** Brings agents to hosts that are pods. */
public interface HostStarter {
    HostStarter NONE = new HostStarter() {
        @Override
        public void start(List<String> names, String conductor, Path token) {
            throw new WorkerHosts.Unavailable("pods are made by a conductor in a pod alone");
        }

        @Override
        public String fate(String name) {
            return "";
        }
    };

    /**
     * Returns when an agent of each of these names is about to connect.
     *
     * @param conductor HOST:PORT at which it does
     * @param token the file that it has to show
     * @throws WorkerHosts.Unavailable when one of them will not
     */
    void start(List<String> names, String conductor, Path token);

    /** A reason why a host is lost, as those who made it know it now; empty where they do not. */
    String fate(String name);
}
