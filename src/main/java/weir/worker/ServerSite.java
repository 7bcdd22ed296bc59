package weir.worker;

import java.nio.file.Path;
import java.util.SortedMap;
import java.util.function.UnaryOperator;
import weir.host.Host;
import weir.host.LocalHost;
import weir.measure.LoadListener;

/**
 * A machine on which servers of a trial run.
 *
 * @param files copies the files in client properties to that machine, and returns the properties with the paths there
 */
public record ServerSite(Host host, UnaryOperator<SortedMap<String, String>> files, Starter starter) {
    static final String LOOPBACK = "127.0.0.1";

    public interface Starter {
        StartedWorker start(WorkerJvm jvm, String name, Path log);
    }

    public static ServerSite here(LocalHost host, LoadListener listener) {
        return new ServerSite(
                host,
                properties -> properties,
                (jvm, name, log) -> LocalWorker.start(host.children(), jvm, name, log, listener));
    }
}
