package weir.worker;

import java.nio.file.Path;
import java.util.SortedMap;
import weir.host.Place;

/** A machine on which servers of a trial are started. */
public interface ServerSite {
    String LOOPBACK = "127.0.0.1";

    /** The IP address at which those who connect to its servers reach it. */
    String address();

    Place place();

    /** These properties of a client; files that they name are sent there, and are named as they stand there. */
    SortedMap<String, String> properties(SortedMap<String, String> named);

    /** A worker that is not prepared yet. */
    StartedWorker start(WorkerJvm jvm, String name, Path log);
}
