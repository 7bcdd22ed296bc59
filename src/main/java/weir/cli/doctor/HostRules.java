package weir.cli.doctor;

import static weir.cli.doctor.AdviceRule.Judgement.bad;
import static weir.cli.doctor.AdviceRule.Judgement.doubt;
import static weir.cli.doctor.AdviceRule.Judgement.fine;
import static weir.cli.doctor.AdviceRule.Judgement.unknown;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import weir.cli.doctor.AdviceRule.Judgement;
import weir.host.kernel.KernelFiles;
import weir.probe.Finding;
import weir.probe.MachineCheck;
import weir.probe.brokerhost.BrokerHost;

/** The rules for the host of a broker, whatever runs on it. What a rule needs and the kernel does not tell is unknown. */
final class HostRules {
    private static final String UNTOLD = "cannot be read here, as is usual in containers and virtual machines";
    private static final int MIB_OF_GIB = 1024;

    static final List<AdviceRule<BrokerHost>> ALL = List.of(
            new AdviceRule<>(
                    "vm.swappiness",
                    "1: the kernel gives up the page cache long before it swaps a JVM out",
                    AdviceSource.CLOUDERA,
                    "no pauses of seconds while a collection of garbage waits for pages from the swap",
                    number(
                            "memory.swappiness",
                            value -> value <= 1
                                    ? fine(text(value), "the heap stays in memory")
                                    : doubt(
                                            text(value),
                                            "under pressure the kernel swaps the heap out to keep pages of files",
                                            "sysctl -w vm.swappiness=1, and in /etc/sysctl.d"))),
            new AdviceRule<>(
                    "vm.dirty_background_ratio",
                    "5 % of the memory that is available or less: the kernel begins early to write what brokers have written",
                    AdviceSource.CANONICAL,
                    "small, steady writes to the disk in place of bursts, which show in the p99 of produce requests",
                    host -> dirty(
                            host,
                            "memory.dirty.background.ratio",
                            "vm.dirty_background_bytes",
                            percent -> percent <= 5
                                    ? fine(percent(percent), "writing to the disk begins early")
                                    : doubt(
                                            percent(percent),
                                            "much is written at once when writing begins",
                                            "sysctl -w vm.dirty_background_ratio=5"))),
            new AdviceRule<>(
                    "vm.dirty_ratio",
                    "60 to 80 % of the memory that is available: far above the background ratio, as there the kernel stops whoever writes",
                    AdviceSource.GUIDE,
                    "bursts of writes are taken up by the page cache, and no append of a broker blocks",
                    host -> dirty(
                            host,
                            "memory.dirty.ratio",
                            "vm.dirty_bytes",
                            percent -> percent < 60
                                    ? doubt(
                                            percent(percent),
                                            "a burst of writes above that share blocks the broker until the disk has caught up",
                                            "sysctl -w vm.dirty_ratio=80")
                                    : percent <= 80
                                            ? fine(percent(percent), "room for bursts of writes")
                                            : doubt(
                                                    percent(percent),
                                                    "almost all of that memory may wait for the disk, and is lost with the machine",
                                                    "sysctl -w vm.dirty_ratio=80"))),
            new AdviceRule<>(
                    "vm.max_map_count",
                    "two memory maps for each log segment of a broker, and room to grow: 262,144 or more",
                    AdviceSource.HARDWARE,
                    "a broker with many partitions does not end with OutOfMemoryError: Map failed",
                    number(
                            "vm.max_map_count",
                            value -> value >= 262_144
                                    ? fine(
                                            text(value),
                                            "enough for " + text(Math.floor(value / 2)) + " segments of a broker")
                                    : doubt(
                                            text(value),
                                            "a broker ends at " + text(Math.floor(value / 2)) + " segments",
                                            "sysctl -w vm.max_map_count=262144"))),
            machine(
                    "swap",
                    "none, or kept from a JVM by vm.swappiness",
                    AdviceSource.CLOUDERA,
                    "no broker stalls because pages of its heap are on the disk"),
            machine(
                    "huge pages",
                    "transparent huge pages only for programs that ask for them (madvise), or never",
                    AdviceSource.KERNEL_HUGE_PAGES,
                    "the kernel does not stop a broker to put a huge page together"),
            machine(
                    "governor",
                    "performance",
                    AdviceSource.KERNEL_GOVERNOR,
                    "requests after a quiet moment are as fast as others"),
            new AdviceRule<>(
                    "vm.zone_reclaim_mode",
                    "0 where the memory has several nodes (NUMA)",
                    AdviceSource.KERNEL_MEMORY,
                    "the page cache may use all of the memory, so that more reads are served from it",
                    HostRules::zones),
            new AdviceRule<>(
                    "net.core.wmem_max and rmem_max",
                    "at least the bandwidth times the round trip of the longest way: 1.25 MB for 1 Gbit/s over 10 ms",
                    AdviceSource.KERNEL_SOCKETS,
                    "clients and replicas in other data centers use the whole line with one connection, where its buffers are set by a"
                            + " property",
                    HostRules::sockets),
            new AdviceRule<>(
                    "clock",
                    "kept by NTP or PTP",
                    AdviceSource.property("log.message.timestamp.after.max.ms"),
                    "retention by time and the timestamps of records mean the same on all brokers, and none is refused",
                    host -> {
                        String keeper = host.facts().get(BrokerHost.CLOCK);
                        return keeper == null
                                ? unknown("no program that keeps it was seen here; that of a container or of a virtual"
                                        + " machine may be kept outside")
                                : fine(keeper, "is kept");
                    }),
            new AdviceRule<>(
                    "page cache",
                    "half of the memory or more beside all heaps together; Kafka's documentation wants 30 s of what is written",
                    AdviceSource.HARDWARE,
                    "consumers that keep up read from memory, and the disk only writes",
                    HostRules::pageCache));

    private HostRules() {}

    private static Function<BrokerHost, Judgement> number(String fact, DoubleFunction<Judgement> rule) {
        return host -> {
            OptionalDouble value = number(host.facts(), fact);
            return value.isPresent() ? rule.apply(value.getAsDouble()) : unknown(UNTOLD);
        };
    }

    static OptionalDouble number(Map<String, String> facts, String fact) {
        String text = facts.get(fact);
        return text != null && text.matches("-?\\d{1,18}(\\.\\d{1,9})?")
                ? OptionalDouble.of(Double.parseDouble(text))
                : OptionalDouble.empty();
    }

    /**
     * A limit in bytes overrides the one in percent, which is 0 then. It is not turned into percent: those are of the memory that
     * is free or can be freed, which changes all the time.
     */
    private static Judgement dirty(BrokerHost host, String ratio, String bytes, DoubleFunction<Judgement> rule) {
        OptionalDouble set = number(host.facts(), bytes);
        if (set.isPresent() && set.getAsDouble() > 0) {
            return unknown(bytes + " is set, to " + gibibytes(set.getAsDouble() / KernelFiles.MIB)
                    + ", and holds in place of the ratio, of which alone the rule speaks");
        }
        return number(ratio, rule).apply(host);
    }

    /** A rule that the check of a machine to measure on has too. */
    private static AdviceRule<BrokerHost> machine(String name, String rule, AdviceSource source, String gain) {
        return new AdviceRule<>(name, rule, source, gain, host -> {
            Map<String, Double> figures = new TreeMap<>();
            number(host.facts(), "swap.mib").ifPresent(mib -> figures.put("swap.mib", mib));
            Finding finding = new MachineCheck(host.facts(), figures)
                    .findings().stream()
                            .filter(each -> each.name().equals(name))
                            .findFirst()
                            .orElseThrow(() -> new AssertionError("the check of a machine has no '" + name + "'"));
            return new Judgement(finding.figure(), finding.verdict(), finding.meaning(), finding.advice());
        });
    }

    private static Judgement zones(BrokerHost host) {
        OptionalDouble nodes = number(host.facts(), BrokerHost.NODES);
        OptionalDouble mode = number(host.facts(), "vm.zone_reclaim_mode");
        if (nodes.isEmpty() || mode.isEmpty()) {
            return unknown(UNTOLD);
        }
        String figure = text(mode.getAsDouble()) + ", " + text(nodes.getAsDouble())
                + (nodes.getAsDouble() == 1 ? " node" : " nodes");
        return mode.getAsDouble() == 0 || nodes.getAsDouble() <= 1
                ? fine(figure, "the page cache may use all of the memory")
                : doubt(
                        figure,
                        "pages of files are dropped while other nodes have free memory",
                        "sysctl -w vm.zone_reclaim_mode=0");
    }

    private static Judgement sockets(BrokerHost host) {
        OptionalDouble send = number(host.facts(), "net.core.wmem_max");
        OptionalDouble receive = number(host.facts(), "net.core.rmem_max");
        if (send.isEmpty() || receive.isEmpty()) {
            return unknown(UNTOLD);
        }
        double least = Math.min(send.getAsDouble(), receive.getAsDouble());
        String figure = kibibytes(send.getAsDouble()) + ", " + kibibytes(receive.getAsDouble());
        String most =
                "the most that a connection can carry over 10 ms is " + text(Math.floor(least * 100 / 1e6)) + " MB/s";
        return least >= 1_250_000
                ? fine(figure, most)
                : doubt(
                        figure,
                        most + ", if its buffers are set by a property",
                        "sysctl -w net.core.wmem_max=2097152 net.core.rmem_max=2097152, where clients or replicas are far"
                                + " away; else it costs nothing");
    }

    private static Judgement pageCache(BrokerHost host) {
        OptionalDouble memory = number(host.facts(), "memory.mib");
        if (memory.isEmpty()) {
            return unknown(UNTOLD);
        }
        if (host.processes().isEmpty()) {
            return unknown("no Kafka runs here that could be looked at, so its heap is not known");
        }
        double heaps = 0;
        for (var process : host.processes()) {
            if (process.heap("mx").isEmpty()) {
                return unknown("the heap of " + process.name() + " is not set on its command line");
            }
            heaps += process.heap("mx").get() / KernelFiles.MIB;
        }
        double left = memory.getAsDouble() - heaps;
        String figure = gibibytes(left) + " of " + gibibytes(memory.getAsDouble());
        String holds = "is at most 30 s of writes at "
                + text(Math.max(0, Math.floor(left * KernelFiles.MIB / 30 / 1e6))) + " MB/s, all replicas together";
        return left < 0
                ? bad(figure, "the heaps together are larger than the memory", "make them smaller, or move a broker")
                : left < memory.getAsDouble() / 2
                        ? doubt(figure, holds, "give Kafka a smaller heap, or the machine more memory")
                        : fine(figure, holds);
    }

    static String text(double value) {
        return value >= 1e15 ? "unlimited" : String.format(Locale.ROOT, "%,.0f", value);
    }

    static String percent(double value) {
        return String.format(Locale.ROOT, value < 10 ? "%.1f %%" : "%.0f %%", value)
                .replace(".0 %", " %");
    }

    static String kibibytes(double bytes) {
        return text(bytes / 1024) + " KiB";
    }

    static String gibibytes(double mib) {
        return String.format(Locale.ROOT, "%.1f GiB", mib / MIB_OF_GIB);
    }
}
