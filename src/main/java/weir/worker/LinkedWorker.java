package weir.worker;

import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import weir.measure.Ledger;
import weir.measure.LoadListener;
import weir.measure.PhaseTimes;
import weir.measure.Snapshot;
import weir.probe.Footprint;
import weir.time.DaemonThreads;
import weir.time.MachineClock;
import weir.worker.link.Lease;
import weir.worker.link.Link;
import weir.worker.link.LinkFrame;
import weir.worker.link.LinkFrame.Kind;
import weir.worker.link.LinkJson;

/** A worker at the other end of a link, which can be {@link #reuse reused} for several assignments. */
public final class LinkedWorker implements AutoCloseable {
    private static final long SECOND = 1_000_000_000L;

    // This machine may run everything else and be busy for a while; another host only runs a load.
    private static final Duration HERE = Duration.ofSeconds(30);
    private static final Duration ELSEWHERE = Duration.ofSeconds(5);

    private final Link link;
    private final long pid;
    private final Supplier<String> end;
    private final UnaryOperator<Assignment> there;
    private final boolean here;
    private final LongSupplier clock;
    /** The longest silence of a worker before it counts as lost. A worker sends readings each second. */
    private final Duration timeout;

    private final Thread reader;
    private volatile LoadListener listener;
    private volatile State state = State.OWNED;
    private long originNanos;
    private int runs;
    private boolean running;
    private boolean stopNext;
    private @Nullable Ledger ledger;
    private volatile boolean drained;
    private CompletableFuture<String> reply = new CompletableFuture<>();
    private @Nullable WorkerFailed broken;
    /** The lease of a worker with a load, which sends readings each second. It begins with the first reading. */
    private volatile @Nullable Lease lease;

    private enum State {
        OWNED,
        IN_USE,
        WAITING,
        CLOSED
    }

    LinkedWorker(Link link, long pid, LoadListener listener, Supplier<String> end, LongSupplier clock) {
        this(link, pid, listener, end, assignment -> assignment, true, clock);
    }

    /**
     * A worker on another machine.
     *
     * @param end returns the reason of the worker's end, after the link is broken
     * @param there replaces the files of an assignment by their paths on the worker's machine
     */
    public LinkedWorker(
            Link link, long pid, LoadListener listener, Supplier<String> end, UnaryOperator<Assignment> there) {
        this(link, pid, listener, end, there, false, MachineClock.STEADY);
    }

    private LinkedWorker(
            Link link,
            long pid,
            LoadListener listener,
            Supplier<String> end,
            UnaryOperator<Assignment> there,
            boolean here,
            LongSupplier clock) {
        this.link = link;
        this.pid = pid;
        this.listener = listener;
        this.end = end;
        this.there = there;
        this.here = here;
        this.clock = clock;
        this.timeout = here ? HERE : ELSEWHERE;
        this.reader = DaemonThreads.of("weir-worker-" + pid, this::listen);
        reader.start();
    }

    List<Long> pids() {
        return here ? List.of(pid) : List.of();
    }

    CompletableFuture<Footprint> footprint() {
        return ask(Kind.FOOTPRINT, "", Footprint.class);
    }

    /** Uses this listener from now on. After a clean close, the worker is reusable. */
    LinkedWorker reuse(LoadListener to) {
        listener = to;
        state = State.IN_USE;
        return this;
    }

    boolean waits() {
        return state == State.WAITING;
    }

    CompletableFuture<LinkMessages.Prepared> prepare(Assignment assignment) {
        originNanos = assignment.originNanos();
        lease = Lease.waiting(clock, timeout);
        synchronized (this) {
            stopNext = false;
        }
        return ask(Kind.PREPARE, LinkJson.write(there.apply(assignment)), LinkMessages.Prepared.class);
    }

    void serve(ServerAssignment assignment) {
        answer(ask(Kind.SERVE, LinkJson.write(new LinkMessages.Serve(assignment))));
    }

    void span(LinkMessages.Span span) {
        answer(ask(Kind.SPAN, LinkJson.write(span)));
    }

    void retire() {
        answer(ask(Kind.RETIRE, ""));
    }

    long nextStart(long noticeNanos) {
        long since = clock.getAsLong() + noticeNanos - originNanos;
        return originNanos + (Math.floorDiv(since, SECOND) + 1) * SECOND;
    }

    CompletableFuture<PhaseTimes> run(LoadPhase phase, long startNanos) {
        int number;
        synchronized (this) {
            number = ++runs;
            running = true;
            if (stopNext) {
                stopNext = false;
                stop();
            }
        }
        String run = LinkJson.write(new LinkMessages.Run(number, phase, startNanos));
        return ask(Kind.RUN, run, PhaseTimes.class).whenComplete((times, failure) -> {
            synchronized (this) {
                running = false;
            }
        });
    }

    synchronized void stop() {
        if (running) {
            send(LinkFrame.of(Kind.STOP, String.valueOf(runs)));
        } else {
            stopNext = true;
        }
    }

    CompletableFuture<Long> finishSending(Duration limit) {
        return ask(Kind.FINISH_SENDING, String.valueOf(limit.toNanos())).thenApply(text -> {
            long unresolved = Long.parseLong(text);
            drained = unresolved == 0;
            return unresolved;
        });
    }

    CompletableFuture<LinkMessages.Read> finishReading(Duration limit) {
        return ask(Kind.FINISH_READING, String.valueOf(limit.toNanos()), LinkMessages.Read.class);
    }

    CompletableFuture<String> verify(Duration limit, Map<String, Long> reached) {
        return ask(Kind.VERIFY, LinkJson.write(new LinkMessages.Verify(limit.toNanos(), reached)));
    }

    CompletableFuture<LinkMessages.End> finish(Consumer<Ledger> into) {
        lease = null;
        return ask(Kind.FINISH, "", LinkMessages.End.class).thenApply(end -> {
            finished(into);
            return end;
        });
    }

    private void finished(Consumer<Ledger> into) {
        Ledger whole = ledger;
        if (whole == null) {
            throw new IllegalStateException("worker " + pid + " finished without a ledger");
        }
        ledger = null;
        into.accept(whole);
        if (drained && state == State.IN_USE) {
            state = State.WAITING;
        }
    }

    @Override
    public void close() {
        if (state != State.WAITING) {
            end();
        }
    }

    void end() {
        state = State.CLOSED;
        link.close();
        DaemonThreads.join(reader, 5_000);
    }

    private <T> CompletableFuture<T> ask(Kind kind, String content, Class<T> type) {
        return ask(kind, content).thenApply(text -> LinkJson.read(text, type));
    }

    /** Sends a request. The result completes on the listening thread, with an exception if the link breaks. */
    private CompletableFuture<String> ask(Kind kind, String content) {
        CompletableFuture<String> answer = new CompletableFuture<>();
        synchronized (this) {
            if (broken != null) {
                return CompletableFuture.failedFuture(broken);
            }
            reply = answer;
        }
        try {
            send(LinkFrame.of(kind, content));
        } catch (WorkerFailed failed) {
            answer.completeExceptionally(failed);
        }
        return answer;
    }

    private void answer(CompletableFuture<String> asked) {
        var unused = answers(List.of(this), worker -> asked);
    }

    /** Asks all workers in parallel from this thread; throws an exception if one fails. */
    static <T> List<T> answers(List<LinkedWorker> asked, Function<LinkedWorker, CompletableFuture<T>> question) {
        List<CompletableFuture<T>> answers = asked.stream().map(question).toList();
        CompletableFuture<Void> all = CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new));
        // The first failure ends the wait for the others, which may take minutes.
        for (CompletableFuture<T> answer : answers) {
            var unused = answer.whenComplete((result, failure) -> {
                if (failure != null) {
                    all.completeExceptionally(failure);
                }
            });
        }
        try {
            while (!all.isDone()) {
                try {
                    all.get(1, TimeUnit.SECONDS);
                } catch (TimeoutException later) {
                    asked.forEach(LinkedWorker::check);
                } catch (ExecutionException failed) {
                    break;
                }
            }
            all.join();
            return answers.stream().map(CompletableFuture::join).toList();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException failed ? failed : e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for workers", e);
        }
    }

    /** Gives up a silent worker. A thread that waits for an answer calls it each second. */
    void check() {
        Lease known = lease;
        if (known != null && !known.tick()) {
            lease = null;
            broken(new WorkerFailed("no message arrived for " + timeout.toSeconds() + " s: " + end.get()));
        }
    }

    private void send(LinkFrame frame) {
        try {
            link.send(frame);
        } catch (IOException broken) {
            throw new WorkerFailed(WorkerFailed.Kind.FAULT, end.get(), broken);
        }
    }

    private void listen() {
        try {
            while (true) {
                handle(link.receive());
            }
        } catch (EOFException closed) {
            // The end of a pipe shows a death, but not its reason.
            broken(new WorkerFailed(state == State.CLOSED ? "the worker was closed" : end.get()));
        } catch (IOException | RuntimeException e) {
            broken(new WorkerFailed(WorkerFailed.Kind.FAULT, "reading from worker " + pid + ": " + e.getMessage(), e));
        }
    }

    private synchronized void broken(WorkerFailed failed) {
        broken = failed;
        reply.completeExceptionally(broken);
    }

    private void handle(LinkFrame frame) throws IOException {
        Lease known = lease;
        if (known != null) {
            known.renew();
        }
        switch (frame.kind()) {
            case WINDOW -> listener.window(Snapshot.read(frame.content()));
            case READINGS -> {
                if (known != null) {
                    known.begin();
                }
                ReadingFrames.forward(frame, listener);
            }
            case EVENT -> listener.event(frame.text());
            case LEDGER -> ledger = Ledger.read(frame.content());
            case DONE -> reply().complete(frame.text());
            case FAILED -> {
                LinkMessages.Failure failure = LinkJson.read(frame.text(), LinkMessages.Failure.class);
                reply().completeExceptionally(
                                new WorkerFailed(failure.kind(), failure.why(), new IOException("worker " + pid)));
            }
            default -> throw new IOException("a worker sends no frame of kind " + frame.kind());
        }
    }

    private synchronized CompletableFuture<String> reply() {
        return reply;
    }
}
