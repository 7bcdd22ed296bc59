package weir.feature.hosts;

import java.io.DataInput;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import weir.io.Io;
import weir.probe.MachineFacts;
import weir.time.DaemonThreads;
import weir.worker.link.LinkFrame;
import weir.worker.link.LinkJson;
import weir.worker.link.Pipes;
import weir.worker.link.QueuedLink;

/**
 * The port to which agents connect. A peer must present a certificate of the run and introduce itself within some
 * seconds. Until then each peer has its own thread. With too many such peers, the oldest is disconnected.
 */
public final class LinkListener implements AutoCloseable {
    static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int MOST = 64;
    private static final int BACKLOG = 256;
    /** The largest frame from an agent in bytes: a piece of process output. */
    private static final int LONGEST = 1 << 20;

    private final ServerSocket port;
    private final SSLContext context;
    private final String build;
    private final PeerHandler peers;
    private final IntroductionLimit timeout;
    private final Set<Socket> unintroduced = new LinkedHashSet<>();
    private boolean closed;

    public interface PeerHandler {
        /** Handles an introduced peer with a certificate of the run: sends WELCOME or refuses the peer. */
        void arrived(Hello hello, LinkFactory links) throws LinkRefused;
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

    /** Starts to listen. Peers with another build of Weir are refused. */
    LinkListener(
            InetSocketAddress address,
            RunCertificates certificates,
            String build,
            PeerHandler peers,
            IntroductionLimit timeout) {
        this.port = Io.attempt("listening for workers at " + address, () -> {
            ServerSocket bound = new ServerSocket();
            bound.bind(address, BACKLOG);
            return bound;
        });
        this.context = certificates.conductor();
        this.build = build;
        this.peers = peers;
        this.timeout = timeout;
        DaemonThreads.start("weir-door", this::accept);
    }

    public InetSocketAddress address() {
        return (InetSocketAddress) port.getLocalSocketAddress();
    }

    synchronized int unintroduced() {
        return unintroduced.size();
    }

    private void accept() {
        while (!port.isClosed()) {
            try {
                Socket socket = port.accept();
                register(socket);
                DaemonThreads.start("weir-door-peer", () -> admit(socket));
            } catch (IOException gone) {
                // The peer is gone, or the port is closed.
            }
        }
    }

    private synchronized void register(Socket socket) {
        if (unintroduced.size() == MOST) {
            drop(unintroduced.iterator().next());
        }
        unintroduced.add(socket);
        if (closed) {
            drop(socket);
        }
    }

    private synchronized boolean leave(Socket socket) {
        return unintroduced.remove(socket);
    }

    private void admit(Socket socket) {
        Runnable inTime = timeout.over(() -> drop(socket));
        try {
            socket.setTcpNoDelay(true);
            SSLSocket tls = (SSLSocket) context.getSocketFactory()
                    .createSocket(socket, socket.getInetAddress().getHostAddress(), socket.getPort(), true);
            tls.setUseClientMode(false);
            tls.setNeedClientAuth(true);
            tls.setEnabledProtocols(new String[] {"TLSv1.3"});
            tls.startHandshake();
            boolean[] taken = {false};
            try {
                Hello hello =
                        Hello.read(LinkFrame.read(new DataInputStream(tls.getInputStream()), Hello.LONGEST), build);
                if (!leave(socket)) {
                    return;
                }
                inTime.run();
                peers.arrived(hello, breaks -> {
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
    public synchronized void close() {
        closed = true;
        List.copyOf(unintroduced).forEach(this::drop);
        Io.attempt("closing " + port, port::close);
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
        public static final int PROTOCOL = 5;

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

        /** Describes this machine. An empty {@code name} means the name of the machine. */
        static Hello ofThisMachine(String name, String version) {
            String found = MachineFacts.name();
            String machine = named(found) ? found : "host";
            return new Hello(
                    PROTOCOL,
                    ProgramFiles.build(version),
                    System.getProperty("java.version"),
                    machine,
                    name.isEmpty() ? machine.replaceFirst("\\..*", "") : name,
                    Runtime.getRuntime().availableProcessors(),
                    MachineFacts.memoryBytes(),
                    ProcessHandle.current().pid());
        }

        public static boolean named(String name) {
            return NAME.matcher(name).matches();
        }

        /** The frame begins with the protocol and the build, which all builds can read. */
        public LinkFrame frame() {
            return LinkFrame.of(LinkFrame.Kind.HELLO, out -> {
                out.writeInt(protocol);
                out.writeUTF(build);
                out.writeUTF(LinkJson.write(this));
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
                return LinkJson.read(in.readUTF(), Hello.class);
            } catch (IllegalStateException e) {
                throw new IOException(e.getMessage());
            }
        }
    }
}
