package weir.worker.agent;

import java.nio.file.Path;
import java.util.List;
import weir.plan.Limits;

/** A request to an agent, which is answered. Paths are those of its host. */
sealed interface HostCall {
    /** The Java that Weir runs in there, and the address at which the conductor's machine reaches it. */
    record Describe() implements HostCall {}

    /**
     * The reasons why brokers cannot run there.
     *
     * @param within the limits of each
     * @param memory of all of them, in bytes
     * @param disk the bytes that they may write
     * @param data the folder that they will write to, or an empty path for one of ours
     */
    record Missing(Limits within, long memory, long disk, Path data) implements HostCall {}

    record NewFolder(String name) implements HostCall {}

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
