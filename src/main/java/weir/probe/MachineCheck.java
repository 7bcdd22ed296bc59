package weir.probe;

import static weir.probe.Finding.Verdict.BAD;
import static weir.probe.Finding.Verdict.DOUBT;
import static weir.probe.Finding.Verdict.FINE;
import static weir.probe.MachineRules.judge;
import static weir.probe.MachineRules.round;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import weir.probe.MachineRules.Judged;

/**
 * A machine judged as a bench to measure on. Every rule stands here once, with its bounds.
 *
 * @param facts what {@link MachineFacts} tells
 * @param figures what {@link MachineLook} measured; what is not there could not be
 */
public record MachineCheck(Map<String, String> facts, Map<String, Double> figures) {
    private static final Set<String> QUICK_CLOCKS =
            Set.of("tsc", "kvm-clock", "arch_sys_counter", "hyperv_clocksource_tsc_page");
    private static final Set<String> DISKS = Set.of("ext4", "xfs", "btrfs", "zfs", "ext3", "ext2", "f2fs", "bcachefs");
    private static final Set<String> MEMORY_DISKS = Set.of("tmpfs", "ramfs");

    public MachineCheck {
        facts = Map.copyOf(facts);
        figures = Map.copyOf(figures);
    }

    public List<Finding> findings() {
        MachineRules judge = new MachineRules(facts, figures);
        List<Finding> all = new ArrayList<>();
        cpu(judge, all);
        load(judge, all);
        time(judge, all);
        memory(judge, all);
        disk(judge, all);
        network(judge, all);
        return all;
    }

    private void cpu(MachineRules judge, List<Finding> all) {
        all.add(judge.figure(
                "cores",
                "cpu.usable",
                MachineRules::whole,
                cores -> cores < 2
                        ? judge(
                                BAD,
                                "brokers and generator take turns on it",
                                "measure on a machine with 4 cores or more")
                        : cores < 4
                                ? judge(
                                        DOUBT,
                                        "brokers and generator share them: rates near the limit are those of both",
                                        "use a machine with 4 cores or more, or another one for the brokers")
                                : judge(FINE, "enough to keep brokers and generator apart")));
        all.add(judge.limit(
                "cpu limit of the control group",
                "cgroup.cpu.limit.cores",
                " cores",
                judge(
                        DOUBT,
                        "it is enforced by stopping everything for up to 100 ms, which looks like a stall of Kafka",
                        "lift the limit, or pin to cores instead (a cpuset)")));
        all.add(judge.fact(
                "governor",
                "cpu.governor",
                governor -> governor.equals("performance")
                        ? judge(FINE, "cores always run at full speed")
                        : judge(
                                DOUBT,
                                "cores speed up only after a load has begun, so low rates look slow",
                                "cpupower frequency-set -g performance")));
        all.add(judge.fact(
                "turbo",
                "cpu.turbo",
                turbo -> turbo.equals("off")
                        ? judge(FINE, "the speed does not depend on temperature")
                        : judge(
                                DOUBT,
                                "speed depends on temperature and on how many cores work",
                                "for comparisons switch it off: echo 0 > /sys/devices/system/cpu/cpufreq/boost, or 1 >"
                                        + " …/intel_pstate/no_turbo")));
        all.add(judge.figure(
                "speed of one core",
                "canary.cpu.one",
                steps -> round(steps) + " M steps/s",
                steps -> judge(FINE, "compared before and after each run")));
        all.add(judge.figure(
                "all cores together", "canary.cpu.scaling", times -> round(times) + " times one", times -> {
                    double share = times / figures.getOrDefault("cpu.usable", times);
                    return share >= 0.8
                            ? judge(FINE, "each core is one")
                            : judge(
                                    DOUBT,
                                    "cores share their arithmetic, are limited, or are used by others",
                                    "look for other load, SMT siblings and CPU limits");
                }));
    }

    private void load(MachineRules judge, List<Finding> all) {
        all.add(judge.percent(
                "busy now", "cpu.busy.percent", 10, 30, "other programs use the CPU", "stop them; top names them"));
        all.add(judge.percent(
                "stolen by other machines",
                "cpu.steal.percent",
                0.5,
                5,
                "the host gives this machine's time to others",
                "move to a quieter or dedicated host"));
        String pressure = "programs wait here already, before Weir loads anything";
        all.add(judge.percent("waiting for CPU (PSI)", "psi.cpu.some.percent", 5, 30, pressure, "stop other programs"));
        all.add(judge.percent("waiting for disks (PSI)", "psi.io.some.percent", 5, 30, pressure, "see iotop"));
        all.add(judge.percent("waiting for memory (PSI)", "psi.memory.some.percent", 1, 10, pressure, "free memory"));
    }

    private void time(MachineRules judge, List<Finding> all) {
        all.add(judge.fact(
                "clock source",
                "clock.source",
                source -> QUICK_CLOCKS.contains(source)
                        ? judge(FINE, "is read without a system call")
                        : judge(
                                BAD,
                                "each look at the clock is a slow system call, and we look for every message",
                                "boot with clocksource=tsc, or use another machine")));
        all.add(judge.figure(
                "reading the clock",
                "clock.read.ns",
                nanos -> round(nanos) + " ns",
                nanos -> nanos < 150
                        ? judge(FINE, "nothing beside what is timed")
                        : nanos < 1000
                                ? judge(DOUBT, "shows at a million messages a second", "see the clock source")
                                : judge(BAD, "costs more than sending a message does", "see the clock source")));
        all.add(judge.figure(
                "a sleep of 100 µs ends late by",
                "sleep.late.p99.micros",
                micros -> round(figures.getOrDefault("sleep.late.p50.micros", Double.NaN)) + " µs, p99 " + round(micros)
                        + " µs",
                micros -> micros < 1_000
                        ? judge(FINE, "messages can be sent when they are due")
                        : micros < 5_000
                                ? judge(DOUBT, "messages are sent that much late", "look for other load")
                                : judge(
                                        BAD,
                                        "trials here end as 'generator late'",
                                        "look for other load, or a VM's host")));
    }

    private void memory(MachineRules judge, List<Finding> all) {
        all.add(judge.figure(
                "free memory",
                "memory.available.mib",
                MachineRules::mebibytes,
                mib -> mib < 1024
                        ? judge(BAD, "a broker and a generator do not fit", "free some, or use a larger machine")
                        : mib < 3072
                                ? judge(DOUBT, "enough for one broker; little is left for its page cache", "free some")
                                : judge(FINE, "enough for brokers, generator and page cache")));
        all.add(judge.limit(
                "memory limit of the control group",
                "cgroup.memory.limit.mib",
                " MiB",
                judge(
                        DOUBT,
                        "the page cache counts into it, so Kafka reads from disk sooner, and too much kills a process",
                        "lift the limit, or say it in the question")));
        all.add(judge.figure(
                "swap",
                "swap.mib",
                MachineRules::mebibytes,
                mib -> mib == 0
                        ? judge(FINE, "no page of a JVM can be swapped out")
                        : judge(DOUBT, "a JVM whose pages were swapped out stalls", "swapoff -a, or vm.swappiness=1")));
        all.add(judge.fact(
                "huge pages",
                "memory.huge.pages",
                chosen -> chosen.equals("always")
                        ? judge(
                                DOUBT,
                                "the kernel may stop a program to build them",
                                "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled")
                        : judge(FINE, "only where a program asks for them")));
        all.add(judge.figure(
                "open files a process may have",
                "limit.files",
                MachineRules::whole,
                files -> files < 4096
                        ? judge(BAD, "brokers keep their log segments open and would fail", "ulimit -n 100000")
                        : files < 16384
                                ? judge(DOUBT, "brokers with thousands of partitions would fail", "ulimit -n 100000")
                                : judge(FINE, "enough for thousands of partitions")));
    }

    private void disk(MachineRules judge, List<Finding> all) {
        all.add(judge.fact("file system of the runs", "filesystem", MachineCheck::filesystem));
        all.add(judge.figure("free disk", "disk.free.gib", gib -> round(gib) + " GiB", gib -> {
            double share = figures.getOrDefault("disk.free.percent", 100.0);
            return share < 5
                    ? judge(BAD, "runs stop themselves at 5 % free", "free some, or give --runs another disk")
                    : gib < 10
                            ? judge(DOUBT, "a minute at 100 MiB/s with three replicas is 18 GiB", "free some")
                            : judge(FINE, "runs stop themselves at 5 % free");
        }));
        all.add(judge.figure(
                "fsync of 4 KiB",
                "canary.fsync",
                MachineRules::millis,
                millis -> millis < 5
                        ? judge(FINE, "what a controller waits for at every change of metadata")
                        : judge(
                                DOUBT,
                                "controllers wait that long for every change of metadata",
                                "use a faster disk")));
    }

    private static Judged filesystem(String type) {
        if (DISKS.contains(type)) {
            return judge(FINE, "a disk of this machine");
        }
        if (MEMORY_DISKS.contains(type)) {
            return judge(DOUBT, "memory: no disk is measured", "give --runs or cluster.data a folder on a disk");
        }
        return type.equals("overlay")
                ? judge(DOUBT, "a container's layers, slower than the disk below", "mount a volume for the runs")
                : judge(
                        DOUBT,
                        "not a plain disk: perhaps a network is measured too",
                        "give --runs a folder on a local disk");
    }

    private void network(MachineRules judge, List<Finding> all) {
        all.add(judge.figure(
                "loopback round trip",
                "canary.roundtrip",
                micros -> round(micros) + " µs",
                micros -> micros < 150
                        ? judge(FINE, "part of every latency that is measured here")
                        : judge(DOUBT, "is part of every latency that is measured here", "look for other load")));
        all.add(judge.figure(
                "loopback throughput",
                "canary.loopback",
                MachineRules::mebibytes,
                mib -> mib > 500
                        ? judge(FINE, "more than a broker on so few cores takes")
                        : judge(DOUBT, "may be what limits a test on this machine", "look for other load")));
        all.add(judge.figure(
                "memory copy",
                "canary.memory",
                MachineRules::mebibytes,
                mib -> judge(FINE, "compared before and after each run")));
    }
}
