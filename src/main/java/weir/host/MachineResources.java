package weir.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import weir.host.kernel.ControlGroup.FreeMemory;
import weir.host.kernel.KernelFiles;
import weir.io.Io;
import weir.plan.Limits;

/** The resources of a machine. An empty data path means Weir's own folder on the machine. */
public interface MachineResources {
    static MachineResources here(Path home) {
        return new LocalResources(home);
    }

    int processors();

    /** The memory that a new process could take without swapping, in bytes. */
    long freeMemory();

    FreeDiskSpace disk(Path data);

    /** The reasons why these limits cannot be enforced for a process that writes to the folder, each with a remedy. */
    List<String> missing(Limits limits, Path data);

    Path program(String name);

    record LocalResources(Path home) implements MachineResources {
        @Override
        public int processors() {
            return Runtime.getRuntime().availableProcessors();
        }

        @Override
        public long freeMemory() {
            try {
                return FreeMemory.bytes(
                        KernelFiles.LIVE, ProcessHandle.current().pid());
            } catch (IOException e) {
                throw new UncheckedIOException("reading the free memory: " + e.getMessage(), e);
            }
        }

        @Override
        public FreeDiskSpace disk(Path data) {
            return FreeDiskSpace.behind(ours(data));
        }

        @Override
        public List<String> missing(Limits limits, Path data) {
            return Io.attempt(
                    "reading the disk of " + data,
                    () -> Shields.ofThisMachine()
                            .missing(limits, FreeDiskSpace.existing(ours(data)).toRealPath()));
        }

        @Override
        public Path program(String name) {
            return Programs.named(name);
        }

        private Path ours(Path data) {
            return data.toString().isEmpty() ? home : data;
        }
    }
}
