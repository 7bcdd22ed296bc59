package weir.feature.http;

import io.netty.channel.EventLoopGroup;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.errors.NetworkException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import weir.http.Access;
import weir.http.ByteBudget;
import weir.http.EventLoops;
import weir.http.HttpServer;
import weir.http.HttpServer.ServerCounters;
import weir.http.HttpServer.ServerSettings;
import weir.time.DaemonThreads;

/**
 * An HTTP server that writes requests to Kafka: {@code POST /topics/TOPIC}. The body of a request is one record, or
 * several records if its content type says so ({@link RecordFormat}). {@code GET /healthz}, {@code /counters} and
 * {@code /metrics} report the state of the gateway. With {@code answer: acked}, a 2xx answer means that the brokers
 * acknowledged all records. The answer contains their partitions and offsets. With {@code answer: queued}, a 2xx answer
 * means only that the gateway accepted the records.
 */
// A listener on each connection handles failed writes and closes.
@SuppressWarnings("FutureReturnValueIgnored")
public final class Gateway implements AutoCloseable {
    /** Defaults of Kafka's producer. */
    private static final long BUFFER_BYTES = 32L << 20;

    private static final Duration SENDING = Duration.ofSeconds(1);

    private final EventLoopGroup loops;
    private final HttpServer server;
    private final RecordRequests requests;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Gateway(EventLoopGroup loops, HttpServer server, RecordRequests requests) {
        this.loops = loops;
        this.server = server;
        this.requests = requests;
    }

    /** Returns once the gateway listens. Throws if it cannot listen at the address or read the certificate. */
    public static Gateway start(GatewaySettings settings) throws IOException {
        GatewayCounters counters = new GatewayCounters();
        KnownTopics topics = PolledTopics.of(settings.producer(), counters.availability);
        try {
            return start(settings, topics, Forwarder.producer(settings.producer()), counters);
        } catch (IOException | RuntimeException e) {
            topics.close();
            throw e;
        }
    }

    static Gateway start(
            GatewaySettings settings, KnownTopics topics, Producer<byte[], byte[]> producer, GatewayCounters counters)
            throws IOException {
        Forwarder forwarder = new Forwarder(producer, settings.producer(), "weir-gateway-forwarder");
        EventLoopGroup loops = EventLoops.group();
        try {
            ByteBudget budget = new ByteBudget(Forwarder.number(settings.producer(), "buffer.memory", BUFFER_BYTES));
            RecordRequests requests = new RecordRequests(settings, topics, forwarder, counters, budget);
            Optional<SslContext> tls = HttpServer.tls(settings.certificate(), settings.key(), true);
            InetSocketAddress at = new InetSocketAddress(settings.host(), settings.port());
            Access access = Access.to(at, settings.token(), settings.anyHost() || tls.isPresent());
            ServerSettings place = new ServerSettings(settings.limits(), access, forwarder.timeout(), tls);
            HttpServer server = HttpServer.start(at, place, requests, budget, counters.server, loops);
            return new Gateway(loops, server, requests);
        } catch (IOException | RuntimeException e) {
            forwarder.close(Duration.ZERO);
            loops.shutdownGracefully(0, 0, TimeUnit.SECONDS);
            throw e;
        }
    }

    public InetSocketAddress address() {
        return server.address();
    }

    public SortedMap<String, Long> counts() {
        return requests.counters().all();
    }

    /** Accepts no more requests, and answers accepted requests within ten seconds. */
    @Override
    public void close() {
        close(HttpServer.LAST);
    }

    void close(Duration answering) {
        if (closed.getAndSet(true)) {
            return;
        }
        server.drain(answering);
        requests.forwarder().close(SENDING);
        // By now, records without an acknowledgement have failed. Their clients get an error answer.
        server.drain(SENDING);
        server.close();
        requests.topics().close();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(SENDING.toMillis());
    }

    /** The existing topics. Requests for others are refused, because they delay later records in Kafka's client. */
    interface KnownTopics extends AutoCloseable {
        boolean has(String topic);

        /** Returns the number of partitions. Asks the brokers unless {@code partition} is known. */
        CompletionStage<Integer> partitions(String topic, int partition);

        @Override
        void close();
    }

    static final class PolledTopics implements Gateway.KnownTopics {
        private static final int EVERY_MILLIS = 2_000;
        private static final Duration AT_FIRST = Duration.ofSeconds(20);
        private static final Duration LATER = Duration.ofSeconds(10);

        private final Admin admin;
        private final Availability availability;
        private final ScheduledExecutorService timer =
                Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("weir-gateway-topics"));
        private final Map<String, Integer> partitions = new ConcurrentHashMap<>();

        private final Map<String, CompletableFuture<Integer>> asked = new ConcurrentHashMap<>();
        private volatile Set<String> topics = Set.of();

        private PolledTopics(Admin admin, Availability availability) {
            this.admin = admin;
            this.availability = availability;
        }

        static PolledTopics of(SortedMap<String, String> client, Availability availability) {
            SortedMap<String, Object> known = new TreeMap<>(client);
            known.keySet().retainAll(AdminClientConfig.configNames());
            PolledTopics all = new PolledTopics(Admin.create(known), availability);
            try {
                all.ask(AT_FIRST);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (ExecutionException e) {
                all.admin.close(Duration.ZERO);
                throw new IllegalStateException("listing the topics: " + e.getCause(), e);
            }
            all.timer.scheduleWithFixedDelay(all::askAgain, EVERY_MILLIS, EVERY_MILLIS, TimeUnit.MILLISECONDS);
            return all;
        }

        @Override
        public boolean has(String topic) {
            return topics.contains(topic);
        }

        @Override
        public CompletionStage<Integer> partitions(String topic, int partition) {
            Integer known = partitions.get(topic);
            if (known != null && known > partition) {
                return CompletableFuture.completedFuture(known);
            }
            CompletableFuture<Integer> answer = asked.computeIfAbsent(topic, this::describe);
            // Not within the map's update: an immediate answer would change the map during the update.
            var unused = answer.whenComplete((count, fault) -> asked.remove(topic, answer));
            return answer;
        }

        private CompletableFuture<Integer> describe(String topic) {
            DescribeTopicsOptions options = new DescribeTopicsOptions().timeoutMs((int) LATER.toMillis());
            return admin.describeTopics(List.of(topic), options)
                    .allTopicNames()
                    .toCompletionStage()
                    .thenApply(described -> {
                        int count = described
                                .values()
                                .iterator()
                                .next()
                                .partitions()
                                .size();
                        partitions.put(topic, count);
                        return count;
                    })
                    .toCompletableFuture();
        }

        private void ask(Duration limit) throws InterruptedException, ExecutionException {
            ListTopicsOptions options = new ListTopicsOptions().timeoutMs((int) limit.toMillis());
            topics = Set.copyOf(admin.listTopics(options).names().get());
            partitions.keySet().retainAll(topics);
            availability.answered();
        }

        private void askAgain() {
            long answers = availability.answers();
            try {
                ask(LATER);
            } catch (ExecutionException away) {
                if (away.getCause() instanceof TimeoutException late) {
                    availability.failed(answers, late);
                }
            } catch (InterruptedException closed) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void close() {
            timer.shutdownNow();
            admin.close(Duration.ZERO);
        }
    }

    static final class GatewayCounters {
        final ServerCounters server = new ServerCounters();
        private final LongAdder requests = new LongAdder();
        private final LongAdder records = new LongAdder();
        private final LongAdder written = new LongAdder();
        private final LongAdder failed = new LongAdder();
        private final LongAdder bytes = new LongAdder();
        final Availability availability = new Availability(written::sum);

        void request(int recordsInIt, long bytesInIt) {
            requests.increment();
            records.add(recordsInIt);
            bytes.add(bytesInIt);
        }

        void settled(boolean acked) {
            (acked ? written : failed).increment();
        }

        SortedMap<String, Long> all() {
            SortedMap<String, Long> all = new TreeMap<>();
            all.put("bytes", bytes.sum());
            all.put("connections", server.connections.sum());
            all.put("records", records.sum());
            all.put("records_acked", written.sum());
            all.put("records_failed", failed.sum());
            all.put("requests", requests.sum());
            all.put("requests_full", server.full.sum());
            all.put("requests_refused", server.refused.sum());
            return Collections.unmodifiableSortedMap(all);
        }
    }

    /**
     * The availability of the cluster behind a server. It ends when a request times out without any answer since the
     * request's start. It returns with the next answer. Safe for many threads.
     */
    static final class Availability {
        private final LongSupplier acks;
        private final AtomicLong answers = new AtomicLong();
        private volatile boolean lost;

        public Availability(LongSupplier acks) {
            this.acks = acks;
        }

        /** The number of answers so far, which the caller stores at the start of each request for {@link #failed}. */
        public long answers() {
            return answers.get() + acks.getAsLong();
        }

        public void answered() {
            answers.incrementAndGet();
            lost = false;
        }

        /**
         * Handles the failure of a request. A full buffer of the producer does not mean an unavailable cluster.
         *
         * @param after value of {@link #answers} at the start of the request
         */
        public void failed(long after, @Nullable Exception fault) {
            boolean silence = fault instanceof TimeoutException || fault instanceof NetworkException;
            if (silence && !(fault instanceof BufferExhaustedException) && answers() == after) {
                lost = true;
            }
        }

        public boolean lost() {
            return lost;
        }
    }
}
