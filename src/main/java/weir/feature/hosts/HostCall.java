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
        /** Samples a process as long as the host itself. */
        WATCH,
        LOOK,
        NEW_FOLDER,
        OWN_FOLDER,
        MAKE_FOLDER,
        DELETE_FOLDER,
        WRITE_FILE,
        OPEN_SHIELD,
        CLOSE_SHIELD,
        /** Tells which files are missing there. */
        OFFER,
        /** Takes a piece of a file. */
        TAKE,
        START_WORKER,
        START_PROGRAM
    }

    record Described(Path java, String address) {}

    record Shielded(List<Path> groups, SortedMap<String, String> kept) {}

    /**
     * A file that a process of a host will need.
     *
     * @param path its path here, which it keeps there below a folder
     * @param kept for later runs, too: it holds no secret
     */
    record Offered(String path, String sha256, long size, boolean kept) {}

    /** The folder below which files have their paths, and the indexes of those that are missing there. */
    record Wanted(Path root, List<Integer> files) {
        Wanted {
            files = List.copyOf(files);
        }
    }

    /**
     * A process to be started.
     *
     * @param channel that of its log, its signals and its end
     */
    record Worker(int channel, String name, WorkerJvm jvm, Duration limit) {}

    record Program(int channel, String name, List<String> arguments) {}

    /** @param endingNanos the time in which the process ends by itself */
    record Started(int channel, long pid, long endingNanos) {}

    /**
     * Probes to be read.
     *
     * @param originNanos second 0 of the readings, by the run's clock
     * @param brokers that run there
     */
    record Look(boolean on, long originNanos, List<WatchedProcess> brokers) {
        Look {
            brokers = List.copyOf(brokers);
        }
    }
}
