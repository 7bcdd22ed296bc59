package weir.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.host.kernel.ControlGroup;
import weir.probe.ProcessProbes.Cgroup;

class CgroupTest {
    private static final String V1 = """
            32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct
            35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
            """;
    private static final String V2 = "41 31 0:38 / /sys/fs/cgroup rw,relatime - cgroup2 cgroup2 rw\n";

    private final Tree tree;

    CgroupTest(@TempDir Path root) {
        tree = new Tree(root);
    }

    @Test
    void cgroup2ReportsUsageThrottlingKillsAndPressure() {
        version2(1_000_000, 0);
        Cgroup cgroup = new Cgroup(tree.files(), 17);
        tree.look(cgroup);
        version2(1_500_000, 200_000);
        assertThat(tree.look(cgroup))
                .contains(
                        entry("cgroup.cpu.cores", 0.5),
                        entry("cgroup.cpu.weight", 1.5),
                        entry("cgroup.cpu.throttled.percent", 20.0),
                        entry("cgroup.cpu.throttled.periods", 0.0),
                        entry("cgroup.memory.used.mib", 3.0),
                        entry("cgroup.memory.oom.kills", 0.0),
                        entry("cgroup.psi.memory.some.percent", 0.0));
    }

    @Test
    void cgroup1ReportsAllButPressure() {
        version1(1_000_000_000L, 0);
        Cgroup cgroup = new Cgroup(tree.files(), 17);
        tree.look(cgroup);
        version1(1_500_000_000L, 200_000_000L);
        assertThat(tree.look(cgroup))
                .containsOnly(
                        entry("cgroup.cpu.cores", 0.5),
                        entry("cgroup.cpu.weight", 10.0),
                        entry("cgroup.cpu.throttled.percent", 20.0),
                        entry("cgroup.cpu.throttled.periods", 0.0),
                        entry("cgroup.memory.used.mib", 3.0),
                        entry("cgroup.memory.oom.kills", 0.0));
    }

    @Test
    void mixedControlGroupsUseTheVersionWithTheController() throws IOException {
        tree.put("/proc/self/mountinfo", V1 + "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
        tree.put("/proc/17/cgroup", "4:memory:/mem\n1:cpu,cpuacct:/\n0::/both\n");
        assertThat(ControlGroup.of(tree.files(), 17, "memory").folder()).isEqualTo("/sys/fs/cgroup/memory/mem");
        assertThat(ControlGroup.of(tree.files(), 17, "cpu").folder()).isEqualTo("/sys/fs/cgroup/cpu,cpuacct");
        assertThat(ControlGroup.of(tree.files(), 17, "io").folder()).isEqualTo("/sys/fs/cgroup/unified/both");
    }

    @Test
    void aContainerSeesItsPartOfTheTreeAsTheWhole() throws IOException {
        tree.put("/proc/self/mountinfo", "41 31 0:38 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup rw\n");
        tree.put("/proc/17/cgroup", "0::/docker/abc/kafka\n");
        assertThat(ControlGroup.of(tree.files(), 17, "cpu").folder()).isEqualTo("/sys/fs/cgroup/kafka");
        tree.put("/proc/17/cgroup", "0::/../other\n");
        assertThatThrownBy(() -> ControlGroup.of(tree.files(), 17, "cpu"))
                .hasMessage("control group '/../other' is not visible in this container");
    }

    @Test
    void rootControlGroupHasNoThrottlingFigures() {
        tree.put("/proc/self/mountinfo", V2);
        tree.put("/proc/17/cgroup", "0::/\n");
        tree.put("/sys/fs/cgroup/cpu.stat", "usage_usec 5\nuser_usec 3\nsystem_usec 2\n");
        assertThat(tree.look(new Cgroup(tree.files(), 17))).isEmpty();
        assertThat(tree.absent()).first().isEqualTo("cgroup.cpu.throttled.*: /sys/fs/cgroup has no CPU controller");
    }

    @Test
    void tightestLimitOfAllParentGroupsApplies() throws IOException {
        tree.put("/proc/self/mountinfo", V2);
        tree.put("/proc/17/cgroup", "0::/a/b\n");
        tree.put("/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
        tree.put("/sys/fs/cgroup/a/cpu.max", "150000 100000\n");
        tree.put("/sys/fs/cgroup/a/b/memory.max", "2147483648\n");
        tree.put("/sys/fs/cgroup/a/memory.max", "max\n");
        ControlGroup group = ControlGroup.of(tree.files(), 17, "cpu");
        assertThat(group.cpuLimit()).isEqualTo(1.5);
        assertThat(group.memoryLimit()).isEqualTo(0x1p31);
    }

    @Test
    void noLimitIsInfiniteInBothVersions() throws IOException {
        tree.put("/proc/self/mountinfo", V1);
        tree.put("/proc/17/cgroup", "4:memory:/\n1:cpu,cpuacct:/\n");
        tree.put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
        tree.put("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
        tree.put("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
        assertThat(ControlGroup.of(tree.files(), 17, "memory").memoryLimit()).isInfinite();
        assertThat(ControlGroup.of(tree.files(), 17, "cpu").cpuLimit()).isInfinite();
    }

    @Test
    void missingControlGroupsGiveAnAbsence() {
        tree.put("/proc/self/mountinfo", "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n");
        tree.put("/proc/17/cgroup", "");
        assertThat(tree.look(new Cgroup(tree.files(), 17))).isEmpty();
        assertThat(tree.absent())
                .containsExactly(
                        "cgroup.cpu.*: no control group file system with 'cpu' is mounted",
                        "cgroup.memory.*: no control group file system with 'memory' is mounted");
    }

    private void version2(long micros, long throttledMicros) {
        tree.put("/proc/self/mountinfo", V2);
        tree.put("/proc/17/cgroup", "0::/system.slice/kafka\n");
        String group = "/sys/fs/cgroup/system.slice/kafka/";
        tree.put(group + "cpu.stat", """
                usage_usec %d
                nr_periods 7
                nr_throttled 2
                throttled_usec %d
                """.formatted(micros, throttledMicros));
        tree.put(group + "cpu.weight", "150\n");
        tree.put(group + "memory.current", "3145728\n");
        tree.put(group + "memory.events", "low 0\nhigh 0\nmax 0\noom 0\noom_kill 1\n");
        for (String resource : new String[] {"cpu", "io", "memory"}) {
            tree.put(group + resource + ".pressure", "some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n");
        }
    }

    private void version1(long nanos, long throttledNanos) {
        tree.put("/proc/self/mountinfo", V1);
        tree.put("/sys/fs/cgroup/cpu,cpuacct/k/cpu.shares", "10240\n");
        tree.put("/proc/17/cgroup", "4:memory:/k\n1:cpu,cpuacct:/k\n");
        tree.put("/sys/fs/cgroup/cpu,cpuacct/k/cpuacct.usage", nanos + "\n");
        tree.put("/sys/fs/cgroup/cpu,cpuacct/k/cpu.stat", """
                nr_periods 7
                nr_throttled 2
                throttled_time %d
                """.formatted(throttledNanos));
        tree.put("/sys/fs/cgroup/memory/k/memory.usage_in_bytes", "3145728\n");
        tree.put("/sys/fs/cgroup/memory/k/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 0\n");
    }
}
