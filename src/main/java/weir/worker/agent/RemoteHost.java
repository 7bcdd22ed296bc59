package weir.worker.agent;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import weir.host.Child;
import weir.host.Command;
import weir.host.ProcessAction;
import weir.host.Shields.CpuShare;
import weir.plan.Limits;
import weir.plan.read.Hash;
import weir.probe.WatchedProcess;
import weir.time.DaemonThreads;
import weir.time.MachineClock;
import weir.time.TimeLimit;
import weir.worker.LinkedWorker;
import weir.worker.ReadingFrames;
import weir.worker.ServerSite;
import weir.worker.StartedWorker;
import weir.worker.WorkerFailed;
import weir.worker.WorkerJvm;
import weir.worker.WorkerListener;
import weir.worker.agent.HostCall.Offered;
import weir.worker.agent.HostCall.Op;
import weir.worker.agent.HostCall.Program;
import weir.worker.agent.HostCall.Started;
import weir.worker.agent.HostCall.Worker;
import weir.worker.link.Hello;
import weir.worker.link.Lease;
import weir.worker.link.LinkCall;
import weir.worker.link.LinkFrame;
import weir.worker.link.LinkFrame.Kind;
import weir.worker.link.LinkJson;
import weir.worker.link.LinkListener;
import weir.worker.link.QueuedLink;

/** A host with an agent, which starts processes until it is closed or lost. */
public final class RemoteHost implements AutoCloseable {
    static final long UNKNOWN = Long.MAX_VALUE;

    private static final Duration LOST = Duration.ofSeconds(5);
    /** The creator of a pod may know of its end a moment later. */
    private static final Duration FATE = Duration.ofSeconds(2);

    private static final Duration SENDING = Duration.ofMinutes(30);
    private static final Duration CALL = Duration.ofSeconds(60);

    private final Hello hello;
    private final LongSupplier clock;
    private final Lease lease;
    private final QueuedLink link;
    private final Map<Integer, RemoteProcess> processes = new ConcurrentHashMap<>();
    private final Map<Integer, CompletableFuture<LinkCall.Answer>> calls = new ConcurrentHashMap<>();
    private final AtomicInteger numbers = new AtomicInteger();
    private final Object clocking = new Object();

    private final CompletableFuture<String> lost = new CompletableFuture<>();
    private volatile long errorNanos = UNKNOWN;
    private volatile Supplier<String> fate = () -> "";

    private @Nullable RemotePlace place;
    private volatile boolean pod;
    private volatile WorkerListener looking = WorkerListener.NONE;
    private volatile boolean closed;

    public interface Looking extends AutoCloseable {
        @Override
        void close();
    }

    RemoteHost(Hello hello, LinkListener.Entrance entrance, LongSupplier clock) throws IOException {
        this.hello = hello;
        this.clock = clock;
        this.lease = new Lease(clock, LOST);
        var unused = lost.thenRun(this::wakeClocking);
        this.link = entrance.link(broken -> lost("the connection broke: " + broken.getMessage()));
        link.send(LinkFrame.of(Kind.WELCOME, hello.name()));
        DaemonThreads.start("weir-host-" + hello.name(), this::listen);
    }

    public String name() {
        return hello.name();
    }

    public Hello hello() {
        return hello;
    }

    /** Marks the host as a pod, whose processes have no limits but the pod's. */
    void isPod(Supplier<String> knowsFate) {
        fate = knowsFate;
        pod = true;
    }

    /**
     * The reason for a loss, present or imminent, as the host's creator knows it within the limit; empty if unknown.
     */
    String fate(Duration limit) {
        TimeLimit deadline = MachineClock.within(limit);
        String why = fate.get();
        while (pod && why.isEmpty() && !deadline.passed()) {
            LockSupport.parkNanos(200_000_000);
            why = fate.get();
        }
        return why;
    }

    Limits limits(Limits asked) {
        return pod ? Limits.NONE : asked;
    }

    /** The possible error of the host's clock against the run's, as last reported. */
    public long errorNanos() {
        return errorNanos;
    }

    /** Waits until the host's clock is known this precisely; false at the limit or if the host is lost. */
    boolean clocked(long withinNanos, Duration limit) {
        TimeLimit deadline = MachineClock.within(limit);
        synchronized (clocking) {
            while (errorNanos > withinNanos) {
                if (deadline.passed() || isLost()) {
                    return false;
                }
                try {
                    TimeUnit.NANOSECONDS.timedWait(clocking, deadline.left().toNanos() + 1);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IllegalStateException("interrupted while the clock of '" + name() + "' was asked", e);
                }
            }
            return true;
        }
    }

    public boolean isLost() {
        return lost.isDone();
    }

    String lost() {
        return lost.getNow("");
    }

    /** Reports the reason once if the host is lost, but not when it is closed. */
    public void onLost(Consumer<String> hears) {
        var unused = lost.thenAccept(why -> {
            if (!closed) {
                hears.accept(why);
            }
        });
    }

    /**
     * Starts an unprepared worker there. The files that it needs beside Weir itself are sent with it and with its
     * assignment.
     *
     * @param name of the process
     * @param log takes its log on this machine
     * @param limit the time after which it is killed there; {@link weir.time.TimeLimit#NEVER} for none
     */
    public LinkedWorker start(WorkerJvm jvm, String name, Path log, Duration limit, WorkerListener listener) {
        return startServer(jvm, name, log, limit, listener).worker();
    }

    StartedWorker startServer(WorkerJvm jvm, String name, Path log, Duration limit, WorkerListener listener) {
        WorkerJvm there = new WorkerJvm(
                jvm.heap(),
                jvm.flags(),
                jars(jvm.classPath()),
                limits(jvm.within()),
                pod ? CpuShare.EQUAL : jvm.share());
        RemoteProcess process = started(name, log, Op.START_WORKER, channel -> new Worker(channel, name, there, limit));
        LinkedWorker worker = new LinkedWorker(
                process,
                process.pid(),
                listener,
                process::told,
                assignment -> AssignmentFiles.of(assignment).placed(this));
        return new StartedWorker(worker, process.child());
    }

    public ServerSite site(Duration limit) {
        return new ServerSite(
                place(),
                place().address(),
                properties -> AssignmentFiles.placed(properties, this),
                (jvm, name, log) -> startServer(jvm, name, log, limit, WorkerListener.NONE));
    }

    private RemoteProcess started(String name, Path log, Op op, IntFunction<Object> asked) {
        int channel = numbers.incrementAndGet();
        RemoteProcess process = new RemoteProcess(this, channel, name, log);
        processes.put(channel, process);
        try {
            // Runs on the listening thread, which reads the process's first output next.
            ask(Started.class, CALL, process::started, op, asked.apply(channel));
            return process;
        } catch (RuntimeException e) {
            processes.remove(channel);
            throw e instanceof WorkerFailed ? new WorkerFailed(name + " could not be started: " + e.getMessage()) : e;
        }
    }

    public void watch(String source, WatchedProcess process) {
        ask(Boolean.class, Op.WATCH, source, process);
    }

    public synchronized RemotePlace place() {
        RemotePlace known = place;
        if (known == null) {
            known = new RemotePlace(this);
            place = known;
        }
        return known;
    }

    Child start(Command command) {
        List<String> arguments = command.within().entered(command.arguments());
        return started(
                        command.name(),
                        command.log(),
                        Op.START_PROGRAM,
                        channel -> new Program(channel, command.name(), arguments))
                .child();
    }

    /**
     * Lets something be done there, and returns the answer.
     *
     * @throws WorkerFailed when it could not be done, with the reason
     */
    <T> T ask(Class<T> type, Op op, Object... words) {
        return ask(type, CALL, answer -> {}, op, words);
    }

    /** @param heard receives the answer on the listening thread, before that reads on */
    private <T> T ask(Class<T> type, Duration limit, Consumer<T> heard, Op op, Object... words) {
        int number = numbers.incrementAndGet();
        CompletableFuture<LinkCall.Answer> answered = new CompletableFuture<>();
        CompletableFuture<T> value = answered.thenApply(answer -> {
            if (!answer.failure().isEmpty()) {
                throw new WorkerFailed("host '" + name() + "': " + answer.failure());
            }
            T read = LinkJson.read(answer.value(), type);
            heard.accept(read);
            return read;
        });
        calls.put(number, answered);
        try {
            send(LinkCall.of(number, op, words).frame());
            return value.get(limit.toSeconds(), TimeUnit.SECONDS);
        } catch (IOException e) {
            throw new WorkerFailed(String.valueOf(e.getMessage()));
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException failed ? failed : new IllegalStateException(e);
        } catch (TimeoutException e) {
            throw new WorkerFailed("host '" + name() + "' does not answer for " + limit.toSeconds() + " s");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while host '" + name() + "' was asked", e);
        } finally {
            calls.remove(number);
        }
    }

    /** The paths of these jars there, to which they are sent. */
    List<String> jars(List<String> entries) {
        List<Offered> jars = new ArrayList<>();
        for (String entry : entries) {
            Path jar = Path.of(entry).toAbsolutePath().normalize();
            if (!Files.isRegularFile(jar)) {
                throw new WorkerFailed("'" + jar + "' is no jar, and only jars are sent to host '" + name()
                        + "'; put the classes into one");
            }
            jars.add(offered(jar, true));
        }
        if (jars.isEmpty()) {
            return List.of();
        }
        String root = place(jars);
        return jars.stream().map(jar -> root + jar.path()).toList();
    }

    static Offered offered(Path file, boolean kept) {
        try {
            return new Offered(file.toString(), Hash.of(file), Files.size(file), kept);
        } catch (IOException e) {
            throw new WorkerFailed("'" + file + "' cannot be read, and a worker elsewhere needs it: " + e.getMessage());
        }
    }

    /** Sends the missing files; returns the folder below which each file has its own path. */
    String place(List<Offered> files) {
        int number = numbers.incrementAndGet();
        try {
            for (int index : ask(int[].class, SENDING, wanted -> {}, Op.OFFER, number, files)) {
                send(number, index, Path.of(files.get(index).path()));
            }
            return ask(String.class, SENDING, root -> {}, Op.PLACED, number);
        } catch (IOException | WorkerFailed | IndexOutOfBoundsException e) {
            throw new WorkerFailed("sending files: " + e.getMessage());
        }
    }

    private void send(int number, int index, Path file) throws IOException {
        byte[] piece = new byte[AgentFrames.PIECE];
        try (InputStream in = Files.newInputStream(file)) {
            int length;
            do {
                length = in.readNBytes(piece, 0, piece.length);
                link.sendPatiently(AgentFrames.piece(number, index, length < piece.length, piece, length));
            } while (length == piece.length);
        }
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

    /**
     * Samples the host itself each second until the result is closed; one sampling at a time.
     *
     * @param originNanos second 0 of them
     * @param brokers on that host, which are sampled too
     * @param listener receives them with the source {@code host-NAME}
     */
    public Looking look(long originNanos, List<HostedBroker> brokers, WorkerListener listener) {
        looking = listener;
        look(new HostCall.Look(true, originNanos, brokers));
        return () -> {
            looking = WorkerListener.NONE;
            look(new HostCall.Look(false, originNanos, List.of()));
        };
    }

    private void look(HostCall.Look look) {
        try {
            ask(Boolean.class, Op.LOOK, look);
        } catch (WorkerFailed failed) {
            // The workers of a lost host report the loss.
            if (!isLost()) {
                throw failed;
            }
        }
    }

    void send(LinkFrame frame) throws IOException {
        if (lost.isDone()) {
            throw new IOException("host '" + name() + "' is lost: " + lost.join());
        }
        link.send(frame);
    }

    void forget(int channel) {
        processes.remove(channel);
    }

    /** Declares a silent host lost; call it about once a second. */
    void check() {
        if (!lease.tick()) {
            lost("it was not heard for " + LOST.toSeconds() + " s");
        }
    }

    private void lost(String seen) {
        if (closed || lost.isDone()) {
            return;
        }
        String known = fate(FATE);
        String why = known.isEmpty() ? seen : known + " (" + seen + ")";
        if (!lost.complete(why)) {
            return;
        }
        link.cut();
        processes.values().forEach(process -> process.lost(why));
        giveUpCalls(why);
    }

    private void giveUpCalls(String why) {
        WorkerFailed lost = new WorkerFailed("host '" + name() + "' is lost: " + why);
        calls.values().forEach(call -> call.completeExceptionally(lost));
    }

    private void listen() {
        try {
            while (!lost.isDone()) {
                LinkFrame frame = link.receive();
                lease.heard();
                hear(frame);
            }
        } catch (EOFException gone) {
            lost("its agent closed the connection");
        } catch (IOException | RuntimeException e) {
            lost("listening to its agent: " + e.getMessage());
        }
    }

    void hear(LinkFrame frame) throws IOException {
        DataInputStream in = frame.content();
        switch (frame.kind()) {
            case PING -> ping(in.readLong(), in.readLong());
            case CHANNEL -> {
                RemoteProcess process = processes.get(in.readInt());
                if (process != null) {
                    process.said(AgentFrames.rest(frame, in));
                }
            }
            case LOG -> {
                RemoteProcess process = processes.get(in.readInt());
                if (process != null) {
                    process.logged(AgentFrames.rest(frame, in));
                }
            }
            case ENDED -> {
                AgentFrames.Ended ended = AgentFrames.read(frame, AgentFrames.Ended.class);
                RemoteProcess process = processes.get(ended.channel());
                if (process != null) {
                    process.ended(ended);
                }
            }
            case ANSWER -> {
                LinkCall.Answer answer = LinkCall.Answer.read(frame);
                CompletableFuture<LinkCall.Answer> asked = calls.get(answer.number());
                if (asked != null) {
                    asked.complete(answer);
                }
            }
            case READINGS -> ReadingFrames.tell(frame, looking);
            default -> throw new IOException("an agent does not say " + frame.kind());
        }
    }

    private void wakeClocking() {
        synchronized (clocking) {
            clocking.notifyAll();
        }
    }

    private void ping(long error, long askedNanos) throws IOException {
        long heard = clock.getAsLong();
        if (error != UNKNOWN) {
            errorNanos = error;
            wakeClocking();
        }
        link.sendFirst(LinkFrame.of(Kind.PONG, out -> {
            out.writeLong(askedNanos);
            out.writeLong(heard);
            out.writeLong(clock.getAsLong());
        }));
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
            // The agent has ended by itself, or soon will.
            link.cut();
        }
        link.close();
        processes.values().forEach(process -> process.lost("its host was closed"));
        giveUpCalls("it was closed");
    }
}
