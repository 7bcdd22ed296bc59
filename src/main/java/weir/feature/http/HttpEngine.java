package weir.feature.http;

import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import weir.feature.http.HttpSender.HttpCount;
import weir.feature.http.HttpSettings.HttpTarget;
import weir.http.HttpServer;
import weir.load.engine.Producing;
import weir.load.send.Sender;
import weir.plan.property.Property;
import weir.results.value.Figures;

/** The engine that sends messages by HTTP: as records to gateways or balancers, or as events to any server. */
public final class HttpEngine implements Producing {
    private final HttpSettings settings;
    private final LongSupplier clock;
    private final Consumer<String> events;
    private final List<HttpSender> senders = new CopyOnWriteArrayList<>();
    private final Map<HttpCount, Long> before = new EnumMap<>(HttpCount.class);

    public record SendingPlan(List<String> urls, List<String> topics, HttpSpec http, int senders, boolean events) {
        public SendingPlan {
            urls = List.copyOf(urls);
            topics = List.copyOf(topics);
        }
    }

    public HttpEngine(SendingPlan asked, LongSupplier clock, Consumer<String> events) {
        this.clock = clock;
        this.events = events;
        List<HttpTarget> targets = new ArrayList<>();
        asked.urls.forEach(url -> targets.addAll(HttpTarget.of(url)));
        Optional<SslContext> tls = tls(targets, asked.http);
        int each = Math.max(1, asked.http.connections() / Math.max(1, asked.senders));
        this.settings = new HttpSettings(asked.http, asked.topics, asked.events, targets, each, tls);
        targets.forEach(new ServerCheck(asked.http.spoken(), tls)::reach);
    }

    public static Optional<String> unreachable(String url, HttpSpec http) {
        try {
            List<HttpTarget> targets = HttpTarget.of(url);
            targets.forEach(new ServerCheck(http.spoken(), tls(targets, http))::reach);
            return Optional.empty();
        } catch (IllegalStateException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private static Optional<SslContext> tls(List<HttpTarget> targets, HttpSpec http) {
        return targets.stream().anyMatch(HttpTarget::tls) ? Optional.of(tls(http)) : Optional.empty();
    }

    private static SslContext tls(HttpSpec http) {
        try {
            SslContextBuilder builder = SslContextBuilder.forClient().sslProvider(SslProvider.JDK);
            if (!http.tls().toString().isEmpty()) {
                builder.trustManager(http.tls().toFile());
            }
            if (http.spoken() == HttpSpec.Version.HTTP_2) {
                HttpServer.negotiate(builder, ApplicationProtocolNames.HTTP_2);
            }
            return builder.build();
        } catch (SSLException | IllegalArgumentException e) {
            throw new IllegalStateException("load.http.tls: " + e.getMessage(), e);
        }
    }

    @Override
    public Sender sender(int producer) {
        HttpSender sender = new HttpSender(producer, settings, clock, events);
        senders.add(sender);
        return sender;
    }

    /** Returns false, because a broker may still copy an answered record to lagging replicas. */
    @Override
    public boolean confirms() {
        return false;
    }

    @Override
    public long[] ackedEnds(List<String> partitions) {
        return new long[partitions.size()];
    }

    @Override
    public void report(Figures into) {
        Map<HttpCount, Long> more = new EnumMap<>(HttpCount.class);
        for (HttpCount count : HttpCount.values()) {
            long now = sum(count);
            more.put(count, now - before.getOrDefault(count, 0L));
            before.put(count, now);
        }
        mean(into, "producer.request-latency-avg", more, HttpCount.LATENCY_NANOS, HttpCount.ANSWERED, 1e6);
        mean(into, "producer.records-per-request-avg", more, HttpCount.RECORDS, HttpCount.SENT, 1);
        mean(into, "producer.request-size-avg", more, HttpCount.BYTES, HttpCount.SENT, 1);
        into.figure("producer.requests-in-flight", total(HttpCount.SENT) - total(HttpCount.DONE));
        into.figure("producer.request-retry-total", total(HttpCount.RETRIES));
        into.figure("producer.record-error-total", total(HttpCount.ERRORS));
        into.figure("producer.responses-later-total", total(HttpCount.LATER));
        into.figure("producer.requests-lost-total", total(HttpCount.LOST));
        into.figure("producer.connection-creation-total", total(HttpCount.DIALLED));
    }

    private long sum(HttpCount count) {
        return senders.stream()
                .mapToLong(sender -> sender.counters().now(count))
                .sum();
    }

    private double total(HttpCount count) {
        return (double) sum(count);
    }

    private static void mean(
            Figures into, String name, Map<HttpCount, Long> more, HttpCount sum, HttpCount of, double unit) {
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
        return List.of();
    }

    @Override
    public void close() {
        senders.forEach(HttpSender::close);
    }

    /** The check of a server before measuring. A missing server or a wrong version would only cause waiting. */
    record ServerCheck(HttpSpec.Version version, Optional<SslContext> tls) {
        private static final int PATIENCE_MILLIS = 5_000;
        /** The connection preface of a client, with empty settings (RFC 9113, 3.4). */
        private static final byte[] PREFACE =
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0".getBytes(StandardCharsets.ISO_8859_1);

        private static final int TYPE = 3;
        private static final int SETTINGS = 4;
        private static final int FRAME_HEAD = 9;

        void reach(HttpTarget target) {
            try (Socket socket = new Socket()) {
                socket.connect(target.address(), PATIENCE_MILLIS);
                if (version == HttpSpec.Version.HTTP_2 && !speaksHttp2(socket, target)) {
                    throw new IllegalStateException(target + " does not speak HTTP/2"
                            + (target.tls() ? "" : " without TLS") + "; write load.http.version: 1.1");
                }
            } catch (IOException e) {
                throw new IllegalStateException("connecting to " + target + ": " + e.getMessage(), e);
            }
        }

        private boolean speaksHttp2(Socket plain, HttpTarget target) throws IOException {
            plain.setSoTimeout(PATIENCE_MILLIS);
            Socket socket = plain;
            if (target.tls() && tls.orElse(null) instanceof JdkSslContext context) {
                SSLSocket secured = (SSLSocket) context.context()
                        .getSocketFactory()
                        .createSocket(plain, target.name(), target.address().getPort(), true);
                SSLParameters parameters = secured.getSSLParameters();
                parameters.setApplicationProtocols(new String[] {"h2"});
                secured.setSSLParameters(parameters);
                secured.startHandshake();
                socket = secured;
            }
            socket.getOutputStream().write(PREFACE);
            byte[] head = new byte[FRAME_HEAD];
            try {
                new DataInputStream(socket.getInputStream()).readFully(head);
            } catch (IOException silent) {
                // The server closed or did not answer, so it does not speak HTTP/2.
                return false;
            }
            return head[TYPE] == SETTINGS;
        }
    }
}
