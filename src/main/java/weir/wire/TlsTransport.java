package weir.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/** A transport of encrypted bytes. The JDK's engine makes a small object for each 16 KiB; Weir makes none. */
final class TlsTransport implements Transport {
    private static final int RECORDS = 16;

    private final Endpoint at;
    private final SocketChannel channel;
    private final SSLEngine engine;
    private final ByteBuffer arrived;
    private final ByteBuffer leaving;

    private boolean ended;

    TlsTransport(Endpoint at, SocketChannel channel, SSLEngine engine) {
        this.at = at;
        this.channel = channel;
        this.engine = engine;
        int packet = engine.getSession().getPacketBufferSize();
        this.arrived = ByteBuffer.allocateDirect(RECORDS * packet).flip();
        this.leaving = ByteBuffer.allocateDirect(RECORDS * packet).flip();
    }

    void handshake(ChannelWaiter waiter) throws IOException {
        waiter.of("the TLS handshake");
        try {
            engine.beginHandshake();
            ByteBuffer none = ByteBuffer.allocate(leastRoom());
            while (true) {
                if (!flush()) {
                    waiter.await(SelectionKey.OP_WRITE);
                    continue;
                }
                HandshakeStatus status = engine.getHandshakeStatus();
                if (status == HandshakeStatus.NOT_HANDSHAKING || status == HandshakeStatus.FINISHED) {
                    return;
                }
                if (status != HandshakeStatus.NEED_UNWRAP) {
                    proceed();
                } else if (unwrap(none) == SSLEngineResult.Status.BUFFER_UNDERFLOW && fill() == 0) {
                    waiter.await(SelectionKey.OP_READ);
                }
                if (ended) {
                    throw new IOException("broker " + at + " closed the connection during the TLS handshake; check that"
                            + " this listener uses TLS");
                }
            }
        } catch (SSLException e) {
            sendAlert();
            throw new BrokerRefusal("broker " + at + reason(e), e);
        }
    }

    private void sendAlert() throws IOException {
        if (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
            try {
                wrapNothing();
            } catch (SSLException e) {
                // The alert failed, and the original failure is more useful.
                engine.closeOutbound();
            }
        }
    }

    private static String reason(SSLException e) {
        boolean untrusted = false;
        Throwable last = e;
        while (last.getCause() != null) {
            last = last.getCause();
            untrusted |= last instanceof CertPathValidatorException || last instanceof CertPathBuilderException;
        }
        String outer = String.valueOf(e.getMessage());
        String inner = String.valueOf(last.getMessage());
        if (untrusted) {
            return " shows a certificate that is not trusted (" + inner + "); check ssl.truststore.location";
        }
        return ": no TLS: " + (outer.contains(inner) ? outer : outer + ": " + inner);
    }

    @Override
    public void write(ByteBuffer[] parts, int from, int count) throws IOException {
        leaving.compact();
        try {
            SSLEngineResult result;
            do {
                result = engine.wrap(parts, from, count, leaving);
            } while (result.getStatus() == SSLEngineResult.Status.OK && result.bytesConsumed() > 0);
            if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
                throw new IOException("broker " + at + " closed the connection");
            }
        } finally {
            leaving.flip();
        }
        flush();
    }

    @Override
    public boolean flush() throws IOException {
        if (leaving.hasRemaining()) {
            channel.write(leaving);
        }
        return !leaving.hasRemaining();
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        int before = into.position();
        while (into.remaining() >= leastRoom()) {
            SSLEngineResult.Status status = unwrap(into);
            if (ended) {
                break;
            }
            // A key update of TLS 1.3 requires an answer.
            proceed();
            if (status == SSLEngineResult.Status.BUFFER_UNDERFLOW && fill() <= 0) {
                break;
            }
        }
        int read = into.position() - before;
        return read == 0 && ended ? -1 : read;
    }

    private SSLEngineResult.Status unwrap(ByteBuffer into) throws IOException {
        if (!arrived.hasRemaining() && engine.getHandshakeStatus() != HandshakeStatus.NEED_UNWRAP_AGAIN) {
            return SSLEngineResult.Status.BUFFER_UNDERFLOW;
        }
        SSLEngineResult.Status status = engine.unwrap(arrived, into).getStatus();
        ended |= status == SSLEngineResult.Status.CLOSED;
        return status;
    }

    private int fill() throws IOException {
        arrived.compact();
        int read = channel.read(arrived);
        arrived.flip();
        ended |= read < 0;
        return read;
    }

    private void proceed() throws IOException {
        HandshakeStatus status = engine.getHandshakeStatus();
        while (status == HandshakeStatus.NEED_TASK || status == HandshakeStatus.NEED_WRAP) {
            if (status == HandshakeStatus.NEED_TASK) {
                for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
                    task.run();
                }
            } else if (!wrapNothing()) {
                return;
            }
            status = engine.getHandshakeStatus();
        }
    }

    private boolean wrapNothing() throws IOException {
        leaving.compact();
        SSLEngineResult result;
        try {
            result = engine.wrap(ByteCursor.NOTHING, leaving);
        } finally {
            leaving.flip();
        }
        flush();
        ended |= result.getStatus() == SSLEngineResult.Status.CLOSED;
        return result.getStatus() == SSLEngineResult.Status.OK;
    }

    @Override
    public int leastRoom() {
        return engine.getSession().getApplicationBufferSize();
    }

    @Override
    public void sendClose() throws IOException {
        engine.closeOutbound();
        if (flush()) {
            wrapNothing();
        }
    }
}
