package weir.feature.hosts;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import weir.probe.WatchedProcess;
import weir.worker.WorkerJvm;

/** The requests of a conductor to an agent, with their arguments and answers. Paths are those of the agent's host. */
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
     * A file that a process of a host needs.
     *
     * @param path on this machine; the host keeps it below a folder
     * @param kept for later runs, because it holds no secret
     */
    record OfferedFile(String path, String sha256, long size, boolean kept) {}

    /** The folder below which the host keeps files, and the indexes of the missing ones. */
    record MissingFiles(Path root, List<Integer> files) {
        MissingFiles {
            files = List.copyOf(files);
        }
    }

    /** @param channel for its log, its signals and its end */
    record Worker(int channel, String name, WorkerJvm jvm, Duration limit) {}

    record Program(int channel, String name, List<String> arguments) {}

    /** @param endingNanos time in which the process ends by itself */
    record Started(int channel, long pid, long endingNanos) {}

    /** @param originNanos second 0 of the readings, by the run's clock */
    record ProbeRequest(boolean on, long originNanos, List<WatchedProcess> brokers) {
        ProbeRequest {
            brokers = List.copyOf(brokers);
        }
    }
}
