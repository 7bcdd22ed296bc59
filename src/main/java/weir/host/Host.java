package weir.host;

import java.nio.file.Path;
import java.util.List;
import weir.plan.Limits;

/**
 * A machine, possibly this one, on which Weir starts processes of a run. All paths are paths on that machine, except
 * paths of logs, which Weir writes locally. Weir deletes its files on the machine after the run.
 */
public interface Host {
    /** The name of the host in the experiment; empty for this machine. */
    String name();

    /** The IP address at which clients reach the processes on this host. */
    String address();

    MachineResources resources();

    JavaRuntime java();

    /** Creates a folder in {@code below}, the brokers' data folder, or in Weir's own folder if that is empty. */
    Path newFolder(Path below, String name);

    default Path newFolder(String name) {
        return newFolder(Path.of(""), name);
    }

    /** A free port below the kernel's range for outgoing connections. A port is never returned twice. */
    int freePort();

    /** Creates a folder that is deleted after the run. */
    void own(Path folder);

    void folder(Path folder);

    void delete(Path folder);

    void write(Path file, byte[] content);

    List<Path> jars(List<Path> jars);

    /** A shield for a process that writes to {@code data}. The caller closes the shield after the process has ended. */
    Shield shield(String name, Limits limits, Path data);

    Child start(Command command);

    /** True if processes must watch their standard input to notice the end of Weir. */
    boolean tied();
}
