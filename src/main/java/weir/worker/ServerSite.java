package weir.worker;

import java.nio.file.Path;
import java.util.SortedMap;
import java.util.function.UnaryOperator;
import weir.host.Children;
import weir.host.Place;

/**
 * A machine on which servers of a trial are started.
 *
 * @param address the IP address at which clients of its servers reach it
 * @param files sends the files that client properties name, and returns the properties with the paths there
 */
public record ServerSite(Place place, String address, UnaryOperator<SortedMap<String, String>> files, Starter starter) {
    static final String LOOPBACK = "127.0.0.1";

    public interface Starter {
        StartedWorker start(WorkerJvm jvm, String name, Path log);
    }

    /** This machine, reached at {@code address}, or on loopback if that is empty. */
    public static ServerSite here(Place place, Children children, String address) {
        return new ServerSite(
                place,
                address.isEmpty() ? LOOPBACK : address,
                properties -> properties,
                (jvm, name, log) -> LocalWorker.start(children, jvm, name, log, WorkerListener.NONE));
    }
}
