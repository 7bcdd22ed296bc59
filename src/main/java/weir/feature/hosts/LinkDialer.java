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
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import weir.worker.link.LinkFrame;
import weir.worker.link.QueuedLink;

/** The connection from an agent to its conductor. */
public final class LinkDialer {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    /** The longest frame of a conductor: an assignment. */
    private static final int LONGEST = 64 << 20;

    private LinkDialer() {}

    /**
     * Connects, introduces the agent, and returns when it is accepted.
     *
     * @param breaks receives the reason why nothing can be sent any more
     */
    public static QueuedLink dial(
            InetSocketAddress conductor, LinkToken token, Hello hello, Consumer<IOException> breaks)
            throws LinkRefused {
        String at = conductor.getHostString() + ":" + conductor.getPort();
        if (conductor.isUnresolved()) {
            throw new LinkRefused("no machine is called '" + conductor.getHostString() + "'");
        }
        Socket socket = new Socket();
        boolean welcome = false;
        try {
            socket.connect(conductor, (int) PATIENCE.toMillis());
            socket.setTcpNoDelay(true);
            socket.setSoTimeout((int) PATIENCE.toMillis());
            SSLSocket tls = (SSLSocket) token.context()
                    .getSocketFactory()
                    .createSocket(socket, conductor.getHostString(), conductor.getPort(), true);
            tls.setEnabledProtocols(new String[] {"TLSv1.3"});
            tls.startHandshake();
            DataOutputStream out = new DataOutputStream(new BufferedOutputStream(tls.getOutputStream()));
            hello.frame().write(out);
            out.flush();
            LinkFrame answer = LinkFrame.read(new DataInputStream(tls.getInputStream()), Hello.LONGEST);
            if (answer.kind() == LinkFrame.Kind.REFUSED) {
                throw new LinkRefused("the conductor at " + at + " refuses this worker: " + answer.text());
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
                    "the conductor at " + at + " and this worker do not trust each other (" + e.getMessage()
                            + "): the token is that of another run, or no conductor listens there",
                    e);
        } catch (SocketTimeoutException e) {
            throw new LinkRefused("nobody answers at " + at + " within " + PATIENCE.toSeconds() + " s", e);
        } catch (EOFException e) {
            throw new LinkRefused(
                    "the conductor at " + at
                            + " closed the connection: the token is that of another run, or it is busy",
                    e);
        } catch (IOException e) {
            throw new LinkRefused("the conductor at " + at + " cannot be reached: " + e.getMessage(), e);
        } finally {
            if (!welcome) {
                close(socket);
            }
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException gone) {
            return;
        }
    }
}
