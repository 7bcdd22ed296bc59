package weir.feature.hosts;

import java.io.IOException;
import java.io.OutputStream;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import weir.feature.hosts.HostCall.Offered;
import weir.feature.hosts.HostCall.Op;
import weir.feature.hosts.HostCall.Started;
import weir.host.Children;
import weir.host.Command;
import weir.host.Journal;
import weir.host.LocalChild;
import weir.host.LocalHost;
import weir.host.MachineResources;
import weir.host.Shield;
import weir.plan.Limits;
import weir.probe.Probes;
import weir.probe.Sampler;
import weir.probe.WatchedProcess;
import weir.time.MachineClock;
import weir.time.TimeLimit;
import weir.worker.ReadingFrames;
import weir.worker.WorkerProcess;
import weir.worker.link.LinkFrame;
import weir.worker.link.QueuedLink;
import weir.worker.link.SyncedClock;

/** The conductor's requests, carried out on this host; closing undoes all that they made. */
final class HostCalls implements AutoCloseable {
    private final Journal journal;
    private final Children children;
    private final LocalHost here;
    private final HostFiles files;
    private final Path logs;
    private final Map<Integer, HostedProcess> processes = new ConcurrentHashMap<>();
    private final Map<List<Path>, Shield> shields = new ConcurrentHashMap<>();
    private final Set<Path> folders = Collections.synchronizedSet(new LinkedHashSet<>());
    private final Agent.Settings settings;
    private final String name;
    private final QueuedLink link;
    private final SyncedClock clock;
    private final Consumer<LinkFrame> readings;
    private @Nullable Sampler sampler;

    /**
     * @param name of this host
     * @param link to the conductor
     * @param clock of the run
     * @param readings takes those of probes to the conductor
     */
    HostCalls(Agent.Settings settings, String name, QueuedLink link, SyncedClock clock, Consumer<LinkFrame> readings) {
        this.journal = Journal.open(settings.home().state());
        this.children = Children.open(journal);
        this.here = new LocalHost(children);
        this.logs = journal.newFolder("logs");
        this.files = new HostFiles(settings.home().cache().resolve("files"), journal.newFolder("files"), journal);
        this.settings = settings;
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
            case DESCRIBE -> new HostCall.Described(here.java().home(), address());
            case FREE_MEMORY -> machine.freeMemory();
            case ROOM_ON_DISK -> machine.disk(call.path(0));
            case MISSING -> machine.missing(call.word(0, Limits.class), call.path(1));
            case FIND_PROGRAM -> machine.program(call.word(0, String.class));
            case FREE_PORT -> here.freePort();
            case WATCH -> watch(call.word(0, WatchedProcess.class));
            case LOOK -> look(call.word(0, HostCall.Look.class));
            case NEW_FOLDER -> owned(here.newFolder(call.path(0), call.word(1, String.class)));
            case OWN_FOLDER -> {
                here.own(owned(call.path(0)));
                yield "";
            }
            case MAKE_FOLDER -> {
                here.folder(call.path(0));
                yield "";
            }
            case DELETE_FOLDER -> {
                here.delete(call.path(0));
                yield folders.remove(call.path(0));
            }
            case WRITE_FILE -> {
                here.write(call.path(0), call.word(1, byte[].class));
                yield "";
            }
            case OPEN_SHIELD -> {
                Shield shield = here.shield(call.word(0, String.class), call.word(1, Limits.class), call.path(2));
                shields.put(shield.groups(), shield);
                yield new HostCall.Shielded(shield.groups(), shield.kept());
            }
            case CLOSE_SHIELD -> {
                Shield shield = shields.remove(List.of(call.word(0, Path[].class)));
                if (shield != null) {
                    shield.close();
                }
                yield "";
            }
            case OFFER -> files.wanted(List.of(call.word(0, Offered[].class)));
            case TAKE -> files.take(call.word(0, Offered.class), call.word(1, Long.class), call.word(2, byte[].class));
            case START_WORKER -> start(call.word(0, HostCall.Worker.class));
            case START_PROGRAM -> start(call.word(0, HostCall.Program.class));
        };
    }

    private String address() throws IOException {
        try {
            return WorkerHosts.addressTowards(settings.conductor());
        } catch (SocketException e) {
            throw new IOException("there is no way to the conductor: " + e.getMessage(), e);
        }
    }

    private Path owned(Path folder) {
        folders.add(folder);
        return folder;
    }

    private Started start(HostCall.Worker asked) {
        WorkerProcess process = WorkerProcess.start(children, asked.jvm(), asked.name(), log(asked.channel()));
        LocalChild child = process.child();
        host(asked.channel(), child, child.input(), process::close, asked.limit());
        return new Started(asked.channel(), child.pid(), process.ending().toNanos());
    }

    private Started start(HostCall.Program asked) {
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

    private synchronized boolean look(HostCall.Look look) {
        unlook();
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

    private void unlook() {
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
        shields.values().forEach(Shield::close);
        shields.clear();
        List<Path> left = new ArrayList<>(folders);
        Collections.reverse(left);
        left.forEach(here::delete);
        folders.clear();
        unlook();
        files.close();
        journal.delete(files.root());
        journal.delete(logs);
        journal.close();
    }
}
