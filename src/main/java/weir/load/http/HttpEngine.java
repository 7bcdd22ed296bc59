package weir.load.http;

import io.netty.handler.codec.http2.Http2SecurityUtil;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import weir.load.engine.Producing;
import weir.load.http.HttpCounters.Count;
import weir.load.send.Sender;
import weir.plan.HttpSpec;
import weir.plan.property.Property;

/** Sends messages by HTTP to gateways, or to what stands in front of them. */
public final class HttpEngine implements Producing {
    private static final int CONNECT_MILLIS = 5_000;

    private final HttpSettings settings;
    private final Asked asked;
    private final Consumer<String> events;
    private final List<HttpSender> senders = new CopyOnWriteArrayList<>();
    private final Map<Count, Long> before = new EnumMap<>(Count.class);

    /**
     * The servers to send to, and how.
     *
     * @param urls of gateways or balancers, to be used in turn
     * @param topics names on the cluster, in the order of their indexes
     * @param partitions of all of them together
     * @param senders of all workers
     * @param answersWhenAcked false when an answer does not wait for a broker
     */
    public record Asked(
            List<String> urls,
            List<String> topics,
            int partitions,
            HttpSpec http,
            int senders,
            boolean answersWhenAcked) {
        public Asked {
            urls = List.copyOf(urls);
            topics = List.copyOf(topics);
        }
    }

    public HttpEngine(Asked asked, Consumer<String> events) {
        this.asked = asked;
        this.events = events;
        List<HttpTarget> targets = new ArrayList<>();
        asked.urls.forEach(url -> targets.addAll(HttpTarget.of(url)));
        Optional<SslContext> tls =
                targets.stream().anyMatch(HttpTarget::tls) ? Optional.of(tls(asked.http)) : Optional.empty();
        int each = Math.max(1, asked.http.connections() / Math.max(1, asked.senders));
        this.settings = new HttpSettings(asked.http, asked.topics, targets, each, tls);
        targets.forEach(HttpEngine::reach);
    }

    /** Why nothing can be sent to a server; empty when something can. */
    public static Optional<String> unreachable(String url) {
        try {
            HttpTarget.of(url).forEach(HttpEngine::reach);
            return Optional.empty();
        } catch (IllegalStateException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /** A server that is not there is found before anything is measured. */
    private static void reach(HttpTarget target) {
        try (Socket socket = new Socket()) {
            socket.connect(target.address(), CONNECT_MILLIS);
        } catch (IOException e) {
            throw new IllegalStateException("connecting to " + target + ": " + e.getMessage(), e);
        }
    }

    private static SslContext tls(HttpSpec http) {
        try {
            SslContextBuilder builder = SslContextBuilder.forClient().sslProvider(SslProvider.JDK);
            if (!http.trusted().toString().isEmpty()) {
                builder.trustManager(http.trusted().toFile());
            }
            if (http.version() == HttpSpec.Version.HTTP_2) {
                builder.ciphers(Http2SecurityUtil.CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
                        .applicationProtocolConfig(new ApplicationProtocolConfig(
                                ApplicationProtocolConfig.Protocol.ALPN,
                                ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                                ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                                ApplicationProtocolNames.HTTP_2));
            }
            return builder.build();
        } catch (SSLException | IllegalArgumentException e) {
            throw new IllegalStateException("load.http.tls: " + e.getMessage(), e);
        }
    }

    @Override
    public Sender sender(int producer) {
        HttpSender sender = new HttpSender(producer, settings, System::nanoTime, events);
        senders.add(sender);
        return sender;
    }

    /** A broker may still be at it: an answer says nothing about replicas that are behind. */
    @Override
    public boolean confirms() {
        return false;
    }

    @Override
    public long[] ackedEnds() {
        return new long[asked.partitions];
    }

    @Override
    public void look(Figures into) {
        Map<Count, Long> more = new EnumMap<>(Count.class);
        for (Count count : Count.values()) {
            long now = sum(count);
            more.put(count, now - before.getOrDefault(count, 0L));
            before.put(count, now);
        }
        mean(into, "producer.request-latency-avg", more, Count.LATENCY_NANOS, Count.ANSWERED, 1e6);
        mean(into, "producer.records-per-request-avg", more, Count.RECORDS, Count.SENT, 1);
        mean(into, "producer.request-size-avg", more, Count.BYTES, Count.SENT, 1);
        into.figure("producer.requests-in-flight", total(Count.SENT) - total(Count.DONE));
        into.figure("producer.request-retry-total", total(Count.RETRIES));
        into.figure("producer.record-error-total", total(Count.ERRORS));
        into.figure("producer.responses-later-total", total(Count.LATER));
        into.figure("producer.requests-lost-total", total(Count.LOST));
        into.figure("producer.connection-creation-total", total(Count.DIALLED));
    }

    private long sum(Count count) {
        return senders.stream()
                .mapToLong(sender -> sender.counters().now(count))
                .sum();
    }

    private double total(Count count) {
        return (double) sum(count);
    }

    private static void mean(Figures into, String name, Map<Count, Long> more, Count sum, Count of, double unit) {
        long count = more.getOrDefault(of, 0L);
        if (count > 0) {
            into.figure(name, more.getOrDefault(sum, 0L) / unit / count);
        }
    }

    @Override
    public List<Property> properties() {
        return List.of();
    }

    @Override
    public List<String> notes() {
        return asked.answersWhenAcked
                ? List.of()
                : List.of("the gateway answers before a broker has a record, so acked means taken by the gateway");
    }

    @Override
    public void close() {
        senders.forEach(HttpSender::close);
    }
}
