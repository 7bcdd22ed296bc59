package weir.bridge;

import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import weir.bridge.kafka.Forwarder;
import weir.bridge.kafka.ProducerFaults;
import weir.http.Answers;
import weir.http.ByteBudget;
import weir.http.HttpHead;
import weir.http.Refusal;
import weir.http.Reply;
import weir.http.RequestBody;
import weir.http.RequestService;
import weir.http.Resource;
import weir.plan.BridgeSpec;

/** The requests of a gateway: records for topics, and questions how it is. */
// What becomes of a question for partitions is heard by its callback.
@SuppressWarnings("FutureReturnValueIgnored")
final class RecordRequests implements RequestService {
    private static final String TOPICS = "/topics/";
    private static final String COUNTERS = "/counters";
    private static final String METRICS = "/metrics";
    private static final Resource RECORDS = new Resource("POST, OPTIONS", Set.of("key"), false);

    private final KnownTopics topics;
    private final Forwarder forwarder;
    private final GatewayCounters counters;
    private final ByteBudget budget;
    private final int most;
    private final boolean queued;

    RecordRequests(
            GatewaySettings settings,
            KnownTopics topics,
            Forwarder forwarder,
            GatewayCounters counters,
            ByteBudget budget) {
        this.topics = topics;
        this.forwarder = forwarder;
        this.counters = counters;
        this.budget = budget;
        this.most = settings.limits().records();
        this.queued = settings.answer() == BridgeSpec.Answer.QUEUED;
    }

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
                        HttpResponseStatus.NOT_FOUND.code(),
                        "there are /topics/TOPIC, /healthz, /counters and /metrics");
        };
    }

    @Override
    public Task begin(HttpHead head) throws Refusal {
        String topic = head.path().substring(TOPICS.length());
        if (counters.availability().lost()) {
            throw lost();
        }
        if (!topics.has(topic)) {
            throw new Refusal(HttpResponseStatus.NOT_FOUND.code(), "there is no topic '" + topic + "'");
        }
        return new Records(topic, head.query("key"));
    }

    /** The records of one request. The key is theirs where the body brings none. */
    private final class Records implements Task {
        private final String topic;
        private final @Nullable String key;

        Records(String topic, @Nullable String key) {
            this.topic = topic;
            this.key = key;
        }

        @Override
        public void carryOut(HttpHead head, RequestBody body, Reply reply) throws Refusal {
            RecordFormat format = RecordFormat.of(head.request().headers().get(HttpHeaderNames.CONTENT_TYPE));
            byte[] keyBytes = key == null ? null : key.getBytes(StandardCharsets.UTF_8);
            List<ProducerRecord<byte[], byte[]>> records = format.records(topic, keyBytes, body.bytes(), most);
            RecordHeaders.copy(head.request().headers(), records);
            boolean single = format == RecordFormat.RAW;
            int partition = highest(records);
            if (partition < 0) {
                forward(records, single, body, reply);
                return;
            }
            topics.partitions(topic, partition).whenComplete((count, fault) -> {
                if (fault == null && partition < count) {
                    forward(records, single, body, reply);
                } else {
                    Refusal why = fault == null ? noPartition(partition, count) : untold(fault);
                    budget.giveBack(body.length());
                    counters.server().count(why.status());
                    reply.answer(Answers.refused(why));
                }
            });
        }

        private void forward(
                List<ProducerRecord<byte[], byte[]>> records, boolean single, RequestBody body, Reply reply) {
            counters.request(records.size(), body.length());
            forwarder.forward(new Exchange(records, single, counters, settled -> {
                budget.giveBack(body.length());
                if (!queued) {
                    reply.answer(RecordAnswers.settled(settled));
                }
            }));
            if (queued) {
                reply.answer(Answers.queued());
            }
        }

        private Refusal noPartition(int partition, int count) {
            return new Refusal(
                    HttpResponseStatus.NOT_FOUND.code(),
                    "topic '" + topic + "' has partitions 0 to " + (count - 1) + ", and a record is for partition "
                            + partition);
        }
    }

    /** The refusal of a record whose topic has an unknown number of partitions. */
    private static Refusal untold(Throwable fault) {
        Throwable cause = fault instanceof CompletionException ? fault.getCause() : fault;
        int status = ProducerFaults.status(cause);
        return status == HttpResponseStatus.SERVICE_UNAVAILABLE.code()
                ? lost()
                : new Refusal(status, String.valueOf(cause));
    }

    /** The highest partition that a record asks for; -1 where none does. */
    private static int highest(List<ProducerRecord<byte[], byte[]>> records) {
        int highest = -1;
        for (ProducerRecord<byte[], byte[]> record : records) {
            Integer partition = record.partition();
            highest = partition == null ? highest : Math.max(highest, partition);
        }
        return highest;
    }

    private static Refusal lost() {
        return new Refusal(HttpResponseStatus.SERVICE_UNAVAILABLE.code(), "the brokers do not answer");
    }

    @Override
    public void look(String path, Reply reply) {
        reply.answer(looked(path));
    }

    private FullHttpResponse looked(String path) {
        return switch (path) {
            case HttpHead.HEALTH -> counters.availability().lost() ? Answers.refused(lost()) : Answers.healthy();
            case COUNTERS -> Answers.text(counters.json(), "application/json");
            case METRICS -> Answers.text(counters.prometheus(), "text/plain; version=0.0.4; charset=utf-8");
            default -> throw new AssertionError(path);
        };
    }

    @Override
    public Refusal full() {
        return new Refusal(HttpResponseStatus.SERVICE_UNAVAILABLE.code(), "too many bytes wait for the brokers");
    }
}
