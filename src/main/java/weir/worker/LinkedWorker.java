package weir.worker;

import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongConsumer;
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
import weir.time.TimeLimit;
import weir.worker.link.Lease;
import weir.worker.link.Link;
import weir.worker.link.LinkFrame;
import weir.worker.link.LinkFrame.Kind;
import weir.worker.link.LinkJson;

/** A worker at the other end of a link; a {@link #lent} one carries out one assignment after another. */
public final class LinkedWorker implements Worker {
    private static final long SECOND = 1_000_000_000L;

    private static final long NOTICE_NANOS = 100_000_000;

    // This machine may run everything else, too, and be busy for a while; another host only carries a load.
    private static final Duration HERE = Duration.ofSeconds(30);
    private static final Duration ELSEWHERE = Duration.ofSeconds(5);

    private final Link link;
    private final long pid;
    private final Supplier<String> end;
    private final UnaryOperator<Assignment> there;
    private final boolean here;
    private final LongSupplier clock;
    /** Limit of silence between the first of its readings, of which there are some each second, and its end. */
    private final Duration patience;

    private final Thread reader;
    private volatile LoadListener listener;
    private volatile State state = State.OWNED;
    private long originNanos;
    private int runs;
    private boolean running;
    private boolean stopNext;
    private @Nullable Ledger ledger;
    private Map<String, Long> positions = Map.of();
    private boolean drained;
    private CompletableFuture<String> reply = new CompletableFuture<>();
    private @Nullable WorkerFailed broken;
    /** The lease of a worker with a load, which sends readings each second; begins with the first of them. */
    private volatile @Nullable Lease lease;

    private enum State {
        OWNED,
        LENT,
        WAITING,
        CLOSED
    }

    LinkedWorker(Link link, long pid, LoadListener listener, Supplier<String> end) {
        this(link, pid, listener, end, MachineClock.STEADY);
    }

    LinkedWorker(Link link, long pid, LoadListener listener, Supplier<String> end, LongSupplier clock) {
        this(link, pid, listener, end, assignment -> assignment, true, clock);
    }

    /**
     * One on another machine.
     *
     * @param end returns how the worker ended, once the link is broken
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
        this.patience = here ? HERE : ELSEWHERE;
        this.reader = DaemonThreads.of("weir-worker-" + pid, this::listen);
        reader.start();
    }

    @Override
    public List<Long> pids() {
        return here ? List.of(pid) : List.of();
    }

    @Override
    public Footprint footprint() {
        return answer(footprinting());
    }

    CompletableFuture<Footprint> footprinting() {
        return ask(Kind.FOOTPRINT, "", Footprint.class);
    }

    /** Serves this listener from now on; after a clean close it waits to be lent again. */
    LinkedWorker lent(LoadListener to) {
        listener = to;
        state = State.LENT;
        return this;
    }

    boolean waits() {
        return state == State.WAITING;
    }

    @Override
    public Prepared prepare(Assignment assignment) {
        return answer(preparing(assignment));
    }

    CompletableFuture<Prepared> preparing(Assignment assignment) {
        originNanos = assignment.originNanos();
        lease = Lease.waiting(clock, patience);
        synchronized (this) {
            stopNext = false;
        }
        return ask(Kind.PREPARE, LinkJson.write(there.apply(assignment)), Prepared.class);
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

    @Override
    public PhaseTimes run(LoadPhase phase, LongConsumer begins) {
        long startNanos = nextStart(NOTICE_NANOS);
        begins.accept(startNanos);
        return answer(running(phase, startNanos));
    }

    long nextStart(long noticeNanos) {
        long since = clock.getAsLong() + noticeNanos - originNanos;
        return originNanos + (Math.floorDiv(since, SECOND) + 1) * SECOND;
    }

    CompletableFuture<PhaseTimes> running(LoadPhase phase, long startNanos) {
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

    @Override
    public synchronized void stop() {
        if (running) {
            send(LinkFrame.of(Kind.STOP, LinkJson.write(new LinkMessages.Stop(runs))));
        } else {
            stopNext = true;
        }
    }

    @Override
    public boolean drain(Duration limit) {
        TimeLimit deadline = new TimeLimit(clock, limit);
        LinkMessages.Sent sent = answer(finishingSending(limit));
        LinkMessages.Read read = answer(finishingReading(deadline.left()));
        positions = read.positions();
        drained = sent.unresolved() == 0;
        return drained && read.unread() == 0;
    }

    CompletableFuture<LinkMessages.Sent> finishingSending(Duration limit) {
        return ask(Kind.FINISH_SENDING, limit(limit), LinkMessages.Sent.class);
    }

    CompletableFuture<LinkMessages.Read> finishingReading(Duration limit) {
        return ask(Kind.FINISH_READING, limit(limit), LinkMessages.Read.class);
    }

    @Override
    public void verify(Duration limit) {
        answer(verifying(limit, positions));
    }

    CompletableFuture<String> verifying(Duration limit, Map<String, Long> reached) {
        return ask(Kind.VERIFY, LinkJson.write(new LinkMessages.Verify(limit.toNanos(), reached)));
    }

    @Override
    public Finished finish() {
        return answer(finishing());
    }

    CompletableFuture<Finished> finishing() {
        lease = null;
        return ask(Kind.FINISH, "", LinkMessages.End.class).thenApply(this::finished);
    }

    private Finished finished(LinkMessages.End ended) {
        Ledger whole = ledger;
        if (whole == null) {
            throw new IllegalStateException("worker " + pid + " finished without a ledger");
        }
        ledger = null;
        if (drained && state == State.LENT) {
            state = State.WAITING;
        }
        return new Finished(whole, ended.properties(), ended.jvm(), ended.metrics());
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
        try {
            reader.join(5_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String limit(Duration limit) {
        return LinkJson.write(new LinkMessages.Limit(limit.toNanos()));
    }

    private <T> CompletableFuture<T> ask(Kind kind, String content, Class<T> type) {
        return ask(kind, content).thenApply(text -> LinkJson.read(text, type));
    }

    /** Completes on the listening thread, exceptionally once the link is broken. */
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

    private <T> T answer(CompletableFuture<T> asked) {
        try {
            while (true) {
                try {
                    return asked.get(1, TimeUnit.SECONDS);
                } catch (TimeoutException later) {
                    check();
                }
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException failed ? failed : new WorkerFailed("asking a worker", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a worker was asked", e);
        }
    }

    /** Gives up a silent worker; called each second by a thread that waits for an answer. */
    void check() {
        Lease known = lease;
        if (known != null && !known.tick()) {
            lease = null;
            broken(new WorkerFailed("nothing was heard for " + patience.toSeconds() + " s: " + end.get()));
        }
    }

    private void send(LinkFrame frame) {
        try {
            link.send(frame);
        } catch (IOException broken) {
            throw new WorkerFailed(end.get(), broken);
        }
    }

    private void listen() {
        try {
            while (true) {
                hear(link.receive());
            }
        } catch (EOFException closed) {
            // The end of a pipe shows a death, but not its reason.
            broken(new WorkerFailed(state == State.CLOSED ? "the worker was closed" : end.get()));
        } catch (IOException | RuntimeException e) {
            broken(new WorkerFailed("listening to worker " + pid + ": " + e.getMessage(), e));
        }
    }

    private synchronized void broken(WorkerFailed failed) {
        broken = failed;
        reply.completeExceptionally(broken);
    }

    private void hear(LinkFrame frame) throws IOException {
        Lease known = lease;
        if (known != null) {
            known.heard();
        }
        switch (frame.kind()) {
            case WINDOW -> listener.window(Snapshot.read(frame.content()));
            case READINGS -> {
                if (known != null) {
                    known.begin();
                }
                ReadingFrames.tell(frame, listener);
            }
            case EVENT -> listener.event(frame.text());
            case LEDGER -> ledger = Ledger.read(frame.content());
            case DONE -> reply().complete(frame.text());
            case FAILED -> {
                LinkMessages.Failure failure = LinkJson.read(frame.text(), LinkMessages.Failure.class);
                reply().completeExceptionally(
                                new WorkerFailed(failure.kind(), failure.why(), new IOException("worker " + pid)));
            }
            default -> throw new IOException("a worker does not say " + frame.kind());
        }
    }

    private synchronized CompletableFuture<String> reply() {
        return reply;
    }
}
