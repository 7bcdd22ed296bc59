package weir.worker.agent;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.Stream;
import weir.worker.WorkerJvm;
import weir.worker.link.LinkJson;

/**
 * A request of a conductor to an agent, which answers it. Paths are those of the agent's host.
 *
 * @param words as JSON
 */
record HostCall(int number, Op op, List<String> words) {
    /** The kinds of requests. */
    enum Op {
        DESCRIBE,
        FREE_MEMORY,
        ROOM_ON_DISK,
        MISSING,
        FIND_PROGRAM,
        FREE_PORT,
        /** Reads probes of a process as long as those of the host itself. */
        WATCH,
        LOOK,
        NEW_FOLDER,
        OWN_FOLDER,
        MAKE_FOLDER,
        DELETE_FOLDER,
        /** The file may hold secrets. */
        WRITE_FILE,
        OPEN_SHIELD,
        CLOSE_SHIELD,
        /** Names files that are to be sent; answers the indexes of those that are not there yet. */
        OFFER,
        /** Comes behind all pieces of the files; answers the folder below which they stand. */
        PLACED,
        START_WORKER,
        START_PROGRAM
    }

    /**
     * An answer.
     *
     * @param value as JSON
     * @param failure why the request was not carried out; empty when it was
     */
    record Answer(int number, String value, String failure) {}

    /** The Java that Weir runs in on a host, and the address at which the conductor reaches it. */
    record Described(Path java, String address) {}

    /** A shield of a host, with its limits as the kernel reads them out. */
    record Shielded(List<Path> groups, SortedMap<String, String> kept) {}

    /**
     * A file that a process of a host will need.
     *
     * @param path where it stands here; there it stands at the same place below a folder
     * @param kept for later runs, too: it holds no secret
     */
    record Offered(String path, String sha256, long size, boolean kept) {}

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
    record Look(boolean on, long originNanos, List<HostedBroker> brokers) {
        Look {
            brokers = List.copyOf(brokers);
        }
    }

    static HostCall of(int number, Op op, Object... words) {
        return new HostCall(number, op, Stream.of(words).map(LinkJson::write).toList());
    }

    <T> T word(int index, Class<T> type) {
        return LinkJson.read(words.get(index), type);
    }

    Path path(int index) {
        return word(index, Path.class);
    }
}
