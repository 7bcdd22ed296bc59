package weir.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import weir.host.kernel.FreeMemory;
import weir.host.kernel.KernelFiles;
import weir.plan.Limits;

/** This machine, as it is now. */
record LocalResources(Path home) implements MachineResources {
    @Override
    public int processors() {
        return Runtime.getRuntime().availableProcessors();
    }

    @Override
    public long freeMemory() {
        try {
            return FreeMemory.bytes(KernelFiles.LIVE, ProcessHandle.current().pid());
        } catch (IOException e) {
            throw new UncheckedIOException("asking for the free memory: " + e.getMessage(), e);
        }
    }

    @Override
    public DiskRoom disk(Path data) {
        return DiskRoom.behind(ours(data));
    }

    @Override
    public List<String> missing(Limits limits, Path data) {
        try {
            return Shields.ofThisMachine()
                    .missing(limits, DiskRoom.existing(ours(data)).toRealPath());
        } catch (IOException e) {
            throw new UncheckedIOException("asking where " + data + " is", e);
        }
    }

    @Override
    public Path program(String name) {
        return Programs.named(name);
    }

    private Path ours(Path data) {
        return data.toString().isEmpty() ? home : data;
    }
}
