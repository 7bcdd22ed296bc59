package weir.feature.delivery;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import weir.event.MalformedEvent;
import weir.feature.delivery.EventProcessFigures.Fact;
import weir.http.Answers;
import weir.http.HttpHead;
import weir.http.Refusal;
import weir.http.RequestService;
import weir.http.RequestService.Reply;
import weir.http.RequestService.RequestBody;
import weir.http.RequestService.Task;
import weir.http.Resource;

/** The requests of an event process: events by POST on any path, and queries of the process's state. */
final class EventRequests implements RequestService, RequestService.Task {
    private static final String HELD = "/held";
    private static final String COUNTERS = "/counters";
    private static final String METRICS = "/metrics";

    private final EventProcessContext context;
    private final EventUse use;
    private final FastThreadLocal<EventCodec> codecs = new FastThreadLocal<>() {
        @Override
        protected EventCodec initialValue() {
            return new EventCodec();
        }
    };

    /** The part of an event process that takes accepted events, and stores them or sends them at once. */
    interface EventUse {
        long UNKNOWN = -1;

        /** Handles the last event of {@code codec}. Its body counts in the budget until the event is done. */
        void take(EventCodec codec, byte[] data, RequestBody body, Reply reply, long inNanos)
                throws Refusal, MalformedEvent;

        /** The last known number of unsettled events of the first subscriber, without a query. */
        default long heldLately() {
            return 0;
        }

        /** Returns the current number of unsettled events; {@link #UNKNOWN} if the brokers do not answer. */
        default CompletionStage<Long> held() {
            return CompletableFuture.completedFuture(heldLately());
        }

        /** Returns the reason why this part stopped working; empty while it works. */
        default String fault() {
            return "";
        }

        default void drain(long deadlineNanos) {}
    }

    EventRequests(EventProcessContext context, EventUse use) {
        this.context = context;
        this.use = use;
    }

    @Override
    public Resource resource(String path) {
        return switch (path) {
            case HttpHead.HEALTH -> Resource.LOOK_WITH_ANY_QUERY;
            case HELD, COUNTERS, METRICS -> Resource.LOOK;
            default -> Resource.EVENTS;
        };
    }

    @Override
    public Task begin(HttpHead head) {
        return this;
    }

    @Override
    public void carryOut(HttpHead head, RequestBody body, Reply reply) throws Refusal {
        long in = context.now();
        EventCodec codec = codecs.get();
        try {
            use.take(codec, codec.read(head.request().headers(), body.bytes()), body, reply, in);
        } catch (MalformedEvent e) {
            throw Refusal.bad(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void answerQuery(HttpHead head, Reply reply) {
        switch (head.path()) {
            case HttpHead.HEALTH -> health(reply);
            case HELD ->
                use.held()
                        .thenAccept(held -> reply.answer(Answers.counters(new TreeMap<>(
                                Map.of("held", held, "parked", context.figures().events(Fact.PARKED))))));
            case COUNTERS -> reply.answer(Answers.counters(counts()));
            case METRICS -> reply.answer(Answers.metrics("weir_", counts()));
            default -> throw new AssertionError(head);
        }
    }

    private void health(Reply reply) {
        String fault = use.fault();
        reply.answer(
                fault.isEmpty()
                        ? Answers.healthy()
                        : Answers.refused(new Refusal(HttpResponseStatus.INTERNAL_SERVER_ERROR, fault)));
    }

    private Map<String, Long> counts() {
        Map<String, Long> counts = new LinkedHashMap<>();
        context.figures().counts((name, count) -> counts.put(name, (long) count));
        return counts;
    }

    @Override
    public Refusal full() {
        return memoryFull();
    }

    static Refusal memoryFull() {
        return new Refusal(HttpResponseStatus.TOO_MANY_REQUESTS, "the memory for events is full");
    }
}
