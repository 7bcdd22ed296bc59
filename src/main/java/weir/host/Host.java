package weir.host;

import java.nio.file.Path;
import java.util.List;
import weir.plan.Limits;

/**
 * A machine on which processes of a run start: this one or another. Paths are paths on that machine, but Weir writes
 * logs here. All files made there are gone after the run, however it ends.
 */
public interface Host {
    /** The name of the host in the experiment; empty for this machine. */
    String name();

    /** The IP address at which clients of its processes reach it. */
    String address();

    MachineResources resources();

    JavaRuntime java();

    /** A new folder below the brokers' data folder {@code below}, or below a folder of Weir's own if that is empty. */
    Path newFolder(Path below, String name);

    default Path newFolder(String name) {
        return newFolder(Path.of(""), name);
    }

    /** A free port below the kernel's range for outgoing connections, never returned twice. */
    int freePort();

    /** Makes a folder that is deleted after the run. */
    void own(Path folder);

    void folder(Path folder);

    void delete(Path folder);

    void write(Path file, byte[] content);

    List<Path> jars(List<Path> jars);

    /** A shield for a process that writes to this folder; the caller closes it when the process has ended. */
    Shield shield(String name, Limits limits, Path data);

    Child start(Command command);

    /** True if processes watch their standard input to notice the end of Weir. */
    boolean tied();
}
