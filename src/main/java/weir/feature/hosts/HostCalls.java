package weir.feature.hosts;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import weir.host.Children;
import weir.host.Command;
import weir.host.HomeFolders;
import weir.host.Journal;
import weir.host.LocalChild;
import weir.host.LocalHost;
import weir.host.MachineResources;
import weir.host.Shield;
import weir.host.Shields;
import weir.io.Io;
import weir.plan.Limits;
import weir.plan.read.Hash;
import weir.probe.Probes;
import weir.probe.Sampler;
import weir.probe.WatchedProcess;
import weir.time.MachineClock;
import weir.time.TimeLimit;
import weir.worker.ReadingFrames;
import weir.worker.WorkerJvm;
import weir.worker.WorkerProcess;
import weir.worker.link.LinkFrame;
import weir.worker.link.QueuedLink;
import weir.worker.link.SyncedClock;

/** The handler of the conductor's requests on this host. Closing it undoes all its actions. */
final class HostCalls implements AutoCloseable {
    private final Journal journal;
    private final Children children;
    private final LocalHost here;
    private final HostFiles files;
    private final Path logs;
    private final Map<Integer, HostedProcess> processes = new ConcurrentHashMap<>();
    private final InetSocketAddress conductor;
    private final String name;
    private final QueuedLink link;
    private final SyncedClock clock;
    private final Consumer<LinkFrame> readings;
    private @Nullable Sampler sampler;

    HostCalls(
            InetSocketAddress conductor,
            HomeFolders home,
            String name,
            QueuedLink link,
            SyncedClock clock,
            Consumer<LinkFrame> readings) {
        this.journal = Journal.open(home.state());
        this.children = Children.open(journal);
        this.here = new LocalHost(children);
        this.logs = journal.newFolder("logs");
        this.files = new HostFiles(home.cache().resolve("files"), journal.newFolder("files"), journal);
        this.conductor = conductor;
        this.name = name;
        this.link = link;
        this.clock = clock;
        this.readings = readings;
    }

    @Nullable HostedProcess process(int channel) {
        return processes.get(channel);
    }

    Collection<HostedProcess> processes() {
        return processes.values();
    }

    Object answer(LinkCall call) throws IOException {
        MachineResources machine = here.resources();
        return switch (Op.valueOf(call.op())) {
            case DESCRIBE -> new Described(here.java().home(), address());
            case FREE_MEMORY -> machine.freeMemory();
            case ROOM_ON_DISK -> machine.disk(call.path(0));
            case MISSING -> machine.missing(call.word(0, Limits.class), call.path(1));
            case FIND_PROGRAM -> machine.program(call.word(0, String.class));
            case FREE_PORT -> here.freePort();
            case WATCH -> watch(call.word(0, WatchedProcess.class));
            case LOOK -> sample(call.word(0, ProbeRequest.class));
            case NEW_FOLDER -> here.newFolder(call.path(0), call.word(1, String.class));
            case OWN_FOLDER -> LinkCall.done(() -> here.own(call.path(0)));
            case MAKE_FOLDER -> LinkCall.done(() -> here.folder(call.path(0)));
            case DELETE_FOLDER -> LinkCall.done(() -> here.delete(call.path(0)));
            case WRITE_FILE -> LinkCall.done(() -> here.write(call.path(0), call.word(1, byte[].class)));
            case OPEN_SHIELD -> {
                Shield shield = here.shield(call.word(0, String.class), call.word(1, Limits.class), call.path(2));
                yield new Shielded(shield.groups(), shield.kept());
            }
            case CLOSE_SHIELD -> LinkCall.done(() -> Shields.remove(journal, List.of(call.word(0, Path[].class))));
            case OFFER -> files.wanted(List.of(call.word(0, OfferedFile[].class)));
            case TAKE ->
                files.take(call.word(0, OfferedFile.class), call.word(1, Long.class), call.word(2, byte[].class));
            case START_WORKER -> start(call.word(0, Worker.class));
            case START_PROGRAM -> start(call.word(0, Program.class));
        };
    }

    private String address() throws IOException {
        try {
            return WorkerHosts.addressTowards(conductor);
        } catch (SocketException e) {
            throw new IOException("no path to the conductor: " + e.getMessage(), e);
        }
    }

    private Started start(Worker asked) {
        WorkerProcess process = WorkerProcess.start(children, asked.jvm(), asked.name(), log(asked.channel()));
        LocalChild child = process.child();
        host(asked.channel(), child, child.input(), process::close, asked.limit());
        return new Started(asked.channel(), child.pid(), process.ending().toNanos());
    }

    private Started start(Program asked) {
        LocalChild child = children.start(
                new Command(asked.name(), asked.arguments(), log(asked.channel()), Command.Output.LOGGED));
        host(asked.channel(), child, OutputStream.nullOutputStream(), child::endTree, TimeLimit.NEVER);
        return new Started(asked.channel(), child.pid(), 0);
    }

    private Path log(int channel) {
        return logs.resolve(channel + ".log");
    }

    private void host(int channel, LocalChild child, OutputStream input, Runnable end, Duration limit) {
        TimeLimit deadline = new TimeLimit(MachineClock.STEADY, limit);
        processes.put(channel, new HostedProcess(channel, child, input, end, log(channel), link, deadline));
    }

    void begin(HostedProcess process) {
        process.begin(() -> processes.values().remove(process));
    }

    private synchronized boolean watch(WatchedProcess process) {
        Sampler now = sampler;
        if (now != null) {
            now.watch(process.source(), process.probes(logs));
        }
        return now != null;
    }

    private synchronized boolean sample(ProbeRequest look) {
        stopSampling();
        if (look.on()) {
            clock.steady();
            Sampler now = Sampler.inLooks(look.originNanos(), clock, read -> readings.accept(ReadingFrames.of(read)));
            sampler = now;
            Path disk = look.brokers().isEmpty() ? logs : look.brokers().get(0).data();
            now.watch("host-" + name, Probes.host(disk));
            look.brokers().forEach(broker -> now.watch(broker.source(), broker.probes(disk)));
        }
        return look.on();
    }

    private void stopSampling() {
        Sampler before = sampler;
        if (before != null) {
            before.close();
            sampler = null;
        }
    }

    @Override
    public synchronized void close() {
        processes.values().forEach(HostedProcess::kill);
        children.close();
        stopSampling();
        journal.undo();
    }

    /**
     * The conductor's files on this host, each at its original path below a folder of the run. Files for later runs are
     * in a cache, named by their hash; the folder has links to them.
     *
     * @param journal lists incomplete files, so that Weir can delete them after the end of this process
     */
    record HostFiles(Path cache, Path root, Journal journal) {
        private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");

        synchronized MissingFiles wanted(List<OfferedFile> offer) throws IOException {
            List<Integer> wanted = new ArrayList<>();
            for (int i = 0; i < offer.size(); i++) {
                OfferedFile file = offer.get(i);
                check(file);
                if (is(at(file), file)) {
                    link(file);
                } else {
                    wanted.add(i);
                }
            }
            return new MissingFiles(root, wanted);
        }

        private static boolean is(Path at, OfferedFile file) throws IOException {
            try {
                return Files.size(at) == file.size() && Hash.of(at).equals(file.sha256());
            } catch (NoSuchFileException absent) {
                return false;
            }
        }

        synchronized boolean take(OfferedFile file, long from, byte[] piece) throws IOException {
            check(file);
            Path at = at(file);
            Path part = at.resolveSibling(
                    at.getFileName() + "." + ProcessHandle.current().pid());
            if (from == 0) {
                Files.createDirectories(at.resolveSibling(""), Io.OWN_FOLDER);
                Files.deleteIfExists(part);
                journal.folder(part);
                Files.createFile(part, Io.OWN_FILE);
            }
            Files.write(part, piece, StandardOpenOption.APPEND);
            if (piece.length > 0 && from + piece.length < file.size()) {
                return false;
            }
            if (!is(part, file)) {
                journal.delete(part);
                throw new IOException("'" + file.path() + "' changed while Weir sent this file");
            }
            Files.move(part, at, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            journal.folderGone(part);
            link(file);
            return true;
        }

        private void link(OfferedFile file) throws IOException {
            if (file.kept()) {
                Path link = Path.of(root + file.path());
                Files.createDirectories(link.resolveSibling(""), Io.OWN_FOLDER);
                Files.deleteIfExists(link);
                Files.createSymbolicLink(link, at(file).toAbsolutePath());
            }
        }

        private static void check(OfferedFile file) throws IOException {
            Path path = Path.of(file.path());
            if (!SHA256.matcher(file.sha256()).matches()
                    || !path.isAbsolute()
                    || !path.normalize().equals(path)) {
                throw new IOException("'" + file.path() + "' must be a normalized absolute path with a SHA-256 hash");
            }
        }

        private Path at(OfferedFile file) {
            return file.kept() ? cache.resolve(file.sha256()) : Path.of(root + file.path());
        }
    }

    /** The requests of a conductor to an agent. Paths are paths of the agent's host. */
    enum Op {
        DESCRIBE,
        FREE_MEMORY,
        ROOM_ON_DISK,
        MISSING,
        FIND_PROGRAM,
        FREE_PORT,
        WATCH,
        LOOK,
        NEW_FOLDER,
        OWN_FOLDER,
        MAKE_FOLDER,
        DELETE_FOLDER,
        WRITE_FILE,
        OPEN_SHIELD,
        CLOSE_SHIELD,
        OFFER,
        TAKE,
        START_WORKER,
        START_PROGRAM
    }

    record Described(Path java, String address) {}

    record Shielded(List<Path> groups, SortedMap<String, String> kept) {}

    /**
     * @param path on the conductor's machine; the host stores the file at this path below a folder
     * @param kept true if the host keeps the file for later runs, because it contains no secret
     */
    record OfferedFile(String path, String sha256, long size, boolean kept) {}

    record MissingFiles(Path root, List<Integer> files) {
        MissingFiles {
            files = List.copyOf(files);
        }
    }

    record Worker(int channel, String name, WorkerJvm jvm, Duration limit) {}

    record Program(int channel, String name, List<String> arguments) {}

    /** {@code endingNanos} is the time for the process to end by itself before it is killed. */
    record Started(int channel, long pid, long endingNanos) {}

    /** {@code originNanos} is the time of the run's clock at second 0 of the readings. */
    record ProbeRequest(boolean on, long originNanos, List<WatchedProcess> brokers) {
        ProbeRequest {
            brokers = List.copyOf(brokers);
        }
    }
}
