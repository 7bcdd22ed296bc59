package weir.probe;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import weir.host.kernel.KernelFiles;
import weir.io.Io;
import weir.measure.ProbeMetric;
import weir.probe.HostProbes.Disk;
import weir.probe.HostProbes.HostCpu;
import weir.probe.HostProbes.HostMemory;
import weir.probe.HostProbes.Net;
import weir.probe.HostProbes.Paging;
import weir.probe.HostProbes.Pressure;
import weir.probe.ProcessProbes.Cgroup;
import weir.probe.ProcessProbes.ProcStat;
import weir.probe.ProcessProbes.ProcessTree;

/** The probes for each kind of observed object, such as a machine, a JVM or a broker. */
public final class Probes {
    private Probes() {}

    /** The machine: CPU, memory, pressure, loopback, and the disk of the brokers' folder. */
    public static List<Probe> host(Path data) {
        return Io.attempt("reading the disk of " + data, () -> hostOf(data.toRealPath()));
    }

    private static List<Probe> hostOf(Path data) {
        KernelFiles files = KernelFiles.LIVE;
        return List.of(
                new HostCpu(files),
                new HostMemory(files),
                new Paging(files),
                Pressure.ofHost(files),
                new Net(files, "lo"),
                new Disk(files, data));
    }

    public static List<ProbeMetric> drawn() {
        return Stream.of(hostOf(Path.of("/")), jvm(0, new BrokerJmx(0)), own(), tree(0))
                .flatMap(List::stream)
                .flatMap(probe -> probe.drawn().stream())
                .distinct()
                .toList();
    }

    /** The probes of a JVM on this machine with further probes, which all end with its process. */
    static List<Probe> jvm(long pid, Probe... more) {
        KernelFiles files = KernelFiles.LIVE;
        return Stream.concat(
                        Stream.of(new ProcStat(files, pid), new Pauses(files, pid), new Cgroup(files, pid)),
                        Stream.of(more))
                .toList();
    }

    /**
     * A broker on this machine: its JVM, its own metrics, and its disk if the machine's probes do not include it.
     *
     * @param data the folder that it writes to
     * @param others a folder on the machine's disk
     */
    public static List<Probe> broker(long pid, Path data, Path others) {
        List<Probe> probes = new ArrayList<>(jvm(pid, new BrokerJmx(pid)));
        Io.attempt("reading the disk of " + data, () -> {
            Path own = data.toRealPath();
            if (!Files.getFileStore(own).equals(Files.getFileStore(others))) {
                probes.add(new Disk(KernelFiles.LIVE, own));
            }
        });
        return List.copyOf(probes);
    }

    static List<Probe> tree(long pid) {
        return List.of(new ProcessTree(KernelFiles.LIVE, pid));
    }

    public static List<Probe> own() {
        return jvm(ProcessHandle.current().pid(), new OwnJvm());
    }
}
