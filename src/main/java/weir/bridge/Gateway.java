package weir.bridge;

import io.netty.channel.EventLoopGroup;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import weir.bridge.kafka.Forwarder;
import weir.http.Access;
import weir.http.BridgeServer;
import weir.http.BridgeServer.ServerSettings;
import weir.http.ByteBudget;
import weir.http.EventLoops;

/**
 * An HTTP server that puts each request into Kafka: {@code POST /topics/TOPIC}, whose body is a record or, by its content
 * type, several ({@link RecordFormat}). {@code GET /healthz}, {@code /counters} and {@code /metrics} tell how it is.
 *
 * <p>Where it answers {@code acked}, a 2xx means that the brokers acknowledged all records of the request as the producer's
 * {@code acks} ask for, and the body has their partitions and offsets. Where it answers {@code queued}, it means that they
 * were taken and nothing more.
 */
// A write or close that fails ends its connection, and that is heard.
@SuppressWarnings("FutureReturnValueIgnored")
public final class Gateway implements AutoCloseable {
    /** Defaults of Kafka's producer. */
    private static final long BUFFER_BYTES = 32L << 20;

    private static final Duration SENDING = Duration.ofSeconds(1);

    private final EventLoopGroup loops;
    private final BridgeServer server;
    private final KnownTopics topics;
    private final Forwarder forwarder;
    private final GatewayCounters counters;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Gateway(
            EventLoopGroup loops,
            BridgeServer server,
            KnownTopics topics,
            Forwarder forwarder,
            GatewayCounters counters) {
        this.loops = loops;
        this.server = server;
        this.topics = topics;
        this.forwarder = forwarder;
        this.counters = counters;
    }

    /**
     * Returns when it can be connected to.
     *
     * @throws IOException when it cannot listen there, or the certificate cannot be read
     */
    public static Gateway start(GatewaySettings settings) throws IOException {
        GatewayCounters counters = new GatewayCounters();
        KnownTopics topics = PolledTopics.of(settings.producer(), counters.availability());
        try {
            SortedMap<String, Object> client = Forwarder.unblocked(settings.producer());
            ByteArraySerializer bytes = new ByteArraySerializer();
            return start(settings, topics, new KafkaProducer<>(client, bytes, bytes), counters);
        } catch (IOException | RuntimeException e) {
            topics.close();
            throw e;
        }
    }

    /** Closes the producer when it does not come to that. */
    static Gateway start(
            GatewaySettings settings, KnownTopics topics, Producer<byte[], byte[]> producer, GatewayCounters counters)
            throws IOException {
        Forwarder forwarder =
                new Forwarder(producer, Forwarder.patience(settings.producer()), "weir-gateway-forwarder");
        EventLoopGroup loops = EventLoops.group();
        try {
            ByteBudget budget = new ByteBudget(settings.number("buffer.memory", BUFFER_BYTES));
            RecordRequests requests = new RecordRequests(settings, topics, forwarder, counters, budget);
            Optional<SslContext> tls = tls(settings.certificate());
            BridgeServer server = BridgeServer.start(place(settings), tls, requests, budget, counters.server(), loops);
            return new Gateway(loops, server, topics, forwarder, counters);
        } catch (IOException | RuntimeException e) {
            forwarder.close(Duration.ZERO);
            loops.shutdownGracefully(0, 0, TimeUnit.SECONDS);
            throw e;
        }
    }

    private static ServerSettings place(GatewaySettings settings) {
        Duration patience = Forwarder.patience(settings.producer());
        Access access = Access.to(
                new InetSocketAddress(settings.host(), settings.port()),
                settings.token(),
                settings.vouched() || settings.certificate().isPresent());
        return new ServerSettings(settings.host(), settings.port(), settings.limits(), access, patience);
    }

    private static Optional<SslContext> tls(Optional<GatewaySettings.Certificate> certificate) throws IOException {
        return certificate.isEmpty()
                ? Optional.empty()
                : Optional.of(BridgeServer.tls(
                        certificate.get().chain(), certificate.get().key()));
    }

    public InetSocketAddress address() {
        return server.address();
    }

    /** Counts since the start, by name; {@code connections} are those that are open. */
    public SortedMap<String, Long> counts() {
        return counters.all();
    }

    /** Takes nothing more and answers what it has taken, for less than ten seconds. */
    @Override
    public void close() {
        close(BridgeServer.LAST);
    }

    void close(Duration answering) {
        if (closed.getAndSet(true)) {
            return;
        }
        server.drain(answering);
        forwarder.close(SENDING);
        // Records that the brokers did not take in time have failed by now, and their clients hear of it.
        server.drain(SENDING);
        server.close();
        topics.close();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(SENDING.toMillis());
    }

    /**
     * The topics that are there. Kafka's client waits a while for one that is not, and everybody behind it waits, too; so a
     * request that asks for it is refused.
     */
    interface KnownTopics extends AutoCloseable {
        boolean has(String topic);

        /** The number of partitions of a topic; it is asked for anew unless one of this number is known. */
        CompletionStage<Integer> partitions(String topic, int partition);

        @Override
        void close();
    }
}
