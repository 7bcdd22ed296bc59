package weir.feature.hosts;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import weir.feature.hosts.HostCalls.HostCall.Op;
import weir.feature.hosts.LinkListener.Hello;
import weir.time.DaemonThreads;
import weir.time.MachineClock;
import weir.time.TimeLimit;
import weir.worker.WorkerFailed;
import weir.worker.link.Lease;
import weir.worker.link.LinkFrame;
import weir.worker.link.LinkFrame.Kind;
import weir.worker.link.LinkJson;
import weir.worker.link.QueuedLink;

/** The connection to the agent of a host. It sends calls, compares the clocks, and detects the loss of the agent. */
abstract class AgentLink implements AutoCloseable {
    static final long UNKNOWN = Long.MAX_VALUE;

    private static final Duration LOST = Duration.ofSeconds(5);
    private static final Duration CALL = Duration.ofSeconds(60);

    private final Hello hello;
    private final LongSupplier clock;
    private final Lease lease;
    private final QueuedLink link;
    private final Map<Integer, CompletableFuture<LinkCall.Answer>> calls = new ConcurrentHashMap<>();
    private final AtomicInteger numbers = new AtomicInteger();
    private final Object clocking = new Object();
    private final CompletableFuture<String> lost = new CompletableFuture<>();
    private volatile long errorNanos = UNKNOWN;
    private volatile boolean closed;

    AgentLink(Hello hello, LinkListener.LinkFactory entrance, LongSupplier clock) throws IOException {
        this.hello = hello;
        this.clock = clock;
        this.lease = new Lease(clock, LOST);
        var unused = lost.thenRun(this::wakeClocking);
        this.link = entrance.link(broken -> lost("the connection broke: " + broken.getMessage()));
        link.send(LinkFrame.of(Kind.WELCOME, hello.name()));
    }

    final void begin() {
        DaemonThreads.start("weir-host-" + name(), this::listen);
    }

    abstract void handleProcessFrame(LinkFrame frame) throws IOException;

    /** The reason of a loss from the host's creator; empty if unknown. */
    abstract String lossReason();

    abstract void over(String why);

    public String name() {
        return hello.name();
    }

    public final Hello hello() {
        return hello;
    }

    final int nextNumber() {
        return numbers.incrementAndGet();
    }

    /** The last reported maximum error between the host's clock and the run's clock. */
    public final long errorNanos() {
        return errorNanos;
    }

    /** Waits until the clock error is at most {@code withinNanos}; false at the limit or after a loss. */
    final boolean clocked(long withinNanos, Duration limit) {
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
                    throw new IllegalStateException("interrupted while reading the clock of host '" + name() + "'", e);
                }
            }
            return true;
        }
    }

    private void wakeClocking() {
        synchronized (clocking) {
            clocking.notifyAll();
        }
    }

    public final boolean isLost() {
        return lost.isDone();
    }

    final String lost() {
        return lost.getNow("");
    }

    /** Calls the listener once, with the reason, if the host is lost. A closed connection is no loss. */
    public final void onLost(Consumer<String> listener) {
        var unused = lost.thenAccept(why -> {
            if (!closed) {
                listener.accept(why);
            }
        });
    }

    final <T> T ask(Class<T> type, Op op, Object... words) {
        return ask(type, answer -> {}, op, words);
    }

    final <T> T ask(Class<T> type, Consumer<T> receiver, Op op, Object... words) {
        int number = nextNumber();
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
            return value.get(CALL.toSeconds(), TimeUnit.SECONDS);
        } catch (IOException e) {
            throw new WorkerFailed(String.valueOf(e.getMessage()));
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException failed ? failed : new IllegalStateException(e);
        } catch (TimeoutException e) {
            throw new WorkerFailed("host '" + name() + "' did not answer within " + CALL.toSeconds() + " s");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while calling host '" + name() + "'", e);
        } finally {
            calls.remove(number);
        }
    }

    final void send(LinkFrame frame) throws IOException {
        if (lost.isDone()) {
            throw new IOException("host '" + name() + "' is lost: " + lost.join());
        }
        link.send(frame);
    }

    /** Declares the host lost after too long a silence. Called about once a second. */
    final void check() {
        if (!lease.tick()) {
            lost("its agent sent nothing for " + LOST.toSeconds() + " s");
        }
    }

    private void lost(String seen) {
        if (closed || lost.isDone()) {
            return;
        }
        String known = lossReason();
        String why = known.isEmpty() ? seen : known + " (" + seen + ")";
        if (lost.complete(why)) {
            link.cut();
            giveUp(why);
        }
    }

    private void giveUp(String why) {
        over(why);
        WorkerFailed gone = new WorkerFailed("host '" + name() + "' is lost: " + why);
        calls.values().forEach(call -> call.completeExceptionally(gone));
    }

    private void listen() {
        try {
            while (!lost.isDone()) {
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

    final void handle(LinkFrame frame) throws IOException {
        switch (frame.kind()) {
            case PING -> ping(frame.content());
            case ANSWER -> {
                LinkCall.Answer answer = LinkCall.Answer.read(frame);
                CompletableFuture<LinkCall.Answer> asked = calls.get(answer.number());
                if (asked != null) {
                    asked.complete(answer);
                }
            }
            default -> handleProcessFrame(frame);
        }
    }

    private void ping(DataInputStream in) throws IOException {
        long error = in.readLong();
        long askedNanos = in.readLong();
        long arrivedNanos = clock.getAsLong();
        if (error != UNKNOWN) {
            errorNanos = error;
            wakeClocking();
        }
        link.sendFirst(LinkFrame.of(Kind.PONG, out -> {
            out.writeLong(askedNanos);
            out.writeLong(arrivedNanos);
            out.writeLong(clock.getAsLong());
        }));
    }

    @Override
    public final void close() {
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
