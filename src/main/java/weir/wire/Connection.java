package weir.wire;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import javax.security.sasl.SaslClient;
import javax.security.sasl.SaslException;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.SaslAuthenticateRequestData;
import org.apache.kafka.common.message.SaslAuthenticateResponseData;
import org.apache.kafka.common.message.SaslHandshakeRequestData;
import org.apache.kafka.common.message.SaslHandshakeResponseData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.MessageSizeAccumulator;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.common.protocol.Readable;
import org.jspecify.annotations.Nullable;
import weir.time.MachineClock;
import weir.time.TimeLimit;

/**
 * A connection to one broker, for one thread. Only {@link #open} and {@link #settle} block. The other calls allocate no
 * memory, except in the JDK's TLS. After an exception, only closing is possible.
 */
public final class Connection implements AutoCloseable {
    final Endpoint at;
    private final SocketChannel channel;
    private final Transport pipe;
    private final Options options;
    private final InboundFrames inflow;
    private final OutboundBytes outflow;
    private Map<Api, Short> versions = Map.of();
    private @Nullable SelectionKey key;
    private int correlation;

    /**
     * The options of a connection.
     *
     * @param sendBuffer bytes of the kernel's buffer, as {@code send.buffer.bytes}; -1 lets the kernel choose
     * @param receiveBuffer the same for {@code receive.buffer.bytes}
     * @param mostBytes the limit of one answer; a broker that announces more bytes is rejected
     */
    public record Options(String clientId, int sendBuffer, int receiveBuffer, int mostBytes) {
        private static final int MOST_BYTES = 128 << 20;

        public static Options named(String clientId) {
            return new Options(clientId, -1, -1, MOST_BYTES);
        }
    }

    private Connection(Endpoint at, SocketChannel channel, Transport pipe, Options options) {
        this.at = at;
        this.channel = channel;
        this.pipe = pipe;
        this.options = options;
        this.inflow = new InboundFrames(at, pipe, options.mostBytes);
        this.outflow = new OutboundBytes(pipe);
    }

    /** Waits, up to the limit, until the broker has accepted the login and sent its versions. */
    public static Connection open(Endpoint at, BrokerAccess access, Options options, Duration limit)
            throws IOException {
        TimeLimit deadline = MachineClock.within(limit);
        InetSocketAddress address = new InetSocketAddress(at.host(), at.port());
        if (address.isUnresolved()) {
            throw new IOException("broker " + at + ": its host name does not resolve");
        }
        SocketChannel channel = SocketChannel.open();
        try {
            channel.configureBlocking(false);
            prepare(channel, options);
            try (ChannelWaiter waiter = new ChannelWaiter(at, channel)) {
                waiter.of("the connection", deadline);
                connect(channel, address, waiter);
                Transport pipe = access.transport.apply(at, channel);
                if (pipe instanceof TlsTransport tls) {
                    tls.handshake(waiter);
                }
                Connection connection = new Connection(at, channel, pipe, options);
                Handshake opening = new Handshake(connection, waiter);
                connection.versions = opening.versions();
                opening.logIn(access.login);
                return connection;
            }
        } catch (BrokerRefusal e) {
            channel.close();
            throw e;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw new IOException("connecting to broker " + at + " (" + access + "): " + e.getMessage(), e);
        }
    }

    private static void prepare(SocketChannel channel, Options options) throws IOException {
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        // TCP negotiates the window at the connection, so both sizes are set before.
        if (options.sendBuffer >= 0) {
            channel.setOption(StandardSocketOptions.SO_SNDBUF, options.sendBuffer);
        }
        if (options.receiveBuffer >= 0) {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, options.receiveBuffer);
        }
    }

    private static void connect(SocketChannel channel, InetSocketAddress address, ChannelWaiter waiter)
            throws IOException {
        boolean connected = channel.connect(address);
        while (!connected) {
            waiter.await(SelectionKey.OP_CONNECT);
            connected = channel.finishConnect();
        }
    }

    /** The highest version that this client and the broker support. */
    public short version(Api api) throws IOException {
        Short version = versions.get(api);
        if (version == null) {
            throw new BrokerRefusal("broker " + at + " does not support " + api + " in a version from " + api.lowest
                    + " to " + api.highest);
        }
        return version;
    }

    public int nextCorrelation() {
        return correlation++;
    }

    /** Registers with a selector, which signals when to call {@link #next} and {@link #flush}. */
    public SelectionKey register(Selector selector, Object attachment) throws IOException {
        SelectionKey registered = channel.register(selector, SelectionKey.OP_READ, attachment);
        key = registered;
        return registered;
    }

    /**
     * Writes as many bytes of the next request as the connection accepts now. The positions of the buffers show the
     * progress, so no other code may use the buffers before their end.
     *
     * @return true if all bytes are written; if false, {@link #flush} writes the rest
     */
    public boolean send(ByteBuffer... parts) throws IOException {
        return send(parts, parts.length);
    }

    /** Sends the first {@code count} of these buffers in the same way. The array may be reused at once. */
    public boolean send(ByteBuffer[] parts, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            outflow.add(parts[i]);
        }
        return flush();
    }

    public boolean flush() throws IOException {
        try {
            boolean done = outflow.flush();
            SelectionKey registered = key;
            if (registered != null) {
                int wanted = done ? SelectionKey.OP_READ : SelectionKey.OP_READ | SelectionKey.OP_WRITE;
                if (registered.interestOps() != wanted) {
                    registered.interestOps(wanted);
                }
            }
            return done;
        } catch (IOException e) {
            throw named(e);
        }
    }

    public long taken() {
        return outflow.taken;
    }

    /** The number of bytes, out of {@link #taken}, that the kernel has accepted. */
    public long written() {
        return outflow.left;
    }

    /**
     * The next answer, or null for an incomplete one. Call it until null, because buffered data wakes no selector. At
     * most two buffers of frames are in use; without a release, the answer is null.
     */
    public @Nullable ResponseFrame next() throws IOException {
        try {
            return inflow.next();
        } catch (IOException e) {
            throw named(e);
        }
    }

    private IOException named(IOException e) {
        String message = String.valueOf(e.getMessage());
        return message.contains(at.toString()) ? e : new IOException("broker " + at + ": " + message, e);
    }

    interface Reading<T> {
        T read(Readable from, short version);
    }

    <T> T ask(ChannelWaiter waiter, Api api, short version, ApiMessage message, Reading<T> reading) throws IOException {
        int asked = nextCorrelation();
        ByteBuffer request = bytes(api, version, message, asked);
        return ask(waiter, api, version, request, asked, body -> reading.read(new ByteBufferAccessor(body), version));
    }

    interface AnswerReader<T> {
        T read(ByteBuffer body) throws IOException;
    }

    <T> T ask(ChannelWaiter waiter, Api api, short version, ByteBuffer request, int asked, AnswerReader<T> reading)
            throws IOException {
        waiter.of("its answer to " + api);
        send(request);
        ResponseFrame frame = await(waiter);
        try {
            if (frame.correlation() != asked) {
                throw new IOException("broker " + at + " answered request " + frame.correlation() + " instead of "
                        + asked + " (" + api + ")");
            }
            return reading.read(frame.body(api, version));
        } catch (RuntimeException e) {
            // The generated readers throw many kinds of exceptions for malformed bytes.
            throw new IOException(
                    "broker " + at + " sent an answer to " + api + " version " + version + " that cannot be read: "
                            + e.getMessage(),
                    e);
        } finally {
            frame.release();
        }
    }

    private ByteBuffer bytes(Api api, short version, ApiMessage message, int number) {
        RequestHead head = new RequestHead(options.clientId);
        ObjectSerializationCache cache = new ObjectSerializationCache();
        MessageSizeAccumulator size = new MessageSizeAccumulator();
        message.addSize(size, cache, version);
        ByteBuffer bytes = ByteBuffer.allocate(head.bytes(api, version) + size.totalSize());
        head.put(bytes, api, version, number, size.totalSize());
        message.write(new ByteBufferAccessor(bytes), cache, version);
        return bytes.flip();
    }

    ResponseFrame await(ChannelWaiter waiter) throws IOException {
        while (!flush()) {
            waiter.await(SelectionKey.OP_WRITE);
        }
        ResponseFrame frame = next();
        while (frame == null) {
            waiter.await(SelectionKey.OP_READ);
            frame = next();
        }
        return frame;
    }

    /** Waits, up to the limit, until the broker has processed all requests, even those without an answer. */
    public void settle(Duration limit) throws IOException {
        try (ChannelWaiter waiter = waiter()) {
            waiter.of("the end of what was sent", MachineClock.within(limit));
            // A broker reads the next request of a connection only after the previous one, even if that request has no
            // answer.
            var unused = new Handshake(this, waiter).ask(version(Api.API_VERSIONS));
        }
    }

    ChannelWaiter waiter() throws IOException {
        return new ChannelWaiter(at, channel);
    }

    @Override
    public void close() {
        try (SocketChannel closing = channel) {
            if (closing.isOpen()) {
                pipe.sendClose();
            }
        } catch (IOException e) {
            // The connection was already broken, and its user has the exception.
            key = null;
        }
    }

    /** The unwritten bytes of a connection: parts of requests, in order, in the buffers of their owners. */
    static final class OutboundBytes {
        private final Transport pipe;
        private ByteBuffer[] parts = new ByteBuffer[64];
        private int head;
        private int tail;
        long taken;
        /** The number of bytes that have left; it may be too low during encryption, but never too high. */
        long left;

        OutboundBytes(Transport pipe) {
            this.pipe = pipe;
        }

        void add(ByteBuffer part) {
            if (tail == parts.length) {
                int waiting = tail - head;
                if (head < parts.length / 2) {
                    parts = Arrays.copyOf(parts, 2 * parts.length);
                }
                System.arraycopy(parts, head, parts, 0, waiting);
                head = 0;
                tail = waiting;
            }
            parts[tail++] = part;
            taken += part.remaining();
        }

        boolean flush() throws IOException {
            while (pipe.flush()) {
                while (head < tail && !parts[head].hasRemaining()) {
                    head++;
                }
                if (head == tail) {
                    head = 0;
                    tail = 0;
                    left = taken;
                    return true;
                }
                long before = waiting();
                pipe.write(parts, head, tail - head);
                if (waiting() == before) {
                    break;
                }
            }
            if (pipe.flush()) {
                left = taken - waiting();
            }
            return false;
        }

        private long waiting() {
            long bytes = 0;
            for (int i = head; i < tail; i++) {
                bytes += parts[i].remaining();
            }
            return bytes;
        }
    }

    record Handshake(Connection connection, ChannelWaiter waiter) {
        private static final byte[] NOTHING = new byte[0];

        Map<Api, Short> versions() throws IOException {
            ApiVersionsResponseData answer = ask(Api.API_VERSIONS.highest);
            if (answer.errorCode() == Errors.UNSUPPORTED_VERSION.code()) {
                answer = ask((short) 0);
            }
            if (answer.errorCode() != Errors.NONE.code()) {
                throw new IOException("broker " + connection.at + " did not report its versions: "
                        + Errors.forCode(answer.errorCode()).message());
            }
            Map<Api, Short> versions = new EnumMap<>(Api.class);
            for (Api api : Api.values()) {
                ApiVersionsResponseData.ApiVersion theirs = answer.apiKeys().find(api.key);
                if (theirs != null) {
                    short highest = (short) Math.min(api.highest, theirs.maxVersion());
                    if (highest >= Math.max(api.lowest, theirs.minVersion())) {
                        versions.put(api, highest);
                    }
                }
            }
            return versions;
        }

        private ApiVersionsResponseData ask(short version) throws IOException {
            return connection.ask(
                    waiter,
                    Api.API_VERSIONS,
                    version,
                    new ApiVersionsRequestData().setClientSoftwareName("weir").setClientSoftwareVersion("1"),
                    Handshake::read);
        }

        /** Reads a version 0 answer to an unsupported version: an error code and the supported versions. */
        private static ApiVersionsResponseData read(Readable from, short version) {
            ByteBufferAccessor bytes = (ByteBufferAccessor) from;
            int at = bytes.buffer().position();
            boolean older = bytes.buffer().getShort(at) == Errors.UNSUPPORTED_VERSION.code();
            return new ApiVersionsResponseData(from, older ? 0 : version);
        }

        void logIn(SaslLogin login) throws IOException {
            if (!login.needed()) {
                return;
            }
            SaslHandshakeResponseData answer = connection.ask(
                    waiter,
                    Api.SASL_HANDSHAKE,
                    connection.version(Api.SASL_HANDSHAKE),
                    new SaslHandshakeRequestData().setMechanism(login.mechanism()),
                    SaslHandshakeResponseData::new);
            if (answer.errorCode() != Errors.NONE.code()) {
                throw new BrokerRefusal("broker " + connection.at + " does not support '" + login.mechanism()
                        + "' as sasl.mechanism; it supports " + String.join(", ", answer.mechanisms()));
            }
            SaslClient client = login.client().read();
            byte[] challenge = NOTHING;
            try {
                while (!client.isComplete()) {
                    byte @Nullable [] say = client.evaluateChallenge(challenge);
                    // SCRAM ends with the broker's message, which needs no answer.
                    if (say != null) {
                        challenge = say(say, login);
                    }
                }
            } catch (SaslException e) {
                throw new BrokerRefusal("broker " + connection.at + " failed to authenticate itself with "
                        + login.mechanism() + ": " + e.getMessage());
            }
        }

        private byte[] say(byte[] words, SaslLogin login) throws IOException {
            SaslAuthenticateResponseData answer = connection.ask(
                    waiter,
                    Api.SASL_AUTHENTICATE,
                    connection.version(Api.SASL_AUTHENTICATE),
                    new SaslAuthenticateRequestData().setAuthBytes(words),
                    SaslAuthenticateResponseData::new);
            if (answer.errorCode() != Errors.NONE.code()) {
                throw new BrokerRefusal("broker " + connection.at + " rejected the login with " + login.mechanism()
                        + ": " + answer.errorMessage());
            }
            return answer.authBytes();
        }
    }
}
