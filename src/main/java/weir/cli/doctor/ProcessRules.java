package weir.cli.doctor;

import static weir.cli.doctor.AdviceRule.Judgement.bad;
import static weir.cli.doctor.AdviceRule.Judgement.doubt;
import static weir.cli.doctor.AdviceRule.Judgement.fine;
import static weir.cli.doctor.AdviceRule.Judgement.unknown;
import static weir.cli.doctor.HostRules.gibibytes;
import static weir.cli.doctor.HostRules.kibibytes;
import static weir.cli.doctor.HostRules.number;
import static weir.cli.doctor.HostRules.percent;
import static weir.cli.doctor.HostRules.text;

import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import weir.cli.doctor.AdviceRule.Judgement;
import weir.host.kernel.KernelFiles;
import weir.probe.Finding.Verdict;
import weir.probe.brokerhost.BrokerHost;
import weir.probe.brokerhost.KafkaProcess;
import weir.probe.brokerhost.LogFolder;

/** The rules for a Kafka that runs on a host, and for the folders that it keeps its logs in. */
final class ProcessRules {
    /** The share of a limit at which it is as good as reached: a broker that meets it ends. */
    private static final double NEAR = 0.8;

    private static final double LARGEST_HEAP = 6.0 * (1L << 30);
    private static final String PAUSE = "-XX:MaxGCPauseMillis=";
    private static final Set<String> NETWORKED = Set.of(
            "nfs", "nfs4", "cifs", "smb3", "9p", "ceph", "glusterfs", "fuse.glusterfs", "fuse.sshfs", "virtiofs");

    /** A Kafka with the host that it runs on. */
    record Hosted(BrokerHost host, KafkaProcess process) {
        private OptionalDouble figure(String name) {
            Double value = process.figures().get(name);
            return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
        }

        private double segments() {
            return process.folders().stream()
                    .mapToDouble(folder -> (double) folder.segments())
                    .sum();
        }
    }

    static final List<AdviceRule<Hosted>> ALL = List.of(
            new AdviceRule<>(
                    "open files",
                    "a limit of 100,000 or more, and above segments plus connections",
                    AdviceSource.HARDWARE,
                    "the broker keeps accepting connections and rolling segments, and no log folder goes offline",
                    ProcessRules::files),
            new AdviceRule<>(
                    "memory maps",
                    "well below vm.max_map_count; each log segment takes two",
                    AdviceSource.HARDWARE,
                    "the broker does not end with OutOfMemoryError: Map failed",
                    ProcessRules::maps),
            new AdviceRule<>(
                    "heap",
                    "fixed (-Xms = -Xmx), at most 6 GiB and half of the memory: the rest is worth more as page cache",
                    AdviceSource.CONFLUENT,
                    "more reads from memory, and shorter pauses for collecting garbage",
                    ProcessRules::heap),
            new AdviceRule<>(
                    "garbage collector",
                    "G1 with a pause goal of 20 ms, as Kafka's start script has it",
                    AdviceSource.JAVA,
                    "pauses of about 20 ms in place of hundreds, which all clients of the broker wait for",
                    ProcessRules::collector),
            new AdviceRule<>(
                    "swapped memory",
                    "nothing",
                    AdviceSource.CLOUDERA,
                    "no pauses of seconds while a collection of garbage waits for pages from the swap",
                    hosted -> {
                        OptionalDouble mib = hosted.figure("swapped.mib");
                        return mib.isEmpty()
                                ? unreadable(hosted)
                                : mib.getAsDouble() == 0
                                        ? fine("0 MiB", "all of it is in memory")
                                        : doubt(
                                                text(Math.ceil(mib.getAsDouble())) + " MiB",
                                                "a part of the broker is on the disk",
                                                "sysctl -w vm.swappiness=1, then restart it or swapoff -a");
                    }),
            new AdviceRule<>(
                    "socket buffers",
                    "not above what the kernel allows, which cuts them in silence; -1 lets it choose",
                    AdviceSource.property("socket.send.buffer.bytes"),
                    "a connection to clients or replicas far away carries what the line can",
                    ProcessRules::buffers));

    static final List<AdviceRule<LogFolder>> FOLDERS = List.of(
            new AdviceRule<>(
                    "file system",
                    "XFS or ext4 on a disk of the host",
                    AdviceSource.HARDWARE.section("Filesystem Selection"),
                    "appends that wait less and more evenly; a network or memory file system also loses data or stops the broker",
                    ProcessRules::fileSystem),
            new AdviceRule<>(
                    "noatime",
                    "log folders are mounted with noatime, as Kafka never asks when a file was read",
                    AdviceSource.HARDWARE.section("Filesystem Selection"),
                    "reads cause no writes to the disk; against relatime, the usual default, that is one write for each"
                            + " file and day",
                    folder -> folder.options().contains("noatime")
                            ? fine("noatime", "reading writes nothing")
                            : folder.options().contains("relatime")
                                    ? doubt(
                                            "relatime",
                                            "the first read of a file in a day also writes to the disk",
                                            "mount -o remount,noatime, and in /etc/fstab")
                                    : doubt(
                                            "atime",
                                            "each read of a file also writes to the disk",
                                            "mount -o remount,noatime, and in /etc/fstab")),
            new AdviceRule<>(
                    "free room",
                    "15 % or more; a disk that is full takes its log folder offline, and the broker with the last one",
                    AdviceSource.DISK_FAILURE,
                    "the broker stays up while retention catches up",
                    folder -> room(folder.bytes(), folder.usableBytes())));

    /** The rules that hold for a controller of its own, too: it keeps few segments, and serves no client far away. */
    static final Set<String> FOR_CONTROLLERS = Set.of("garbage collector", "swapped memory");

    private ProcessRules() {}

    private static Judgement unreadable(Hosted hosted) {
        return unknown(
                hosted.process().unread().isEmpty()
                        ? "the kernel does not tell it"
                        : hosted.process().unread().get(0));
    }

    private static Judgement files(Hosted hosted) {
        OptionalDouble limit = hosted.figure("limit.files");
        if (limit.isEmpty()) {
            return unreadable(hosted);
        }
        OptionalDouble open = hosted.figure("files");
        String figure =
                text(limit.getAsDouble()) + (open.isPresent() ? ", " + text(open.getAsDouble()) + " in use" : "");
        double used = Math.max(open.orElse(0), hosted.segments());
        String advice = "LimitNOFILE=100000 in its systemd unit, or ulimit -n 100000 before it starts";
        return used > NEAR * limit.getAsDouble()
                ? bad(figure, "the limit is nearly reached: the next segment or connection may fail", advice)
                : limit.getAsDouble() < 100_000
                        ? doubt(figure, "is reached by some thousand partitions or connections", advice)
                        : fine(figure, "enough for its partitions and connections");
    }

    private static Judgement maps(Hosted hosted) {
        OptionalDouble used = hosted.figure("maps");
        OptionalDouble limit = number(hosted.host().facts(), "vm.max_map_count");
        if (used.isEmpty() || limit.isEmpty()) {
            return unreadable(hosted);
        }
        double more = Math.max(0, Math.floor((limit.getAsDouble() - used.getAsDouble()) / 2));
        String figure = text(used.getAsDouble()) + " of " + text(limit.getAsDouble());
        return used.getAsDouble() > NEAR * limit.getAsDouble()
                ? bad(
                        figure,
                        "after " + text(more) + " segments more the broker ends",
                        "sysctl -w vm.max_map_count=262144, or fewer or larger segments")
                : fine(figure, "room for " + text(more) + " segments more");
    }

    private static Judgement heap(Hosted hosted) {
        KafkaProcess process = hosted.process();
        if (process.heap("mx").isEmpty()) {
            return unknown(
                    process.share().isEmpty()
                            ? "is set neither on its command line nor in its environment, as far as that can be read; a JVM"
                                    + " takes a quarter of the memory that it sees if it is told nothing"
                            : "is at most " + process.share()
                                    + " % of the memory that the JVM sees, which cannot be told from outside");
        }
        double most = process.heap("mx").get();
        OptionalDouble memory = number(hosted.host().facts(), "memory.mib");
        String figure = gibibytes(most / KernelFiles.MIB);
        if (most > LARGEST_HEAP) {
            return doubt(
                    figure,
                    "Kafka needs no more than 6 GiB; the rest is taken from the page cache",
                    heapOptions(memory));
        }
        if (memory.isPresent() && most > memory.getAsDouble() * KernelFiles.MIB / 2) {
            return doubt(
                    figure,
                    "is more than half of the memory, and leaves the page cache the smaller part",
                    "make it smaller, or the memory larger");
        }
        return process.heap("ms").filter(least -> least == most).isEmpty()
                ? doubt(figure, "grows while the broker works", "set -Xms to the same as -Xmx")
                : fine(figure, "fixed, and leaves the memory to the page cache");
    }

    /** The largest that the rule allows, as half of a small machine is less. */
    private static String heapOptions(OptionalDouble memoryMib) {
        double most = memoryMib.isPresent()
                ? Math.min(LARGEST_HEAP / KernelFiles.MIB, memoryMib.getAsDouble() / 2)
                : LARGEST_HEAP / KernelFiles.MIB;
        long mib = (long) Math.floor(most);
        String size = mib % 1024 == 0 ? mib / 1024 + "g" : mib + "m";
        return "KAFKA_HEAP_OPTS='-Xms" + size + " -Xmx" + size + "'";
    }

    private static Judgement collector(Hosted hosted) {
        List<String> flags = hosted.process().arguments();
        String advice = "KAFKA_JVM_PERFORMANCE_OPTS='-XX:+UseG1GC -XX:MaxGCPauseMillis=20"
                + " -XX:InitiatingHeapOccupancyPercent=35 -XX:+ExplicitGCInvokesConcurrent'";
        List<String> chosen =
                flags.stream().filter(flag -> flag.matches("-XX:\\+Use\\w+GC")).toList();
        if (chosen.isEmpty()) {
            return doubt(
                    "not set",
                    "the JVM chooses by the size of the machine, on a small one the serial collector",
                    advice);
        }
        String name = chosen.get(chosen.size() - 1).replace("-XX:+Use", "").replaceAll("GC$", "");
        if (List.of("Z", "Shenandoah").contains(name)) {
            return fine(
                    name,
                    "pauses are below those of G1, for some throughput; Kafka's documentation has no figures for it");
        }
        if (!name.equals("G1")) {
            return doubt(name, "collects the whole heap in one pause", advice);
        }
        String goal = flags.stream()
                .filter(flag -> flag.startsWith(PAUSE))
                .reduce((earlier, later) -> later)
                .map(flag -> flag.substring(PAUSE.length()))
                .orElse("200");
        return goal.matches("\\d{1,9}") && Integer.parseInt(goal) <= 50
                ? fine("G1, " + goal + " ms", "short pauses")
                : doubt("G1, " + goal + " ms", "a pause goal above 50 ms shows in the p99 of all clients", advice);
    }

    private static Judgement buffers(Hosted hosted) {
        if (hosted.process().properties().isEmpty()) {
            return unreadable(hosted);
        }
        List<Judgement> all = List.of(
                buffer(hosted, "socket.send.buffer.bytes", "102400", "net.core.wmem_max"),
                buffer(hosted, "socket.receive.buffer.bytes", "102400", "net.core.rmem_max"),
                buffer(hosted, "replica.socket.receive.buffer.bytes", "65536", "net.core.rmem_max"));
        return all.stream()
                .filter(each -> each.verdict() != Verdict.FINE)
                .findFirst()
                .orElse(all.get(0));
    }

    private static Judgement buffer(Hosted hosted, String property, String byDefault, String setting) {
        String asked = hosted.process().properties().getOrDefault(property, byDefault);
        OptionalDouble most = number(hosted.host().facts(), setting);
        if (most.isEmpty() || !asked.matches("-1|\\d{1,12}")) {
            return unknown(setting + " cannot be read here");
        }
        if (asked.equals("-1")) {
            return fine("by the kernel", "the kernel makes the buffer of each connection as large as it takes");
        }
        double bytes = Double.parseDouble(asked);
        return bytes > most.getAsDouble()
                ? doubt(
                        kibibytes(bytes) + ", cut to " + kibibytes(most.getAsDouble()),
                        property + " is above " + setting,
                        "sysctl -w " + setting + "=" + asked + ", or " + property + "=-1")
                : fine(
                        kibibytes(bytes),
                        "a connection carries at most " + text(Math.floor(bytes * 1000 / 1e6)) + " MB/s over 1 ms, "
                                + text(Math.floor(bytes * 100 / 1e6)) + " MB/s over 10 ms");
    }

    private static Judgement fileSystem(LogFolder folder) {
        String type = folder.type();
        if (type.equals("xfs") || type.equals("ext4")) {
            return fine(type, "what Kafka is mostly run on");
        }
        if (type.equals("tmpfs") || type.equals("ramfs")) {
            return bad(type, "all is lost with the machine, and takes memory from everybody", "use a disk");
        }
        if (NETWORKED.contains(type)) {
            return bad(
                    type,
                    "deleting and renaming open files fails there now and then, which stops the broker; each append waits"
                            + " for the network",
                    "use a disk of the host: Kafka has replicas of its own");
        }
        if (type.equals("overlay")) {
            return doubt(
                    type,
                    "the writable layer of a container: slower, and gone with the container",
                    "mount a volume for the log folder");
        }
        return doubt(type, "is little used with Kafka, and copying on write scatters a log over the disk", "use XFS");
    }

    static Judgement room(long bytes, long usable) {
        if (bytes <= 0 || usable < 0) {
            return unknown("the file system does not tell its size");
        }
        double share = 100.0 * usable / bytes;
        String figure = percent(share) + " of " + gibibytes(bytes / KernelFiles.MIB);
        String advice = "shorten retention, move partitions, or add disk";
        return share < 5
                ? bad(figure, "the disk is nearly full: its log folder goes offline when it is", advice)
                : share < 15
                        ? doubt(figure, "little for a burst or for a replica that moves here", advice)
                        : fine(figure, "room for a burst");
    }
}
