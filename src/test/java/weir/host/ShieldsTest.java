package weir.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.host.kernel.KernelFiles;
import weir.plan.ByteSize;
import weir.plan.Limits;

/** Limits on recorded file trees of both versions of control groups, and on the groups of this machine. */
class ShieldsTest {
    private static final Limits ALL = new Limits(1.5, new ByteSize(1 << 30), new ByteSize(50 << 20), List.of(0, 2));
    private static final Path DATA = Path.of("/var/data");

    @TempDir
    Path root;

    private KernelFiles files() {
        return new KernelFiles(root);
    }

    private void put(String path, String text) {
        try {
            Files.createDirectories(files().at(path).getParent());
            Files.writeString(files().at(path), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void machine(String cgroups, String own) {
        put("/proc/self/mountinfo", "22 1 254:1 / / rw,relatime - ext4 /dev/root rw\n" + cgroups);
        put("/proc/17/cgroup", own);
        put("/proc/17/status", "Name:\tjava\nCpus_allowed_list:\t0-2\n");
        put("/proc/meminfo", "MemTotal: 2097152 kB\n");
        put("/proc/diskstats", " 254 0 vda 1 2 3 4 5 6 7 8 9 0 1\n 254 1 vda1 1 2 3 4 5 6 7 8 9 0 1\n");
        put("/sys/devices/block/vda/dev", "254:0\n");
        put("/sys/devices/block/vda/vda1/partition", "1\n");
        try {
            Files.createDirectories(files().at("/sys/dev/block"));
            Files.deleteIfExists(files().at("/sys/dev/block/254:1"));
            Files.createSymbolicLink(files().at("/sys/dev/block/254:1"), files().at("/sys/devices/block/vda/vda1"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void version1() {
        machine("""
                31 22 0:28 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu
                32 22 0:29 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory
                33 22 0:30 / /sys/fs/cgroup/blkio rw - cgroup cgroup rw,blkio
                34 22 0:31 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset
                """, "4:memory:/mine\n3:blkio:/\n2:cpuset:/\n1:cpu:/\n");
        put("/sys/fs/cgroup/memory/mine/memory.limit_in_bytes", "9223372036854771712\n");
        put("/sys/fs/cgroup/cpu/cgroup.procs", "");
        put("/sys/fs/cgroup/blkio/cgroup.procs", "");
        put("/sys/fs/cgroup/cpuset/cpuset.mems", "0\n");
    }

    private void version2() {
        machine("41 22 0:38 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n", "0::/user/weir.scope\n");
        put("/sys/fs/cgroup/user/weir.scope/cgroup.controllers", "cpuset cpu io memory pids\n");
        put("/sys/fs/cgroup/user/weir.scope/cgroup.subtree_control", "");
    }

    private Shield open(Journal journal) {
        return open(journal, ALL, Shields.CpuShare.EQUAL);
    }

    private Shield open(Journal journal, Limits limits, Shields.CpuShare share) {
        return new Shields(files(), 17).open(journal, "broker-1", limits, share, DATA);
    }

    @Test
    void aShieldMayGetTheCpuFirst() throws IOException {
        version1();
        try (Journal journal = Journal.open(root.resolve("state"))) {
            assertThat(open(journal, Limits.NONE, Shields.CpuShare.FIRST).kept())
                    .containsOnly(entry("cpu.shares", "10240"));
            assertThat(open(journal, ALL, Shields.CpuShare.FIRST).kept())
                    .containsEntry("cpu.shares", "10240")
                    .containsEntry("cpu.cfs_quota_us", "150000")
                    .hasSize(8);
        }
        version2();
        try (Journal journal = Journal.open(root.resolve("state"))) {
            assertThat(open(journal, Limits.NONE, Shields.CpuShare.FIRST).kept())
                    .containsOnly(entry("cpu.weight", "1000"));
        }
    }

    @Test
    void limitsApplyIfCpuPriorityIsUnavailable() throws IOException {
        version1();
        put("/proc/17/cgroup", "4:memory:/mine\n");
        Limits memory = new Limits(0, new ByteSize(1 << 30), new ByteSize(0), List.of());
        try (Journal journal = Journal.open(root.resolve("state"))) {
            assertThat(open(journal, memory, Shields.CpuShare.FIRST).kept())
                    .containsOnly(entry("memory.limit_in_bytes", "1073741824"));
            assertThat(open(journal, Limits.NONE, Shields.CpuShare.FIRST)).isSameAs(Shield.NONE);
        }
        assertThat(files().at("/sys/fs/cgroup/memory/mine")).isDirectoryNotContaining("glob:**weir-broker-1-*-1");
    }

    @Test
    void version1HasAGroupInEachHierarchy() throws IOException {
        version1();
        try (Journal journal = Journal.open(root.resolve("state"))) {
            Shield shield = open(journal);
            assertThat(shield.kept())
                    .containsOnly(
                            entry("cpu.cfs_period_us", "100000"),
                            entry("cpu.cfs_quota_us", "150000"),
                            entry("memory.limit_in_bytes", "1073741824"),
                            entry("blkio.throttle.read_bps_device", "254:0 52428800"),
                            entry("blkio.throttle.write_bps_device", "254:0 52428800"),
                            entry("cpuset.cpus", "0,2"),
                            entry("cpuset.mems", "0"));
            assertThat(shield.wrapped(List.of("java", "-version")))
                    .startsWith("/bin/sh", "-c")
                    .endsWith("java", "-version");
            assertThat(shield.wrapped(List.of("java")).get(3).lines())
                    .hasSize(4)
                    .allMatch(folder -> folder.contains("/weir-broker-1-"))
                    .anyMatch(folder -> folder.contains("/sys/fs/cgroup/memory/mine/weir-"));
        }
    }

    @Test
    void cgroup2ShieldDelegatesItsControllers() throws IOException {
        version2();
        try (Journal journal = Journal.open(root.resolve("state"))) {
            Shield shield = open(journal);
            assertThat(shield.kept())
                    .containsOnly(
                            entry("cpu.max", "150000 100000"),
                            entry("memory.max", "1073741824"),
                            entry("io.max", "254:0 rbps=52428800 wbps=52428800"),
                            entry("cpuset.cpus", "0,2"));
            assertThat(shield.wrapped(List.of("java")).get(3))
                    .hasLineCount(1)
                    .contains("/sys/fs/cgroup/user/weir.scope/weir-broker-1-");
            assertThat(files().text("/sys/fs/cgroup/user/weir.scope/cgroup.subtree_control"))
                    .isEqualTo("+cpu +memory +io +cpuset");
        }
    }

    @Test
    void limitsAboveTheMachineAndControllersThatAreNotThereAreNamed() {
        version1();
        Limits tooMuch = new Limits(4, new ByteSize(8L << 30), new ByteSize(0), List.of(1, 7));
        assertThat(new Shields(files(), 17).missing(tooMuch, DATA))
                .containsExactly(
                        "within.cpu: must be at most the 3 cores of this machine, found '4'",
                        "within.memory: must be at most the 2048 MiB of this machine, found 8192 MiB",
                        "within.cpus: this machine has no CPU 7; the allowed CPUs are [0, 1, 2]");
        put("/proc/17/cgroup", "4:memory:/mine\n");
        assertThat(new Shields(files(), 17).missing(new Limits(1, new ByteSize(0), new ByteSize(0), List.of()), DATA))
                .singleElement()
                .asString()
                .startsWith("within.cpu: no control group file system with 'cpu' is mounted; remove this limit");
        assertThat(new Shields(files(), 17).missing(Limits.NONE, DATA)).isEmpty();
    }

    @Test
    void limitsApplyToAChildFromItsStart() throws IOException {
        Limits limits = new Limits(0.5, new ByteSize(64 << 20), new ByteSize(0), List.of(0));
        List<String> missing = Shields.ofThisMachine().missing(limits, root);
        assumeTrue(missing.isEmpty(), () -> String.join("; ", missing));
        Path log = root.resolve("log");
        Path state = root.resolve("state");
        try (Journal journal = Journal.open(state);
                Children children = Children.open(journal)) {
            try (Shield shield = children.shield("tried", limits, Shields.CpuShare.FIRST, root)) {
                LocalChild child = children.start(new Command(
                        "tried",
                        List.of("/bin/sh", "-c", "cat /proc/self/cgroup; grep Cpus_allowed_list /proc/self/status"),
                        log,
                        Command.Output.LOGGED,
                        shield));
                assertThat(child.exit().join()).isZero();
                assertThat(shield.kept())
                        .containsEntry("cpuset.cpus", "0")
                        .containsAnyOf(entry("cpu.shares", "10240"), entry("cpu.weight", "1000"));
                assertThat(Files.readString(log)).contains("weir-tried-").contains("Cpus_allowed_list:\t0\n");
                assertThat(shield.wrapped(List.of()).get(3).lines())
                        .isNotEmpty()
                        .allSatisfy(group -> assertThat(Path.of(group)).isDirectory());
            }
        }
        assertThat(state.resolve("journal")).isEmptyDirectory();
    }
}
