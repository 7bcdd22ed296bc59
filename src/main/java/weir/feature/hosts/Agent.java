package weir.feature.hosts;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import weir.feature.hosts.LinkListener.Hello;
import weir.host.HomeFolders;
import weir.host.Journal;
import weir.io.Io;
import weir.time.DaemonThreads;
import weir.time.MachineClock;
import weir.worker.link.ClockOffset;
import weir.worker.link.Lease;
import weir.worker.link.LinkFrame;
import weir.worker.link.LinkFrame.Kind;
import weir.worker.link.QueuedLink;
import weir.worker.link.SyncedClock;

/**
 * The program on a host that starts processes for a conductor elsewhere. It ends these processes when the run ends,
 * when the agent ends, or when the conductor is silent for {@link #LEASE}.
 */
public final class Agent implements AutoCloseable {
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    /** The limit of a conductor's frame in bytes; assignments are the longest. */
    private static final int LONGEST = 64 << 20;

    private static final long SECOND = 1_000_000_000L;
    private static final int FEWEST = 16;
    /** Eight seconds of exchanges, for a busy machine with few fast ones. */
    private static final int MOST = 400;

    private static final long BETWEEN_NANOS = 20_000_000;

    private final QueuedLink link;
    private final Lease lease;
    private final CompletableFuture<String> over;
    private final LongSupplier own = MachineClock.STEADY;
    private final SyncedClock clock = new SyncedClock(own);
    private final ClockEstimate estimate = new ClockEstimate();
    /** Sends signals in order. A separate thread sends them, because sending takes time. */
    private final ExecutorService tasks = Executors.newSingleThreadExecutor(DaemonThreads.named("weir-agent-tasks"));

    private final ExecutorService calling = Executors.newCachedThreadPool(DaemonThreads.named("weir-agent-calls"));

    private final HostCalls calls;

    private final Thread pinging = DaemonThreads.of("weir-agent-clock", this::ping);
    private volatile boolean closed;

    private Agent(
            InetSocketAddress conductor,
            HomeFolders home,
            String name,
            QueuedLink link,
            CompletableFuture<String> over) {
        this.link = link;
        this.over = over;
        this.lease = new Lease(own, LEASE);
        this.calls = new HostCalls(conductor, home, name, link, clock, this::send);
    }

    public static Agent start(InetSocketAddress conductor, SSLContext token, Hello hello, HomeFolders home)
            throws LinkRefused {
        CompletableFuture<String> over = new CompletableFuture<>();
        QueuedLink link = dial(
                conductor,
                token,
                hello,
                broken -> over.complete("the connection to the conductor broke: " + broken.getMessage()));
        Journal.clearAll(home.state());
        Agent agent = new Agent(conductor, home, hello.name(), link, over);
        DaemonThreads.start("weir-agent", agent::listen);
        agent.pinging.start();
        return agent;
    }

    /** Waits until the agent ends; returns the reason, empty after a normal end. */
    public String await() {
        return over.join();
    }

    public void end(String why) {
        over.complete(why);
    }

    private void listen() {
        try {
            while (!over.isDone()) {
                LinkFrame frame = link.receive();
                lease.renew();
                handle(frame);
            }
        } catch (IOException | RuntimeException e) {
            over.complete(
                    "the conductor is gone: " + (e.getMessage() == null ? "its messages stopped" : e.getMessage()));
        }
    }

    private void handle(LinkFrame frame) throws IOException {
        DataInputStream in = frame.content();
        switch (frame.kind()) {
            case PONG -> pong(new ClockExchange(in.readLong(), in.readLong(), in.readLong(), own.getAsLong()));
            case CHANNEL, SIGNAL, CLOSE -> {
                HostedProcess process = calls.process(in.readInt());
                if (process != null) {
                    process.handle(frame.kind(), in, tasks);
                }
            }
            case CALL -> {
                LinkCall call = LinkCall.read(frame);
                calling.execute(() -> answer(call));
            }
            case BYE -> over.complete("");
            default -> throw new IOException("a conductor does not send " + frame.kind());
        }
    }

    private void send(LinkFrame frame) {
        sending(() -> link.send(frame));
    }

    private void sending(Io.Writing send) {
        try {
            send.write();
        } catch (IOException gone) {
            over.complete("the conductor is gone: " + gone.getMessage());
        }
    }

    private void answer(LinkCall call) {
        List<HostedProcess> started = new ArrayList<>();
        send(call.answered(asked -> {
            Object value = calls.answer(asked);
            HostedProcess process = value instanceof HostCalls.Started begun ? calls.process(begun.channel()) : null;
            if (process != null) {
                sendTime(process);
                started.add(process);
            }
            return value;
        }));
        started.forEach(calls::begin);
    }

    private void pong(ClockExchange exchange) {
        synchronized (estimate) {
            estimate.add(exchange);
            if (estimate.known()) {
                clock.set(estimate.at(own.getAsLong()));
            }
        }
    }

    private void ping() {
        boolean burst = true;
        for (int sent = 0; !closed; sent++) {
            ClockOffset offset = offset();
            burst = burst && inBurst(sent, offset);
            boolean early = sent < FEWEST;
            sending(() -> link.sendFirst(LinkFrame.of(Kind.PING, out -> {
                out.writeLong(early ? RemoteHost.UNKNOWN : offset.errorNanos());
                out.writeLong(own.getAsLong());
            })));
            if (!burst || sent % (SECOND / BETWEEN_NANOS) == 0) {
                for (HostedProcess process : calls.processes()) {
                    sendTime(process);
                    process.check();
                }
                if (!lease.tick()) {
                    over.complete("the conductor sent nothing for " + LEASE.toSeconds() + " s");
                }
            }
            LockSupport.parkNanos(burst ? BETWEEN_NANOS : SECOND);
        }
    }

    static boolean inBurst(int sent, ClockOffset offset) {
        return sent < FEWEST || (sent < MOST && offset.errorNanos() > WorkerHosts.CLOCK_NANOS);
    }

    private ClockOffset offset() {
        synchronized (estimate) {
            return estimate.known() ? estimate.at(own.getAsLong()) : new ClockOffset(0, RemoteHost.UNKNOWN);
        }
    }

    private void sendTime(HostedProcess process) {
        ClockOffset offset = offset();
        if (offset.errorNanos() != RemoteHost.UNKNOWN) {
            process.send(LinkFrame.of(Kind.CLOCK, offset::write));
        }
    }

    /** Ends all processes of this agent and deletes all its files, except for those in the cache. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        over.complete("the agent was closed");
        LockSupport.unpark(pinging);
        tasks.shutdown();
        calling.shutdown();
        // Closed first: the conductor must not see the ends of these processes as deaths.
        link.close();
        calls.close();
    }

    /**
     * The offset of a remote clock, from the best of the last exchanges. Its error bound allows for unequal delays, if
     * the clocks drift no faster than assumed. One thread owns it.
     */
    static final class ClockEstimate {
        private static final int KEPT = 64;

        private final Deque<ClockExchange> last = new ArrayDeque<>();

        /** Adds an exchange. If earlier ones contradict it, a clock jumped: forgets them and returns false. */
        public boolean add(ClockExchange exchange) {
            if (exchange.roundTripNanos() < 0) {
                // A clock jumped during the exchange, so this exchange and the earlier ones are useless.
                last.clear();
                return false;
            }
            boolean agrees = last.isEmpty() || exchange.offset().agrees(at(exchange.returnedNanos()));
            if (!agrees) {
                last.clear();
            } else if (last.size() == KEPT) {
                last.removeFirst();
            }
            last.addLast(exchange);
            return agrees;
        }

        public boolean known() {
            return !last.isEmpty();
        }

        public ClockOffset at(long nanos) {
            return last.stream()
                    .map(exchange -> exchange.offset().after(nanos - exchange.askedNanos()))
                    .min(Comparator.comparingLong(ClockOffset::errorNanos))
                    .orElseThrow(() -> new IllegalStateException("the clock of the conductor was not read yet"));
        }
    }

    /** Connects and introduces the agent. If the connection breaks, {@code breaks} receives the reason. */
    static QueuedLink dial(InetSocketAddress conductor, SSLContext token, Hello hello, Consumer<IOException> breaks)
            throws LinkRefused {
        String at = conductor.getHostString() + ":" + conductor.getPort();
        if (conductor.isUnresolved()) {
            throw new LinkRefused("cannot resolve host name '" + conductor.getHostString() + "'");
        }
        Socket socket = new Socket();
        boolean welcome = false;
        try {
            socket.connect(conductor, (int) TIMEOUT.toMillis());
            socket.setTcpNoDelay(true);
            socket.setSoTimeout((int) TIMEOUT.toMillis());
            SSLSocket tls = (SSLSocket)
                    token.getSocketFactory().createSocket(socket, conductor.getHostString(), conductor.getPort(), true);
            tls.setEnabledProtocols(new String[] {"TLSv1.3"});
            tls.startHandshake();
            DataOutputStream out = new DataOutputStream(new BufferedOutputStream(tls.getOutputStream()));
            hello.frame().write(out);
            out.flush();
            LinkFrame answer = LinkFrame.read(new DataInputStream(tls.getInputStream()), Hello.LONGEST);
            if (answer.kind() == LinkFrame.Kind.REFUSED) {
                throw new LinkRefused("the conductor at " + at + " refused this worker: " + answer.text());
            }
            if (answer.kind() != LinkFrame.Kind.WELCOME) {
                throw new LinkRefused("the conductor at " + at + " answered " + answer.kind());
            }
            socket.setSoTimeout(0);
            welcome = true;
            return new QueuedLink(
                    tls.getInputStream(), tls.getOutputStream(), socket, QueuedLink.ROOM, LONGEST, breaks);
        } catch (SSLException e) {
            throw new LinkRefused(
                    "the conductor at " + at + " and this worker do not trust each other's certificates ("
                            + e.getMessage()
                            + "); check that the token file is from this run and that the run listens at this address",
                    e);
        } catch (SocketTimeoutException e) {
            throw new LinkRefused(
                    "no conductor answered at " + at + " within " + TIMEOUT.toSeconds()
                            + " s; check the address and that the run waits for workers",
                    e);
        } catch (EOFException e) {
            throw new LinkRefused(
                    "the conductor at " + at
                            + " closed the connection; check that the token file is from this run, and try again",
                    e);
        } catch (IOException e) {
            throw new LinkRefused("the conductor at " + at + " is unreachable: " + e.getMessage(), e);
        } finally {
            if (!welcome) {
                LinkListener.cut(socket);
            }
        }
    }

    /**
     * A request for the time and its answer, with times of the clocks of both ends. No message arrives before its
     * sending, and the answer leaves after the request. So these times bound the offset of the remote clock.
     *
     * @param askedNanos local time at which the request left
     * @param arrivedNanos remote time at which the request arrived
     * @param answeredNanos remote time at which the answer left
     * @param returnedNanos local time at which the answer arrived
     */
    record ClockExchange(long askedNanos, long arrivedNanos, long answeredNanos, long returnedNanos) {
        /** Returns the travel time of both messages together; negative if a clock jumped. */
        long roundTripNanos() {
            return returnedNanos - askedNanos - (answeredNanos - arrivedNanos);
        }

        ClockOffset offset() {
            long roundTrip = roundTripNanos();
            return new ClockOffset(answeredNanos - returnedNanos + roundTrip / 2, (roundTrip + 1) / 2);
        }
    }
}
