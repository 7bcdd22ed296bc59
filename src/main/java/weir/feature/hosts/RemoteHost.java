package weir.feature.hosts;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import weir.feature.hosts.HostCalls.HostCall;
import weir.feature.hosts.HostCalls.HostCall.Op;
import weir.feature.hosts.HostCalls.HostCall.Program;
import weir.feature.hosts.HostCalls.HostCall.Started;
import weir.feature.hosts.HostCalls.HostCall.Worker;
import weir.feature.hosts.LinkListener.Hello;
import weir.host.Child;
import weir.host.Command;
import weir.host.FreeDiskSpace;
import weir.host.JavaRuntime;
import weir.host.MachineResources;
import weir.host.ProcessAction;
import weir.host.Shield;
import weir.host.Shields.CpuShare;
import weir.measure.LoadListener;
import weir.plan.Limits;
import weir.probe.WatchedProcess;
import weir.run.lab.OtherHosts;
import weir.time.MachineClock;
import weir.time.TimeLimit;
import weir.worker.LinkedWorker;
import weir.worker.ReadingFrames;
import weir.worker.ServerSite;
import weir.worker.StartedWorker;
import weir.worker.WorkerFailed;
import weir.worker.WorkerJvm;
import weir.worker.link.LinkFrame;
import weir.worker.link.LinkFrame.Kind;

/** A host with an agent, which starts processes until it is closed or lost. */
public final class RemoteHost extends AgentLink implements OtherHosts.OtherHost, MachineResources {
    /** The wait for the reason of a pod's end, which Kubernetes may report after the connection breaks. */
    private static final Duration FATE = Duration.ofSeconds(2);

    private final Map<Integer, RemoteProcess> processes = new ConcurrentHashMap<>();
    private final SentFiles files = new SentFiles(this);
    private volatile Supplier<String> lossReason = () -> "";
    private volatile HostCall.@Nullable Described described;
    private volatile boolean pod;
    private volatile LoadListener looking = LoadListener.NONE;

    RemoteHost(Hello hello, LinkListener.LinkFactory entrance, LongSupplier clock) throws IOException {
        super(hello, entrance, clock);
        begin();
    }

    /** Marks the host as a pod. The limits of the pod then replace limits of its processes. */
    void isPod(Supplier<String> knowsFate) {
        lossReason = knowsFate;
        pod = true;
    }

    /** Waits for the creator's reason for a present or imminent loss of the host; empty at the limit. */
    String lossReason(Duration limit) {
        TimeLimit deadline = MachineClock.within(limit);
        String why = lossReason.get();
        while (pod && why.isEmpty() && !deadline.passed()) {
            LockSupport.parkNanos(200_000_000);
            why = lossReason.get();
        }
        return why;
    }

    @Override
    String lossReason() {
        return lossReason(FATE);
    }

    private Limits limits(Limits asked) {
        return pod ? Limits.NONE : asked;
    }

    /**
     * Starts a worker, which gets its assignment later. Both calls first send the necessary files.
     *
     * @param limit after which the worker is killed; {@link weir.time.TimeLimit#NEVER} for none
     */
    public LinkedWorker start(WorkerJvm jvm, String name, Path log, Duration limit, LoadListener listener) {
        return startServer(jvm, name, log, limit, listener).worker();
    }

    StartedWorker startServer(WorkerJvm jvm, String name, Path log, Duration limit, LoadListener listener) {
        WorkerJvm there = new WorkerJvm(
                jvm.heap(),
                jvm.flags(),
                files.jars(jvm.classPath()),
                limits(jvm.within()),
                pod ? CpuShare.EQUAL : jvm.share());
        RemoteProcess process = started(name, log, Op.START_WORKER, channel -> new Worker(channel, name, there, limit));
        LinkedWorker worker = new LinkedWorker(process, process.pid(), listener, process::told, files::placed);
        return new StartedWorker(worker, process.child());
    }

    @Override
    public ServerSite site(Duration limit) {
        return new ServerSite(
                this, files::placed, (jvm, name, log) -> startServer(jvm, name, log, limit, LoadListener.NONE));
    }

    private RemoteProcess started(String name, Path log, Op op, IntFunction<Object> asked) {
        int channel = nextNumber();
        RemoteProcess process = new RemoteProcess(this, channel, name, log);
        processes.put(channel, process);
        try {
            // Runs on the listening thread, before this thread reads the first output of the process.
            ask(Started.class, process::started, op, asked.apply(channel));
            return process;
        } catch (RuntimeException e) {
            processes.remove(channel);
            throw e instanceof WorkerFailed ? new WorkerFailed(name + " could not be started: " + e.getMessage()) : e;
        }
    }

    @Override
    public void watch(WatchedProcess process) {
        ask(Boolean.class, Op.WATCH, process);
    }

    private HostCall.Described described() {
        HostCall.Described known = described;
        if (known == null) {
            known = ask(HostCall.Described.class, Op.DESCRIBE);
            described = known;
        }
        return known;
    }

    @Override
    public String address() {
        return described().address();
    }

    @Override
    public JavaRuntime java() {
        return new JavaRuntime(described().java());
    }

    @Override
    public MachineResources resources() {
        return this;
    }

    @Override
    public int processors() {
        return hello().processors();
    }

    @Override
    public long freeMemory() {
        return ask(Long.class, Op.FREE_MEMORY);
    }

    @Override
    public FreeDiskSpace disk(Path data) {
        return ask(FreeDiskSpace.class, Op.ROOM_ON_DISK, data);
    }

    @Override
    public List<String> missing(Limits limits, Path data) {
        return List.of(ask(String[].class, Op.MISSING, limits(limits), data));
    }

    @Override
    public Path program(String name) {
        return ask(Path.class, Op.FIND_PROGRAM, name);
    }

    @Override
    public Path newFolder(Path below, String name) {
        return ask(Path.class, Op.NEW_FOLDER, below, name);
    }

    @Override
    public int freePort() {
        return ask(Integer.class, Op.FREE_PORT);
    }

    @Override
    public void own(Path folder) {
        ask(String.class, Op.OWN_FOLDER, folder);
    }

    @Override
    public void folder(Path folder) {
        ask(String.class, Op.MAKE_FOLDER, folder);
    }

    /** Deletes a folder of the host. If the host is lost, its agent deletes the folder. */
    @Override
    public void delete(Path folder) {
        if (!isLost()) {
            ask(Boolean.class, Op.DELETE_FOLDER, folder);
        }
    }

    @Override
    public void write(Path file, byte[] content) {
        ask(String.class, Op.WRITE_FILE, file, content);
    }

    @Override
    public List<Path> jars(List<Path> jars) {
        return files.jars(jars.stream().map(Path::toString).toList()).stream()
                .map(Path::of)
                .toList();
    }

    @Override
    public Shield shield(String name, Limits limits, Path data) {
        Limits own = limits(limits);
        if (own.equals(Limits.NONE)) {
            return Shield.NONE;
        }
        HostCall.Shielded opened = ask(HostCall.Shielded.class, Op.OPEN_SHIELD, name, own, data);
        return new Shield(opened.groups(), opened.kept(), () -> {
            if (!isLost()) {
                ask(String.class, Op.CLOSE_SHIELD, opened.groups());
            }
        });
    }

    @Override
    public boolean tied() {
        return true;
    }

    @Override
    public Child start(Command command) {
        List<String> arguments = command.within().wrapped(command.arguments());
        return started(
                        command.name(),
                        command.log(),
                        Op.START_PROGRAM,
                        channel -> new Program(channel, command.name(), arguments))
                .child();
    }

    void act(int channel, ProcessAction action) {
        try {
            send(LinkFrame.of(Kind.SIGNAL, out -> {
                out.writeInt(channel);
                out.writeUTF(action.name());
            }));
        } catch (IOException e) {
            throw new WorkerFailed("host '" + name() + "': " + e.getMessage());
        }
    }

    /** Samples the host and its brokers each second until the returned action runs; one sampling at a time. */
    public Runnable sample(long originNanos, List<WatchedProcess> brokers, LoadListener listener) {
        looking = listener;
        sample(new HostCall.ProbeRequest(true, originNanos, brokers));
        return () -> {
            looking = LoadListener.NONE;
            sample(new HostCall.ProbeRequest(false, originNanos, List.of()));
        };
    }

    private void sample(HostCall.ProbeRequest look) {
        try {
            ask(Boolean.class, Op.LOOK, look);
        } catch (WorkerFailed failed) {
            // The workers of a lost host report the loss.
            if (!isLost()) {
                throw failed;
            }
        }
    }

    void forget(int channel) {
        processes.remove(channel);
    }

    @Override
    void over(String why) {
        processes.values().forEach(process -> process.lost(why));
    }

    @Override
    void handleProcessFrame(LinkFrame frame) throws IOException {
        switch (frame.kind()) {
            case CHANNEL, LOG, ENDED -> {
                DataInputStream in = frame.content();
                RemoteProcess process = processes.get(in.readInt());
                if (process != null) {
                    process.told(frame.kind(), in);
                }
            }
            case READINGS -> ReadingFrames.forward(frame, looking);
            default -> throw new IOException("an agent does not send " + frame.kind());
        }
    }
}
