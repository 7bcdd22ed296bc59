package weir.feature.http;

import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;
import weir.feature.http.Forwarder.Shipment;
import weir.feature.http.Gateway.GatewayCounters;
import weir.http.Answers;
import weir.http.ByteBudget;
import weir.http.HttpHead;
import weir.http.Refusal;
import weir.http.RequestService;
import weir.http.RequestService.Reply;
import weir.http.RequestService.RequestBody;
import weir.http.RequestService.Task;
import weir.http.Resource;
import weir.measure.Known;

/** The handler of requests to a gateway: records for topics, and queries of the gateway's state. */
// The callback receives the answer about partitions.
@SuppressWarnings("FutureReturnValueIgnored")
record RecordRequests(
        GatewaySettings settings,
        Gateway.KnownTopics topics,
        Forwarder forwarder,
        GatewayCounters counters,
        ByteBudget budget)
        implements RequestService {
    private static final String TOPICS = "/topics/";
    private static final String COUNTERS = "/counters";
    private static final String METRICS = "/metrics";
    private static final AsciiString HEADER = AsciiString.cached("record-header-");
    private static final Resource RECORDS = new Resource("POST, OPTIONS", Set.of("key"), false);

    @Override
    public Resource resource(String path) throws Refusal {
        if (path.startsWith(TOPICS) && path.length() > TOPICS.length()) {
            return RECORDS;
        }
        return switch (path) {
            case HttpHead.HEALTH -> Resource.LOOK_WITH_ANY_QUERY;
            case COUNTERS, METRICS -> Resource.LOOK;
            default ->
                throw new Refusal(
                        HttpResponseStatus.NOT_FOUND,
                        "unknown path; known paths: /topics/TOPIC, /healthz, /counters, /metrics");
        };
    }

    @Override
    public Task begin(HttpHead head) throws Refusal {
        String topic = head.path().substring(TOPICS.length());
        if (counters.availability.lost()) {
            throw lost();
        }
        if (!topics.has(topic)) {
            throw new Refusal(HttpResponseStatus.NOT_FOUND, "topic '" + topic + "' does not exist");
        }
        String key = head.query("key");
        return (whole, body, reply) -> carryOut(topic, key, whole, body, reply);
    }

    private void carryOut(String topic, @Nullable String key, HttpHead head, RequestBody body, Reply reply)
            throws Refusal {
        RecordFormat format = RecordFormat.of(head.request().headers().get(HttpHeaderNames.CONTENT_TYPE));
        byte[] keyBytes = key == null ? null : key.getBytes(StandardCharsets.UTF_8);
        List<ProducerRecord<byte[], byte[]>> records =
                format.records(topic, keyBytes, body.bytes(), settings.limits().records());
        copyHeaders(head.request().headers(), records);
        boolean single = format == RecordFormat.RAW;
        Integer highest = Known.most(records, ProducerRecord::partition);
        if (highest == null) {
            forward(records, single, body, reply);
            return;
        }
        int partition = highest;
        topics.partitions(topic, partition).whenComplete((count, fault) -> {
            if (fault == null && partition < count) {
                forward(records, single, body, reply);
            } else {
                Refusal why = fault == null
                        ? new Refusal(
                                HttpResponseStatus.NOT_FOUND,
                                "the partition for topic '" + topic + "' must be between 0 and " + (count - 1)
                                        + ", found '" + partition + "'")
                        : unreported(fault);
                budget.release(body.length());
                counters.server.count(why.status());
                reply.answer(Answers.refused(why));
            }
        });
    }

    private void forward(List<ProducerRecord<byte[], byte[]>> records, boolean single, RequestBody body, Reply reply) {
        counters.request(records.size(), body.length());
        forwarder.forward(new Exchange(records, single, body.length(), reply));
        if (settings.answer() == GatewaySpec.Answer.QUEUED) {
            reply.answer(Answers.queued());
        }
    }

    private static Refusal unreported(Throwable fault) {
        Throwable cause = fault instanceof CompletionException ? fault.getCause() : fault;
        HttpResponseStatus status = Forwarder.status(cause);
        return status.equals(HttpResponseStatus.SERVICE_UNAVAILABLE)
                ? lost()
                : new Refusal(status, String.valueOf(cause));
    }

    private static Refusal lost() {
        return new Refusal(HttpResponseStatus.SERVICE_UNAVAILABLE, "the brokers do not answer");
    }

    @Override
    public void answerQuery(HttpHead head, Reply reply) {
        reply.answer(
                switch (head.path()) {
                    case HttpHead.HEALTH -> counters.availability.lost() ? Answers.refused(lost()) : Answers.healthy();
                    case COUNTERS -> Answers.counters(counters.all());
                    case METRICS -> Answers.metrics("weir_gateway_", counters.all());
                    default -> throw new AssertionError(head);
                });
    }

    @Override
    public Refusal full() {
        return new Refusal(HttpResponseStatus.SERVICE_UNAVAILABLE, "the memory for waiting requests is full");
    }

    /**
     * Copies request headers to record headers. {@code Record-Header-NAME} contains a value in base64, or a value for
     * each record of the batch, separated by commas. Header names arrive in lower case.
     */
    private static void copyHeaders(HttpHeaders request, List<ProducerRecord<byte[], byte[]>> records) throws Refusal {
        Iterator<Map.Entry<CharSequence, CharSequence>> all = request.iteratorCharSequence();
        while (all.hasNext()) {
            Map.Entry<CharSequence, CharSequence> header = all.next();
            CharSequence name = header.getKey();
            if (AsciiString.regionMatches(name, true, 0, HEADER, 0, HEADER.length())) {
                String lower = AsciiString.of(name).toLowerCase().toString();
                copyHeader(lower.substring(HEADER.length()), header.getValue().toString(), records);
            }
        }
    }

    private static void copyHeader(String name, String values, List<ProducerRecord<byte[], byte[]>> records)
            throws Refusal {
        String[] each = values.split(",", -1);
        if (each.length != records.size()) {
            throw Refusal.bad(HEADER + name + " must have " + records.size() + " values, one for each record, found "
                    + each.length);
        }
        for (int i = 0; i < each.length; i++) {
            try {
                records.get(i).headers().add(name, Base64.getDecoder().decode(each[i].strip()));
            } catch (IllegalArgumentException e) {
                throw Refusal.bad(HEADER + name + " is not base64");
            }
        }
    }

    /** A request and the outcomes of its records, which the producer's thread reports in any order. */
    private final class Exchange implements Shipment {
        private final List<ProducerRecord<byte[], byte[]>> records;
        private final boolean single;
        private final int bytes;
        private final Reply reply;
        private final long answers = counters.availability.answers();
        private final @Nullable RecordMetadata[] written;
        private final @Nullable Exception[] faults;
        private final AtomicInteger open;

        Exchange(List<ProducerRecord<byte[], byte[]>> records, boolean single, int bytes, Reply reply) {
            this.records = records;
            this.single = single;
            this.bytes = bytes;
            this.reply = reply;
            this.written = new RecordMetadata[records.size()];
            this.faults = new Exception[records.size()];
            this.open = new AtomicInteger(records.size());
        }

        @Override
        public List<ProducerRecord<byte[], byte[]>> records() {
            return records;
        }

        @Override
        public void settle(int record, @Nullable RecordMetadata metadata, @Nullable Exception fault) {
            counters.settled(fault == null);
            if (fault != null) {
                counters.availability.failed(answers, fault);
            }
            faults[record] = fault;
            written[record] = metadata;
            if (open.decrementAndGet() == 0) {
                budget.release(bytes);
                if (settings.answer() == GatewaySpec.Answer.ACKED) {
                    reply.answer(answer());
                }
            }
        }

        /** Lists the outcomes as in version 2 of the REST interface; a raw record has only its own outcome. */
        FullHttpResponse answer() {
            StringBuilder json = new StringBuilder(48 * records.size() + 16);
            json.append(single ? "" : "{\"offsets\":[");
            for (int i = 0; i < records.size(); i++) {
                json.append(i > 0 ? "," : "");
                Exception fault = faults[i];
                if (fault == null) {
                    RecordMetadata metadata = Objects.requireNonNull(written[i]);
                    json.append("{\"partition\":").append(metadata.partition()).append(",\"offset\":");
                    // Without acknowledgements there are no offsets.
                    json.append(metadata.hasOffset() ? String.valueOf(metadata.offset()) : "null");
                } else {
                    json.append("{\"error_code\":")
                            .append(Forwarder.status(fault).code())
                            .append(",\"message\":");
                    Answers.quote(json, String.valueOf(fault.getMessage()));
                }
                json.append('}');
            }
            json.append(single ? "\n" : "]}\n");
            Exception first =
                    Arrays.stream(faults).filter(Objects::nonNull).findFirst().orElse(null);
            return Answers.json(Forwarder.status(first), json.toString());
        }
    }
}
