package weir.feature.hosts;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import weir.feature.hosts.HostCalls.Op;
import weir.feature.hosts.HostCalls.Started;
import weir.feature.hosts.LinkListener.Hello;
import weir.host.Child;
import weir.host.Command;
import weir.host.FreeDiskSpace;
import weir.host.JavaRuntime;
import weir.host.MachineResources;
import weir.host.Shield;
import weir.host.Shields.CpuShare;
import weir.measure.LoadListener;
import weir.plan.Limits;
import weir.probe.WatchedProcess;
import weir.run.lab.OtherHosts;
import weir.time.DaemonThreads;
import weir.time.MachineClock;
import weir.time.TimeLimit;
import weir.worker.LinkedWorker;
import weir.worker.ReadingFrames;
import weir.worker.ServerSite;
import weir.worker.StartedWorker;
import weir.worker.WorkerFailed;
import weir.worker.WorkerJvm;
import weir.worker.link.Lease;
import weir.worker.link.LinkFrame;
import weir.worker.link.LinkFrame.Kind;
import weir.worker.link.LinkJson;
import weir.worker.link.QueuedLink;

/**
 * A host with an agent, which starts processes until it is closed or lost. This class sends calls to the agent,
 * compares the clocks, and detects the loss of the agent.
 */
public final class RemoteHost implements OtherHosts.OtherHost, MachineResources, AutoCloseable {
    static final long UNKNOWN = Long.MAX_VALUE;

    private static final Duration LOST = Duration.ofSeconds(5);
    private static final Duration CALL = Duration.ofSeconds(60);
    /** The wait for the reason of a pod's end, which Kubernetes may report after the connection breaks. */
    private static final Duration REASON_LIMIT = Duration.ofSeconds(2);

    static final Duration POLL_INTERVAL = Duration.ofMillis(10);

    private final Hello hello;
    private final LongSupplier clock;
    private final Lease lease;
    private final QueuedLink link;
    private final Map<Integer, CompletableFuture<LinkCall.Answer>> calls = new ConcurrentHashMap<>();
    private final AtomicInteger numbers = new AtomicInteger();
    private final CompletableFuture<String> lost = new CompletableFuture<>();
    private final Map<Integer, RemoteProcess> processes = new ConcurrentHashMap<>();
    private final SentFiles files = new SentFiles(this);
    private volatile Supplier<String> lossReason = () -> "";
    private volatile HostCalls.@Nullable Described described;
    private volatile boolean pod;
    private volatile LoadListener looking = LoadListener.NONE;
    private volatile long errorNanos = UNKNOWN;
    private volatile boolean closed;

    RemoteHost(Hello hello, LinkListener.LinkFactory links, LongSupplier clock) throws IOException {
        this.hello = hello;
        this.clock = clock;
        this.lease = new Lease(clock, LOST);
        this.link = links.link(broken -> lost("the connection broke: " + broken.getMessage()));
        link.send(LinkFrame.of(Kind.WELCOME, hello.name()));
        DaemonThreads.start("weir-host-" + name(), this::listen);
    }

    @Override
    public String name() {
        return hello.name();
    }

    public Hello hello() {
        return hello;
    }

    /** The last reported maximum error between the host's clock and the run's clock. */
    public long errorNanos() {
        return errorNanos;
    }

    /** Waits until the clock error is at most {@code withinNanos}; false at the limit or after a loss. */
    boolean clocked(long withinNanos, Duration limit) {
        return MachineClock.within(limit).awaits(() -> errorNanos <= withinNanos || isLost(), POLL_INTERVAL)
                && errorNanos <= withinNanos;
    }

    public boolean isLost() {
        return lost.isDone();
    }

    String lost() {
        return lost.getNow("");
    }

    /** Calls the listener once, with the reason, if the host is lost. A closed connection is no loss. */
    public void onLost(Consumer<String> listener) {
        var unused = lost.thenAccept(why -> {
            if (!closed) {
                listener.accept(why);
            }
        });
    }

    <T> T ask(Class<T> type, Op op, Object... words) {
        return ask(type, answer -> {}, op, words);
    }

    private <T> T ask(Class<T> type, Consumer<T> receiver, Op op, Object... words) {
        int number = numbers.incrementAndGet();
        CompletableFuture<LinkCall.Answer> answered = new CompletableFuture<>();
        CompletableFuture<T> value = answered.thenApply(answer -> {
            if (!answer.failure().isEmpty()) {
                throw new WorkerFailed("host '" + name() + "': " + answer.failure());
            }
            T read = LinkJson.read(answer.value(), type);
            receiver.accept(read);
            return read;
        });
        calls.put(number, answered);
        try {
            send(LinkCall.of(number, op, words).frame());
            return RemoteProcess.within(CALL, value, "calling host '" + name() + "'");
        } catch (IOException e) {
            throw new WorkerFailed(String.valueOf(e.getMessage()));
        } catch (TimeoutException e) {
            throw new WorkerFailed("host '" + name() + "' did not answer within " + CALL.toSeconds() + " s");
        } finally {
            calls.remove(number);
        }
    }

    void send(LinkFrame frame) throws IOException {
        if (isLost()) {
            throw new IOException("host '" + name() + "' is lost: " + lost());
        }
        link.send(frame);
    }

    /** Declares the host lost after too long a silence. Called about once a second. */
    void check() {
        if (!lease.tick()) {
            lost("its agent sent nothing for " + LOST.toSeconds() + " s");
        }
    }

    private void lost(String seen) {
        if (closed || isLost()) {
            return;
        }
        String known = lossReason(REASON_LIMIT);
        String why = known.isEmpty() ? seen : known + " (" + seen + ")";
        if (lost.complete(why)) {
            link.cut();
            giveUp(why);
        }
    }

    private void giveUp(String why) {
        processes.values().forEach(process -> process.lost(why));
        WorkerFailed gone = new WorkerFailed("host '" + name() + "' is lost: " + why);
        calls.values().forEach(call -> call.completeExceptionally(gone));
    }

    private void listen() {
        try {
            while (!isLost()) {
                LinkFrame frame = link.receive();
                lease.renew();
                handle(frame);
            }
        } catch (EOFException gone) {
            lost("its agent closed the connection");
        } catch (IOException | RuntimeException e) {
            lost("listening to its agent: " + e.getMessage());
        }
    }

    void handle(LinkFrame frame) throws IOException {
        DataInputStream in = frame.content();
        switch (frame.kind()) {
            case PING -> ping(in);
            case ANSWER -> {
                LinkCall.Answer answer = LinkCall.Answer.read(frame);
                CompletableFuture<LinkCall.Answer> asked = calls.get(answer.number());
                if (asked != null) {
                    asked.complete(answer);
                }
            }
            case CHANNEL, LOG, ENDED -> {
                RemoteProcess process = processes.get(in.readInt());
                if (process != null) {
                    process.received(frame.kind(), in);
                }
            }
            case READINGS -> ReadingFrames.forward(frame, looking);
            default -> throw new IOException("an agent does not send " + frame.kind());
        }
    }

    private void ping(DataInputStream in) throws IOException {
        long error = in.readLong();
        long askedNanos = in.readLong();
        long arrivedNanos = clock.getAsLong();
        if (error != UNKNOWN) {
            errorNanos = error;
        }
        link.sendFirst(LinkFrame.of(Kind.PONG, out -> {
            out.writeLong(askedNanos);
            out.writeLong(arrivedNanos);
            out.writeLong(clock.getAsLong());
        }));
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

    private Limits limits(Limits asked) {
        return pod ? Limits.NONE : asked;
    }

    /**
     * Starts a worker, which gets its assignment later. Both calls first send the necessary files.
     *
     * @param limit after which the worker is killed; {@link weir.time.TimeLimit#NEVER} for none
     */
    public StartedWorker start(WorkerJvm jvm, String name, Path log, Duration limit, LoadListener listener) {
        WorkerJvm there = new WorkerJvm(
                jvm.heap(),
                jvm.flags(),
                files.jars(jvm.classPath()),
                limits(jvm.within()),
                pod ? CpuShare.EQUAL : jvm.share());
        RemoteProcess process =
                started(name, log, Op.START_WORKER, channel -> new HostCalls.Worker(channel, name, there, limit));
        LinkedWorker worker = new LinkedWorker(process, process.pid(), listener, process::reason, files::placed);
        return new StartedWorker(worker, process.child());
    }

    @Override
    public ServerSite site(Duration limit) {
        return new ServerSite(this, files::placed, (jvm, name, log) -> start(jvm, name, log, limit, LoadListener.NONE));
    }

    private RemoteProcess started(String name, Path log, Op op, IntFunction<Object> asked) {
        int channel = numbers.incrementAndGet();
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

    private HostCalls.Described described() {
        HostCalls.Described known = described;
        if (known == null) {
            known = ask(HostCalls.Described.class, Op.DESCRIBE);
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
        return hello.processors();
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
            ask(String.class, Op.DELETE_FOLDER, folder);
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
        HostCalls.Shielded opened = ask(HostCalls.Shielded.class, Op.OPEN_SHIELD, name, own, data);
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
                        channel -> new HostCalls.Program(channel, command.name(), arguments))
                .child();
    }

    /** Samples the host and its brokers each second until the returned action runs; one sampling at a time. */
    public Runnable sample(long originNanos, List<WatchedProcess> brokers, LoadListener listener) {
        looking = listener;
        sample(new HostCalls.ProbeRequest(true, originNanos, brokers));
        return () -> {
            looking = LoadListener.NONE;
            sample(new HostCalls.ProbeRequest(false, originNanos, List.of()));
        };
    }

    private void sample(HostCalls.ProbeRequest look) {
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
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        lost.complete("it was closed");
        try {
            link.send(LinkFrame.of(Kind.BYE, ""));
        } catch (IOException gone) {
            // The agent has ended by itself, or will end soon.
            link.cut();
        }
        link.close();
        giveUp("its host was closed");
    }
}
