package weir.host;

import java.nio.file.Path;
import java.util.List;
import weir.plan.Limits;

/**
 * A machine on which processes of a run are started: this one, or another. Its paths are that machine's, but logs are written
 * here. What it makes is gone when the run is over, however that ends.
 */
public interface Place {
    /** The name of the host; empty for this machine. */
    String host();

    MachineResources resources();

    /** The runtime that Weir itself runs in there. */
    JavaRuntime java();

    Path newFolder(String name);

    /** A new folder below another, which is that of the data of brokers; below one of ours where that is an empty path. */
    Path newFolder(Path below, String name);

    /** A port that is free, below those that the kernel hands to outgoing connections; never the same again. */
    int freePort();

    /** Makes a folder of this path, which nobody needs after the run. */
    void own(Path folder);

    /** Makes a folder below one that is ours, with which it goes. */
    void folder(Path folder);

    void delete(Path folder);

    void write(Path file, byte[] content);

    /** These jars of this machine, as they stand there. */
    List<Path> jars(List<Path> jars);

    /** A shield for a process that writes to this folder; whoever opens it closes it when the process has ended. */
    Shield shield(String name, Limits limits, Path data);

    Child start(Command command);

    /** True when processes watch their standard input for our end. */
    boolean tied();
}
