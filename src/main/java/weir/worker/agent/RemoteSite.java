package weir.worker.agent;

import java.nio.file.Path;
import java.time.Duration;
import java.util.SortedMap;
import weir.worker.ServerSite;
import weir.worker.StartedWorker;
import weir.worker.WorkerJvm;
import weir.worker.WorkerListener;

/**
 * Another machine, on which servers are started.
 *
 * @param limit the time after which they are killed there
 */
public record RemoteSite(RemoteHost machine, RemotePlace place, Duration limit) implements ServerSite {
    public RemoteSite(RemoteHost machine, Duration limit) {
        this(machine, machine.place(), limit);
    }

    @Override
    public String address() {
        return place.address();
    }

    @Override
    public SortedMap<String, String> properties(SortedMap<String, String> named) {
        return AssignmentFiles.placed(named, machine);
    }

    @Override
    public StartedWorker start(WorkerJvm jvm, String name, Path log) {
        return machine.startServer(jvm, name, log, limit, WorkerListener.NONE);
    }
}
