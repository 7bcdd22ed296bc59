package weir.probe;

import java.io.IOException;
import java.util.Map;
import weir.host.kernel.ControlGroup;
import weir.host.kernel.KernelFiles;

/** The control group of a process: what it uses, and how often its limits held it back. */
record Cgroup(KernelFiles files, long pid) implements Probe {
    private static final double SHARES = 1024;
    private static final double WEIGHT = 100;

    @Override
    public void look(Readings into) {
        into.family("cgroup.cpu.*", () -> cpu(into));
        into.family("cgroup.memory.*", () -> memory(into));
    }

    private void cpu(Readings into) throws IOException {
        ControlGroup group = ControlGroup.of(files, pid, "cpu");
        Map<String, Long> stat = files.table(group.file("cpu.stat"));
        Long used = stat.get("usage_usec");
        if (used != null) {
            into.rate("cgroup.cpu.cores", used / 1e6);
        } else {
            into.family("cgroup.cpu.cores", () -> {
                ControlGroup account = ControlGroup.of(files, pid, "cpuacct");
                into.rate("cgroup.cpu.cores", number(account.file("cpuacct.usage")) / 1e9);
            });
        }
        Long micros = stat.get("throttled_usec");
        Long nanos = stat.get("throttled_time");
        if (micros != null) {
            into.rate("cgroup.cpu.throttled.percent", micros / 1e4);
        } else if (nanos != null) {
            into.rate("cgroup.cpu.throttled.percent", nanos / 1e7);
        } else {
            into.absent("cgroup.cpu.throttled.*", group.folder() + " has no CPU controller");
            return;
        }
        into.count("cgroup.cpu.throttled.periods", stat.getOrDefault("nr_throttled", 0L));
        into.family("cgroup.cpu.weight", () -> weight(into, group));
    }

    /** How many times as much CPU it gets as a group of which nothing was said, when both want it. */
    private void weight(Readings into, ControlGroup group) throws IOException {
        into.level(
                "cgroup.cpu.weight",
                group.version() == 1
                        ? number(group.file("cpu.shares")) / SHARES
                        : number(group.file("cpu.weight")) / WEIGHT);
    }

    private void memory(Readings into) throws IOException {
        ControlGroup group = ControlGroup.of(files, pid, "memory");
        boolean first = group.version() == 1;
        into.level("cgroup.memory.used.mib", group.memoryUsed() / KernelFiles.MIB);
        String events = first ? "memory.oom_control" : "memory.events";
        Long kills = files.table(group.file(events)).get("oom_kill");
        if (kills == null) {
            into.absent("cgroup.memory.oom.kills", "this kernel's " + events + " does not count them");
        } else {
            into.count("cgroup.memory.oom.kills", kills);
        }
        if (!first) {
            new Pressure(files, "cgroup.psi.", group.file("*.pressure")).look(into);
        }
    }

    private double number(String path) throws IOException {
        return Long.parseLong(files.text(path).strip());
    }
}
