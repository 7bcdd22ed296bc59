package weir.feature.hosts;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import weir.probe.WatchedProcess;
import weir.worker.WorkerJvm;

/** The requests of a conductor to an agent, with their arguments and answers. Paths are paths of the agent's host. */
final class HostCall {
    private HostCall() {}

    enum Op {
        DESCRIBE,
        FREE_MEMORY,
        ROOM_ON_DISK,
        MISSING,
        FIND_PROGRAM,
        FREE_PORT,
        WATCH,
        LOOK,
        NEW_FOLDER,
        OWN_FOLDER,
        MAKE_FOLDER,
        DELETE_FOLDER,
        WRITE_FILE,
        OPEN_SHIELD,
        CLOSE_SHIELD,
        OFFER,
        TAKE,
        START_WORKER,
        START_PROGRAM
    }

    record Described(Path java, String address) {}

    record Shielded(List<Path> groups, SortedMap<String, String> kept) {}

    /**
     * @param path on the conductor's machine; the host stores the file at this path below a folder
     * @param kept true if the host keeps the file for later runs, because it contains no secret
     */
    record OfferedFile(String path, String sha256, long size, boolean kept) {}

    record MissingFiles(Path root, List<Integer> files) {
        MissingFiles {
            files = List.copyOf(files);
        }
    }

    record Worker(int channel, String name, WorkerJvm jvm, Duration limit) {}

    record Program(int channel, String name, List<String> arguments) {}

    /** {@code endingNanos} is the time for the process to end by itself before it is killed. */
    record Started(int channel, long pid, long endingNanos) {}

    /** {@code originNanos} is the time of the run's clock at second 0 of the readings. */
    record ProbeRequest(boolean on, long originNanos, List<WatchedProcess> brokers) {
        ProbeRequest {
            brokers = List.copyOf(brokers);
        }
    }
}
