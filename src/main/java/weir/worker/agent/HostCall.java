package weir.worker.agent;

import java.nio.file.Path;
import java.util.List;
import weir.plan.Limits;
import weir.probe.WatchedProcess;

/** A request to an agent, which is answered. Paths are those of its host. */
sealed interface HostCall {
    /** The Java that Weir runs in there, and the address at which the conductor's machine reaches it. */
    record Describe() implements HostCall {}

    /** The memory that is free, in bytes. */
    record FreeMemory() implements HostCall {}

    /** The room on the disk behind a folder: its path and the bytes. */
    record RoomOnDisk(Path data) implements HostCall {}

    /** The reasons why limits cannot be kept. */
    record Missing(Limits limits, Path data) implements HostCall {}

    /** A program by its name. */
    record FindProgram(String name) implements HostCall {}

    record FreePort() implements HostCall {}

    /** Looks at a process as long as at the host itself. */
    record Watch(String source, WatchedProcess process) implements HostCall {}

    /**
     * A new folder.
     *
     * @param below the folder of brokers' data, or an empty path
     */
    record NewFolder(Path below, String name) implements HostCall {}

    /** A folder of ours. */
    record OwnFolder(Path path) implements HostCall {}

    /** A folder below one of ours. */
    record MakeFolder(Path path) implements HostCall {}

    record DeleteFolder(Path path) implements HostCall {}

    /** A file may hold secrets, and is told to nobody. */
    @SuppressWarnings("ArrayRecordComponent")
    record WriteFile(Path path, byte[] content) implements HostCall {}

    record OpenShield(String name, Limits limits, Path data) implements HostCall {}

    record CloseShield(List<Path> groups) implements HostCall {}

    /**
     * A program, until it ends.
     *
     * @param channel that of its log, its signals and its end
     */
    record StartProgram(int channel, String name, List<String> arguments) implements HostCall {}
}
