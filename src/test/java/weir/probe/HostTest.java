package weir.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.probe.HostProbes.HostCpu;
import weir.probe.HostProbes.HostMemory;
import weir.probe.HostProbes.Net;
import weir.probe.HostProbes.Paging;
import weir.probe.HostProbes.Pressure;

class HostTest {
    private static final String START = "cpu  1000 10 500 9000 100 5 5 50 0 0";

    private final Tree tree;

    HostTest(@TempDir Path root) {
        tree = new Tree(root);
    }

    @Test
    void cpuTimeIsSharedOutInPercentOfAllCores() {
        HostCpu cpu = new HostCpu(tree.files());
        stat(START);
        tree.look(cpu);
        // 200 ticks in one second on two cores: 60 + 2 user, 30 + 3 + 3 system, 20 iowait, 10 steal, the rest idle.
        stat("cpu  1060 12 530 9072 120 8 8 60 0 0");
        Map<String, Double> read = tree.look(cpu);
        assertThat(read)
                .containsKeys(Tree.drawn(cpu))
                .contains(
                        entry("cpu.user.percent", 31.0),
                        entry("cpu.system.percent", 18.0),
                        entry("cpu.busy.percent", 49.0),
                        entry("cpu.iowait.percent", 10.0),
                        entry("cpu.steal.percent", 5.0),
                        entry("run.queue.threads", 3.0),
                        entry("blocked.threads", 1.0),
                        entry("context.switches.per.s", 0.0));
        assertThat(read.get("cpu.cores")).isCloseTo(0.98, within(1e-9));
    }

    private Map<String, Double> cpuBetween(String before, String after) {
        HostCpu cpu = new HostCpu(tree.files());
        stat(before);
        tree.look(cpu);
        stat(after);
        return tree.look(cpu);
    }

    @Test
    void cpuUsageIsCappedAtAllCores() {
        Map<String, Double> read = cpuBetween(START, "cpu  1150 10 552 9000 100 5 5 50 0 0");
        assertThat(read.get("cpu.busy.percent")).isCloseTo(100, within(1e-9));
        assertThat(read.get("cpu.cores")).isCloseTo(2, within(1e-9));
    }

    @Test
    void aKernelWithoutStealHasNoSteal() {
        assertThat(cpuBetween("cpu  1000 10 500 9000 100 5 5", "cpu  1100 10 500 9000 100 5 5"))
                .doesNotContainKey("cpu.steal.percent")
                .containsKey("cpu.user.percent");
        assertThat(tree.absent()).containsExactly("cpu.steal.percent: this kernel's /proc/stat has no steal column");
    }

    @Test
    void iowaitThatGoesBackwardsIsAbsentAndTheRestIsNot() {
        assertThat(cpuBetween(START, "cpu  1060 12 530 9072 99 8 8 60 0 0"))
                .doesNotContainKey("cpu.iowait.percent")
                .containsKey("cpu.steal.percent");
    }

    @Test
    void memoryIsInMebibytesAndFaultsArePerSecond() {
        HostMemory memory = new HostMemory(tree.files());
        tree.put("/proc/meminfo", """
                MemTotal:       24684092 kB
                MemAvailable:    2048000 kB
                Cached:            10240 kB
                Dirty:              1024 kB
                Writeback:           512 kB
                Active(anon):       1520 kB
                HugePages_Total:       0
                """);
        tree.look(memory);
        assertThat(tree.look(memory))
                .containsOnly(
                        entry("memory.available.mib", 2000.0),
                        entry("memory.cached.mib", 10.0),
                        entry("memory.dirty.mib", 1.0),
                        entry("memory.writeback.mib", 0.5));
    }

    @Test
    void pageFaultsAreReadAndMissingKernelCountersAreAbsent() {
        Paging paging = new Paging(tree.files());
        tree.put("/proc/vmstat", vmstat(0, 700));
        tree.look(paging);
        tree.put("/proc/vmstat", vmstat(1, 742));
        assertThat(tree.look(paging))
                .containsOnly(
                        entry("faults.minor.per.s", 958.0),
                        entry("faults.major.per.s", 42.0),
                        entry("pages.in.mib.per.s", 1.0),
                        entry("pages.out.mib.per.s", 2.0),
                        entry("pages.scanned.per.s", 30.0),
                        entry("pages.stolen.per.s", 12.0),
                        entry("swap.in.mib.per.s", 1.0),
                        entry("swap.out.mib.per.s", 0.0));
        tree.put("/proc/vmstat", "nr_dirty 1\npgmajfault 900\n");
        assertThat(tree.look(paging)).containsOnlyKeys("faults.major.per.s");
        assertThat(tree.absent())
                .contains("faults.minor.per.s: /proc/vmstat has no line 'pgfault'")
                .noneMatch(line -> line.startsWith("faults.major"));
    }

    private static String vmstat(int seconds, int majorFaults) {
        return """
                nr_dirty 155
                pgpgin %d
                pgpgout %d
                pswpin %d
                pswpout 7
                pgfault %d
                pgmajfault %d
                pgscan_kswapd %d
                pgscan_direct %d
                pgsteal_kswapd %d
                pgsteal_direct 3
                """.formatted(
                        5 + 1024 * seconds,
                        9 + 2048 * seconds,
                        256 * seconds,
                        5_000 + 1_000 * seconds,
                        majorFaults,
                        20 * seconds,
                        10 * seconds,
                        12 * seconds);
    }

    @Test
    void kernelBefore314HasNoAvailableMemory() {
        tree.put("/proc/meminfo", "MemTotal: 100 kB\nCached: 1024 kB\nDirty: 0 kB\nWriteback: 0 kB\n");
        assertThat(tree.look(new HostMemory(tree.files())))
                .containsEntry("memory.cached.mib", 1.0)
                .doesNotContainKey("memory.available.mib");
        assertThat(tree.absent())
                .containsExactly("memory.available.mib: this kernel's /proc/meminfo has no line 'MemAvailable'");
    }

    @Test
    void pressureIsTheShareOfASecondSpentWaiting() {
        Pressure pressure = Pressure.ofHost(tree.files());
        pressure(1_000_000, 10);
        tree.look(pressure);
        pressure(1_250_000, 10_010);
        Map<String, Double> read = tree.look(pressure);
        assertThat(read.get("psi.cpu.some.percent")).isCloseTo(25, within(1e-9));
        assertThat(read.get("psi.io.full.percent")).isCloseTo(1, within(1e-9));
        // Kernels before 5.13 have no line "full" for the CPU.
        assertThat(read).containsKeys(Tree.drawn(pressure)).hasSize(5).doesNotContainKey("psi.cpu.full.percent");
    }

    @Test
    void missingPressureFilesGiveAnAbsence() {
        assertThat(tree.look(Pressure.ofHost(tree.files()))).isEmpty();
        assertThat(tree.absent()).hasSize(3).first().asString().contains("psi.cpu.*", "does not exist");
    }

    @Test
    void loopbackBytesAndRetransmissionsAreRead() {
        Net net = new Net(tree.files(), "lo");
        net(1_048_576, 5);
        tree.look(net);
        net(3_145_728, 7);
        assertThat(tree.look(net))
                .containsOnly(
                        entry("net.lo.received.mib.per.s", 2.0),
                        entry("net.lo.sent.mib.per.s", 0.0),
                        entry("net.lo.dropped", 0.0),
                        entry("tcp.retransmits", 2.0));
    }

    @Test
    void anInterfaceThatIsNotThereIsNamed() {
        net(1, 1);
        tree.look(new Net(tree.files(), "eth9"));
        assertThat(tree.absent()).containsExactly("net.eth9.*: /proc/net/dev has no interface 'eth9'");
    }

    private void stat(String cpu) {
        tree.put("/proc/stat", cpu + """

                cpu0 269 0 241 36478 6 0 4 0 0 0
                cpu1 525 0 568 35681 167 0 13 6 0 0
                intr 100467 0 0 0
                ctxt 217906
                btime 1795154584
                procs_running 3
                procs_blocked 1
                """);
    }

    private void pressure(long cpu, long io) {
        String some = "some avg10=0.24 avg60=0.12 avg300=0.15 total=";
        String full = "\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=";
        tree.put("/proc/pressure/cpu", some + cpu + "\n");
        tree.put("/proc/pressure/io", some + io + full + io + "\n");
        tree.put("/proc/pressure/memory", some + 0 + full + 0 + "\n");
    }

    private void net(long received, long retransmits) {
        tree.put("/proc/net/dev", """
                Inter-|   Receive                                                |  Transmit
                 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo
                    lo:%d 29 0 0 0 0 0 0 3193 29 0 0 0 0 0 0
                  eth0: 31513460     779    0    0    0     0          0         0    44964     490    0    0    0 0 0 0
                """.formatted(received));
        tree.put("/proc/net/snmp", """
                Ip: Forwarding DefaultTTL
                Ip: 2 64
                Tcp: RtoAlgorithm RtoMin RtoMax MaxConn OutSegs RetransSegs InErrs
                Tcp: 1 200 120000 -1 482 %d 0
                """.formatted(retransmits));
    }
}
