package weir.feature.metrics;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import weir.feature.metrics.ExpositionParser.Sample;

/** A reader of an exporter's page. It limits the time and the bytes of an answer, and follows no redirect. */
final class ExporterClient implements AutoCloseable {
    static final Duration LIMIT = Duration.ofSeconds(10);

    static final long MOST_BYTES = 16 << 20;
    private static final int OK = 200;
    private static final String UNWANTED = "the reading was cancelled";
    private static final String FORMATS =
            "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1";

    /** One client for all, because a client has a thread and cannot be closed before Java 21. */
    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(LIMIT)
            .build();

    private final Duration limit;
    private final long mostBytes;
    private volatile boolean closed;
    private volatile @Nullable CompletableFuture<?> asked;

    ExporterClient() {
        this(LIMIT, MOST_BYTES);
    }

    ExporterClient(Duration limit, long mostBytes) {
        this.limit = limit;
        this.mostBytes = mostBytes;
    }

    /** Passes the wanted samples to {@code out}, some of them even if it fails. */
    void read(ExporterAddress address, Predicate<String> wanted, Consumer<Sample> out) throws IOException {
        HttpRequest request =
                HttpRequest.newBuilder(address.uri()).header("Accept", FORMATS).build();
        CompletableFuture<HttpResponse<Boolean>> answer =
                CLIENT.sendAsync(request, head -> new Body(refused(head), new ExpositionParser(wanted, out)));
        asked = answer;
        if (closed) {
            answer.cancel(true);
        }
        try {
            answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new IOException("it did not answer within " + limit.toMillis() + " ms", e);
        } catch (ExecutionException e) {
            throw new IOException(closed ? UNWANTED : reason(e), e);
        } catch (CancellationException e) {
            throw new IOException(UNWANTED, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for the answer", e);
        } finally {
            answer.cancel(true);
        }
    }

    boolean closed() {
        return closed;
    }

    /** Cancels the current read and all later reads. Any thread can call this method. */
    @Override
    public void close() {
        closed = true;
        CompletableFuture<?> open = asked;
        if (open != null) {
            open.cancel(true);
        }
    }

    private static String reason(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof ExecutionException || cause instanceof CompletionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof ConnectException) {
            return "connection refused, or unknown host name";
        }
        String message = cause.getMessage();
        return message == null ? cause.getClass().getSimpleName() : message;
    }

    private static String refused(HttpResponse.ResponseInfo head) {
        int status = head.statusCode();
        if (status >= 300 && status < 400) {
            return "it redirects (HTTP " + status + "); write the address of the metrics themselves";
        }
        if (status != OK) {
            return "it answered with HTTP " + status;
        }
        String type = head.headers().firstValue("Content-Type").orElse("").toLowerCase(Locale.ROOT);
        boolean text =
                type.isEmpty() || type.startsWith("text/plain") || type.startsWith("application/openmetrics-text");
        return text ? "" : "it answered with '" + type.split(";", 2)[0].strip() + "' instead of metrics";
    }

    private final class Body implements BodySubscriber<Boolean> {
        private final CompletableFuture<Boolean> whole = new CompletableFuture<>();
        private final String refused;
        private final ExpositionParser parser;
        private @Nullable Subscription subscription;
        private long read;

        Body(String refused, ExpositionParser parser) {
            this.refused = refused;
            this.parser = parser;
        }

        @Override
        public CompletionStage<Boolean> getBody() {
            return whole;
        }

        @Override
        public void onSubscribe(Subscription given) {
            subscription = given;
            if (refused.isEmpty()) {
                given.request(1);
            } else {
                fail(new IOException(refused));
            }
        }

        @Override
        public void onNext(List<ByteBuffer> buffers) {
            try {
                for (ByteBuffer buffer : buffers) {
                    read += buffer.remaining();
                    if (read > mostBytes) {
                        throw new IOException("its answer must be at most " + (mostBytes >> 20) + " MiB");
                    }
                    parser.take(buffer);
                }
                Subscription open = subscription;
                if (open != null) {
                    open.request(1);
                }
            } catch (IOException e) {
                fail(e);
            }
        }

        private void fail(IOException e) {
            whole.completeExceptionally(e);
            Subscription open = subscription;
            if (open != null) {
                open.cancel();
            }
        }

        @Override
        public void onError(Throwable failure) {
            whole.completeExceptionally(failure);
        }

        @Override
        public void onComplete() {
            try {
                parser.end();
                whole.complete(true);
            } catch (IOException e) {
                whole.completeExceptionally(e);
            }
        }
    }

    /** The address of an exporter. Its text omits the query, which may contain a secret. */
    record ExporterAddress(URI uri) {
        static ExporterAddress of(String url) {
            return new ExporterAddress(URI.create(url));
        }

        String host() {
            String host = uri.getHost();
            return host == null ? uri.getAuthority() : host;
        }

        String hostAndPort() {
            return uri.getPort() < 0 ? host() : host() + ":" + uri.getPort();
        }

        @Override
        public String toString() {
            return uri.getScheme() + "://" + hostAndPort() + uri.getPath();
        }
    }
}
