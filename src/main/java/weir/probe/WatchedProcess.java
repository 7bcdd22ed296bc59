package weir.probe;

import java.nio.file.Path;
import java.util.List;
import weir.host.kernel.KernelFiles;
import weir.probe.ProcessProbes.Cgroup;
import weir.probe.ProcessProbes.ProcStat;

/**
 * A process that Weir samples from outside, on its own machine.
 *
 * @param source the source name of its readings: broker-2, gateway-1, haproxy
 * @param host the name of its host in the experiment; empty for this machine
 * @param data the folder that a broker writes to; empty for other processes
 */
public record WatchedProcess(Kind kind, String source, String host, long pid, Path data) {
    public enum Kind {
        BROKER,
        JVM,
        PROGRAM,
        /** A program with all processes that it starts. */
        TREE
    }

    public WatchedProcess(Kind kind, String source, String host, long pid) {
        this(kind, source, host, pid, Path.of(""));
    }

    /** The probes of the process; {@code disk} is a folder on the disk of the machine's probes. */
    public List<Probe> probes(Path disk) {
        return switch (kind) {
            case BROKER -> Probes.broker(pid, data, disk);
            case JVM -> Probes.jvm(pid);
            case PROGRAM -> List.of(new ProcStat(KernelFiles.LIVE, pid), new Cgroup(KernelFiles.LIVE, pid));
            case TREE -> Probes.tree(pid);
        };
    }
}
