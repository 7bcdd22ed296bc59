package weir.feature.http;

import io.netty.handler.ssl.JdkSslContext;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import weir.feature.http.HttpSender.HttpCount;
import weir.http.HttpTarget;
import weir.load.engine.EngineCounters;
import weir.load.engine.Producing;
import weir.load.send.Sender;

/** The engine that sends messages by HTTP: as records to gateways or balancers, or as events to any server. */
final class HttpEngine implements Producing {
    private final HttpSettings settings;
    private final LongSupplier clock;
    private final Consumer<String> events;
    private final List<HttpSender> senders = new CopyOnWriteArrayList<>();
    private final EngineCounters.Totals<HttpCount> counts = new EngineCounters.Totals<>(HttpCount.class);

    /** Checks that each target can be reached. */
    HttpEngine(HttpSettings settings, LongSupplier clock, Consumer<String> events) {
        this.settings = settings;
        this.clock = clock;
        this.events = events;
        new ServerCheck(settings).reach();
    }

    static Optional<String> unreachable(String url, HttpSpec http) {
        try {
            new ServerCheck(HttpSettings.of(List.of(url), List.of(), http, 1, false)).reach();
            return Optional.empty();
        } catch (IllegalStateException e) {
            return Optional.of(String.valueOf(e.getMessage()));
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
        counts.read(senders.stream().map(sender -> sender.counters).toList());
        counts.mean(into, "producer.request-latency-avg", HttpCount.LATENCY_NANOS, HttpCount.ANSWERED, 1e6);
        counts.mean(into, "producer.records-per-request-avg", HttpCount.RECORDS, HttpCount.SENT, 1);
        counts.mean(into, "producer.request-size-avg", HttpCount.BYTES, HttpCount.SENT, 1);
        into.figure("producer.requests-in-flight", counts.total(HttpCount.SENT) - counts.total(HttpCount.DONE));
        into.figure("producer.request-retry-total", counts.total(HttpCount.RETRIES));
        into.figure("producer.record-error-total", counts.total(HttpCount.ERRORS));
        into.figure("producer.responses-later-total", counts.total(HttpCount.LATER));
        into.figure("producer.requests-lost-total", counts.total(HttpCount.LOST));
        into.figure("producer.connection-creation-total", counts.total(HttpCount.DIALLED));
    }

    @Override
    public void close() {
        senders.forEach(HttpSender::close);
    }

    /** The check of a server before measuring. A missing server or a wrong version would only cause waiting. */
    private record ServerCheck(HttpSettings settings) {
        private static final int TIMEOUT_MILLIS = 5_000;
        /** The connection preface of a client, with empty settings (RFC 9113, 3.4). */
        private static final byte[] PREFACE =
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0".getBytes(StandardCharsets.ISO_8859_1);

        private static final int TYPE = 3;
        private static final int SETTINGS = 4;
        private static final int FRAME_HEAD = 9;

        void reach() {
            settings.targets().forEach(this::reach);
        }

        private void reach(HttpTarget target) {
            try (Socket socket = new Socket()) {
                socket.connect(target.address(), TIMEOUT_MILLIS);
                if (settings.second() && !speaksHttp2(socket, target)) {
                    throw new IllegalStateException(target + " does not speak HTTP/2"
                            + (target.tls() ? "" : " without TLS") + "; write load.http.version: 1.1");
                }
            } catch (IOException e) {
                throw new IllegalStateException("connecting to " + target + ": " + e.getMessage(), e);
            }
        }

        private boolean speaksHttp2(Socket plain, HttpTarget target) throws IOException {
            plain.setSoTimeout(TIMEOUT_MILLIS);
            Socket socket = plain;
            if (target.tls() && settings.tls().orElse(null) instanceof JdkSslContext context) {
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
