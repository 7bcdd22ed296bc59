package weir.feature.hosts;

import java.io.DataInput;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import weir.io.Io;
import weir.time.DaemonThreads;
import weir.worker.link.LinkFrame;
import weir.worker.link.Pipes;
import weir.worker.link.QueuedLink;

/**
 * The port to which agents connect. A peer must present a certificate of the run and introduce itself within some
 * seconds. Until then each peer has its own thread. With too many such peers, the oldest is disconnected.
 */
public final class LinkListener implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int MOST = 64;
    private static final int BACKLOG = 256;
    /** The largest frame from an agent in bytes: a piece of process output. */
    private static final int LONGEST = 1 << 20;

    private final ServerSocket port;
    private final SSLContext context;
    private final String build;
    private final PeerHandler guests;
    private final IntroductionLimit patience;
    private final Set<Socket> unintroduced = new LinkedHashSet<>();
    private boolean closed;

    public interface PeerHandler {
        /** Handles an introduced peer with a certificate of the run: sends WELCOME or refuses the peer. */
        void arrived(Hello hello, LinkFactory entrance) throws LinkRefused;
    }

    public interface LinkFactory {
        QueuedLink link(Consumer<IOException> breaks) throws IOException;
    }

    interface IntroductionLimit {
        /** Schedules the end of a silent peer's connection; the returned action cancels this. */
        Runnable over(Runnable drop);

        static IntroductionLimit of(Duration limit) {
            Executor late = CompletableFuture.delayedExecutor(limit.toMillis(), TimeUnit.MILLISECONDS);
            return drop -> {
                CompletableFuture<Void> dropping = CompletableFuture.runAsync(drop, late);
                return () -> dropping.cancel(false);
            };
        }
    }

    private LinkListener(
            ServerSocket port, SSLContext context, String build, PeerHandler guests, IntroductionLimit patience) {
        this.port = port;
        this.context = context;
        this.build = build;
        this.guests = guests;
        this.patience = patience;
    }

    /** Starts to listen. Peers with another build of Weir are refused. */
    public static LinkListener open(
            InetSocketAddress address, RunCertificates certificates, String build, PeerHandler guests) {
        return open(address, certificates, build, guests, IntroductionLimit.of(PATIENCE));
    }

    static LinkListener open(
            InetSocketAddress address,
            RunCertificates certificates,
            String build,
            PeerHandler guests,
            IntroductionLimit patience) {
        return Io.attempt("listening for workers at " + address, () -> {
            ServerSocket port = new ServerSocket();
            port.bind(address, BACKLOG);
            LinkListener listener = new LinkListener(port, certificates.conductor(), build, guests, patience);
            DaemonThreads.start("weir-door", listener::accept);
            return listener;
        });
    }

    public InetSocketAddress address() {
        return (InetSocketAddress) port.getLocalSocketAddress();
    }

    synchronized int unintroduced() {
        return unintroduced.size();
    }

    private void accept() {
        while (!port.isClosed()) {
            acceptNext();
        }
    }

    private void acceptNext() {
        try {
            Socket socket = port.accept();
            register(socket);
            DaemonThreads.start("weir-door-peer", () -> admit(socket));
        } catch (IOException gone) {
            // The peer is gone, or the port is closed.
            return;
        }
    }

    private void register(Socket socket) {
        Socket longest = null;
        synchronized (this) {
            if (closed) {
                longest = socket;
            } else {
                if (unintroduced.size() == MOST) {
                    longest = unintroduced.iterator().next();
                    unintroduced.remove(longest);
                }
                unintroduced.add(socket);
            }
        }
        if (longest != null) {
            cut(longest);
        }
    }

    private synchronized boolean leave(Socket socket) {
        return unintroduced.remove(socket);
    }

    private void admit(Socket socket) {
        Runnable inTime = patience.over(() -> drop(socket));
        try {
            socket.setTcpNoDelay(true);
            SSLSocket tls = (SSLSocket) context.getSocketFactory()
                    .createSocket(socket, socket.getInetAddress().getHostAddress(), socket.getPort(), true);
            tls.setUseClientMode(false);
            tls.setNeedClientAuth(true);
            tls.setEnabledProtocols(new String[] {"TLSv1.3"});
            tls.startHandshake();
            Hello hello;
            try {
                hello = Hello.read(LinkFrame.read(new DataInputStream(tls.getInputStream()), Hello.LONGEST), build);
            } catch (LinkRefused refused) {
                refuse(tls, refused);
                return;
            }
            if (!leave(socket)) {
                return;
            }
            inTime.run();
            boolean[] taken = {false};
            try {
                guests.arrived(hello, breaks -> {
                    taken[0] = true;
                    return new QueuedLink(
                            tls.getInputStream(), tls.getOutputStream(), socket, QueuedLink.ROOM, LONGEST, breaks);
                });
            } catch (LinkRefused refused) {
                refuse(tls, refused);
            } finally {
                if (!taken[0]) {
                    cut(socket);
                }
            }
        } catch (IOException | RuntimeException stranger) {
            // A peer outside the run gets no reply at all.
            leave(socket);
            cut(socket);
        } finally {
            inTime.run();
            drop(socket);
        }
    }

    private void drop(Socket socket) {
        if (leave(socket)) {
            cut(socket);
        }
    }

    private static void refuse(SSLSocket tls, LinkRefused refused) throws IOException {
        tls.setSoLinger(true, 1);
        new Pipes(tls.getInputStream(), tls.getOutputStream())
                .send(LinkFrame.of(LinkFrame.Kind.REFUSED, String.valueOf(refused.getMessage())));
        tls.close();
    }

    /** Closes a socket whose other end may be gone. */
    public static void cut(Socket socket) {
        try {
            socket.close();
        } catch (IOException gone) {
            return;
        }
    }

    @Override
    public void close() {
        Set<Socket> left;
        synchronized (this) {
            closed = true;
            left = new LinkedHashSet<>(unintroduced);
            unintroduced.clear();
        }
        Io.attempt("closing " + port, port::close);
        left.forEach(LinkListener::cut);
    }

    /**
     * The first frame of an agent, which describes the agent and its machine.
     *
     * @param host the name of the machine
     * @param name the name of the host in the run
     */
    public record Hello(
            int protocol,
            String build,
            String java,
            String host,
            String name,
            int processors,
            long memoryBytes,
            long pid) {
        /** Increases with each change of the protocol between agents and conductors. */
        public static final int PROTOCOL = 4;

        /** The limit in bytes of a frame from a peer before its introduction. */
        static final int LONGEST = 4_000;

        private static final Pattern TEXT = Pattern.compile("[ -~]{0,200}");
        private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");

        public Hello {
            for (String text : new String[] {build, java, host}) {
                if (!TEXT.matcher(text).matches()) {
                    throw new IllegalArgumentException("each text in HELLO must have at most 200 visible characters");
                }
            }
            if (!named(name)) {
                throw new IllegalArgumentException(
                        "a host name must begin with a letter or digit and have at most 63 letters, digits, '.', '_' and '-'");
            }
            if (processors < 1 || memoryBytes < 1 || pid < 1) {
                throw new IllegalArgumentException("processors, memory and process id of a host must be at least 1");
            }
        }

        public static boolean named(String name) {
            return NAME.matcher(name).matches();
        }

        public LinkFrame frame() {
            return LinkFrame.of(LinkFrame.Kind.HELLO, out -> {
                out.writeInt(protocol);
                out.writeUTF(build);
                out.writeUTF(java);
                out.writeUTF(host);
                out.writeUTF(name);
                out.writeInt(processors);
                out.writeLong(memoryBytes);
                out.writeLong(pid);
            });
        }

        static Hello read(LinkFrame frame, String ours) throws IOException, LinkRefused {
            if (frame.kind() != LinkFrame.Kind.HELLO) {
                throw new IOException("expected HELLO, found " + frame.kind());
            }
            DataInput in = frame.content();
            int protocol = in.readInt();
            String build = in.readUTF();
            if (!TEXT.matcher(build).matches()) {
                throw new IOException("the build in HELLO is not a text");
            }
            if (protocol != PROTOCOL || !build.equals(ours)) {
                throw new LinkRefused(
                        "the conductor is Weir " + ours + " (protocol " + PROTOCOL + "), this worker is Weir " + build
                                + " (protocol " + protocol + "): use the same build on both machines");
            }
            try {
                return new Hello(
                        protocol,
                        build,
                        in.readUTF(),
                        in.readUTF(),
                        in.readUTF(),
                        in.readInt(),
                        in.readLong(),
                        in.readLong());
            } catch (IllegalArgumentException e) {
                throw new IOException(e.getMessage());
            }
        }
    }
}
