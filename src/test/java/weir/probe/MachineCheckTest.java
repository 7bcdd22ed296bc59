package weir.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weir.host.kernel.KernelFiles;
import weir.measure.Canary;
import weir.probe.Finding.Verdict;

class MachineCheckTest {
    private static final Map<String, String> FACTS = Map.of(
            "cpu.governor", "performance",
            "cpu.turbo", "off",
            "clock.source", "tsc",
            "cgroup.version", "2",
            "memory.huge.pages", "madvise",
            "filesystem", "ext4");

    private static final Map<String, Double> FIGURES = Map.ofEntries(
            Map.entry("cpu.usable", 8.0),
            Map.entry("canary.cpu.one", 600.0),
            Map.entry("canary.cpu.scaling", 7.9),
            Map.entry("canary.fsync", 0.2),
            Map.entry("canary.roundtrip", 20.0),
            Map.entry("canary.loopback", 3_000.0),
            Map.entry("canary.memory", 20_000.0),
            Map.entry("cpu.busy.percent", 1.0),
            Map.entry("cpu.steal.percent", 0.0),
            Map.entry("psi.cpu.some.percent", 0.1),
            Map.entry("psi.io.some.percent", 0.1),
            Map.entry("psi.memory.some.percent", 0.0),
            Map.entry("clock.read.ns", 25.0),
            Map.entry("sleep.late.p50.micros", 20.0),
            Map.entry("sleep.late.p99.micros", 80.0),
            Map.entry("memory.available.mib", 12_000.0),
            Map.entry("swap.mib", 0.0),
            Map.entry("limit.files", 100_000.0),
            Map.entry("disk.free.gib", 80.0),
            Map.entry("disk.free.percent", 40.0));

    @TempDir
    static Path folder;

    @Test
    void goodMachinePassesEveryCheck() {
        List<Finding> findings = new MachineCheck(FACTS, FIGURES).findings();
        assertThat(findings).hasSizeGreaterThan(20).allSatisfy(finding -> {
            assertThat(finding.verdict()).as(finding.name()).isEqualTo(Verdict.FINE);
            assertThat(finding.figure()).isNotEmpty();
            assertThat(finding.advice()).isEmpty();
        });
    }

    @Test
    void unreadableMachineFactsAreUnknown() {
        assertThat(new MachineCheck(Map.of(), Map.of()).findings())
                .hasSizeGreaterThan(20)
                .allSatisfy(finding -> {
                    assertThat(finding.verdict()).as(finding.name()).isEqualTo(Verdict.UNKNOWN);
                    assertThat(finding.figure()).isEmpty();
                    assertThat(finding.meaning()).contains("cannot be read here");
                });
    }

    @ParameterizedTest
    @CsvSource({
        "cores, cpu.usable, 1, BAD",
        "cores, cpu.usable, 2, DOUBT",
        "all cores together, canary.cpu.scaling, 5, DOUBT",
        "busy now, cpu.busy.percent, 15, DOUBT",
        "busy now, cpu.busy.percent, 60, BAD",
        "stolen by other machines, cpu.steal.percent, 1, DOUBT",
        "stolen by other machines, cpu.steal.percent, 8, BAD",
        "waiting for CPU (PSI), psi.cpu.some.percent, 9, DOUBT",
        "waiting for disks (PSI), psi.io.some.percent, 50, BAD",
        "waiting for memory (PSI), psi.memory.some.percent, 2, DOUBT",
        "reading the clock, clock.read.ns, 400, DOUBT",
        "reading the clock, clock.read.ns, 4000, BAD",
        "a sleep of 100 µs ends late by, sleep.late.p99.micros, 2000, DOUBT",
        "a sleep of 100 µs ends late by, sleep.late.p99.micros, 9000, BAD",
        "free memory, memory.available.mib, 2000, DOUBT",
        "free memory, memory.available.mib, 500, BAD",
        "swap, swap.mib, 2048, DOUBT",
        "open files a process may have, limit.files, 8192, DOUBT",
        "open files a process may have, limit.files, 1024, BAD",
        "free disk, disk.free.gib, 3, DOUBT",
        "free disk, disk.free.percent, 3, BAD",
        "fsync of 4 KiB, canary.fsync, 12, DOUBT",
        "loopback round trip, canary.roundtrip, 400, DOUBT",
        "loopback throughput, canary.loopback, 200, DOUBT"
    })
    void aFigureBeyondItsBoundIsJudgedAndSaysWhatToDo(String name, String key, double value, Verdict verdict) {
        Map<String, Double> figures = new HashMap<>(FIGURES);
        figures.put(key, value);
        judged(new MachineCheck(FACTS, figures), name, verdict);
    }

    @ParameterizedTest
    @CsvSource({
        "governor, cpu.governor, powersave, DOUBT",
        "turbo, cpu.turbo, on, DOUBT",
        "clock source, clock.source, hpet, BAD",
        "huge pages, memory.huge.pages, always, DOUBT",
        "file system of the runs, filesystem, tmpfs, DOUBT",
        "file system of the runs, filesystem, overlay, DOUBT",
        "file system of the runs, filesystem, nfs4, DOUBT",
        "cpu limit of the control group, cgroup.cpu.limit.cores, 1.50, DOUBT",
        "memory limit of the control group, cgroup.memory.limit.mib, 2048.00, DOUBT"
    })
    void aFactThatHarmsIsJudgedAndSaysWhatToDo(String name, String key, String value, Verdict verdict) {
        Map<String, String> facts = new HashMap<>(FACTS);
        facts.put(key, value);
        judged(new MachineCheck(facts, FIGURES), name, verdict);
    }

    private static void judged(MachineCheck bench, String name, Verdict verdict) {
        List<Finding> other = bench.findings().stream()
                .filter(finding -> finding.verdict() != Verdict.FINE)
                .toList();
        assertThat(other).extracting(Finding::name).containsExactly(name);
        assertThat(other.get(0).verdict()).isEqualTo(verdict);
        assertThat(other.get(0).advice()).isNotEmpty();
    }

    @Test
    void thisMachineIsLookedAt(@TempDir Path folder) throws Exception {
        Canary one = new Canary(CanaryBenchmarks.ONE_CORE, "M steps/s", true, 0.1, List.of(600.0));
        Canary all = new Canary(Canary.ALL_CORES, "M steps/s", true, 0.1, List.of(1_200.0));
        // The first wait is the CPU probe's, which needs real ticks of the machine.
        AtomicBoolean watched = new AtomicBoolean();
        MachineCheck bench = MachineSample.at(folder, List.of(one, all), due -> {
            if (watched.compareAndSet(false, true)) {
                LockSupport.parkNanos(100_000_000);
            }
            return due + 30_000;
        });
        assertThat(bench.facts()).containsKeys("kernel", "cpu.cores");
        assertThat(bench.figures())
                .containsEntry("canary.cpu.scaling", 2.0)
                .containsEntry("sleep.late.p99.micros", 30.0)
                .containsKeys(
                        "cpu.busy.percent", "clock.read.ns", "memory.available.mib", "limit.files", "disk.free.gib");
    }

    @Test
    void machineFactsAreReadFromKernelFiles(@TempDir Path root) {
        Tree tree = new Tree(root)
                .put("/proc/cpuinfo", """
                        processor	: 0
                        model name	: AMD EPYC
                        flags		: fpu hypervisor lahf_lm

                        processor	: 1
                        model name	: AMD EPYC
                        flags		: fpu hypervisor lahf_lm
                        """)
                .put("/proc/meminfo", "MemTotal: 2048000 kB\nSwapTotal: 0 kB\n")
                .put("/proc/sys/kernel/osrelease", "6.1.0-32-amd64\n")
                .put("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n")
                .put("/etc/os-release", "NAME=x\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n")
                .put(
                        "/proc/self/mountinfo",
                        "27 1 254:0 / / rw - ext4 /dev/vda rw\n30 27 0:2 / /shm rw - tmpfs t rw\n");
        assertThat(MachineFacts.of(tree.files(), Path.of("/shm/logs")))
                .contains(
                        entry("cpu.cores", "2"),
                        entry("cpu.model", "AMD EPYC"),
                        entry("cpu.virtualised", "true"),
                        entry("memory.mib", "2000"),
                        entry("swap.mib", "0"),
                        entry("memory.huge.pages", "madvise"),
                        entry("kernel", "6.1.0-32-amd64"),
                        entry("os", "Debian GNU/Linux 12 (bookworm)"),
                        entry("filesystem", "tmpfs"),
                        entry("java.vm.version", System.getProperty("java.vm.version")));
    }

    @Test
    void machineWithoutKernelFilesHasOnlyJavaFacts(@TempDir Path root) {
        assertThat(MachineFacts.of(new KernelFiles(root), Path.of("/")))
                .containsOnlyKeys("java.vendor", "java.vm.name", "java.vm.version", "os.arch");
    }

    @Test
    void realMachineHasKernelCoresAndFileSystemFacts() throws IOException {
        assertThat(MachineFacts.of(Path.of("")))
                .containsKeys("kernel", "cpu.cores", "memory.mib", "filesystem")
                .doesNotContainValue("");
    }

    private static Canary allCores() {
        return CanaryBenchmarks.run(folder, 12_000_000, Canary.ALL_CORES::equals)
                .get(0);
    }

    @Test
    void everyCanarySingsAndLeavesNoFile() {
        List<Canary> calm = CanaryBenchmarks.run(folder, 1_000_000, name -> true);
        assertThat(calm)
                .extracting(Canary::name)
                .containsExactly(
                        CanaryBenchmarks.ONE_CORE,
                        Canary.ALL_CORES,
                        CanaryBenchmarks.MEMORY,
                        CanaryBenchmarks.FSYNC,
                        CanaryBenchmarks.ROUND_TRIP,
                        CanaryBenchmarks.LOOPBACK);
        assertThat(calm).allSatisfy(canary -> assertThat(canary.rounds()).hasSizeBetween(5, 9));
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void starvedCpuHasHalfTheCanarySpeed() throws Exception {
        double before = allCores().median();
        double starved;
        List<Process> burners = new ArrayList<>();
        try {
            // At the same priority: four busy threads per core, more than parallel tests can have.
            for (int core = 0; core < 4 * Runtime.getRuntime().availableProcessors(); core++) {
                burners.add(new ProcessBuilder("/bin/sh", "-c", "while :; do :; done").start());
            }
            starved = allCores().median();
        } finally {
            burners.forEach(Process::destroyForcibly);
        }
        // Other tests may use the cores before or after.
        assertThat(starved).isLessThan(0.8 * Math.max(before, allCores().median()));
    }
}
