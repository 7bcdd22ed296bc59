package weir.host;

import java.nio.file.Path;
import java.util.List;
import weir.plan.Limits;

/** The memory, disk, control groups and programs that a machine has for a run. An empty path of data is a folder of ours there. */
public interface MachineResources {
    /** This machine, and this folder for data that have none of their own. */
    static MachineResources here(Path home) {
        return new LocalResources(home);
    }

    /** The processors that a process there may use. */
    int processors();

    /** The memory that a new process could take without swapping, in bytes. */
    long freeMemory();

    /** The room on the disk behind a folder. */
    DiskRoom disk(Path data);

    /** The reasons why these limits cannot be kept for a process that writes to a folder, each with what would help. */
    List<String> missing(Limits limits, Path data);

    /** A program by its name; an empty path where there is none. */
    Path program(String name);
}
