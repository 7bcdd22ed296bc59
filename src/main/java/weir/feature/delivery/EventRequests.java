package weir.feature.delivery;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.LinkedHashMap;
import java.util.Map;
import weir.event.MalformedEvent;
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
    private final EventBuffer holder;
    private final FastThreadLocal<EventCodec> codecs = new FastThreadLocal<>() {
        @Override
        protected EventCodec initialValue() {
            return new EventCodec();
        }
    };

    interface EventUse {
        /** Handles the last event of {@code codec}. Its body counts in the budget until the event is done. */
        void take(EventCodec codec, byte[] data, RequestBody body, Reply reply, long inNanos)
                throws Refusal, MalformedEvent;
    }

    EventRequests(EventProcessContext context, EventUse use, EventBuffer holder) {
        this.context = context;
        this.use = use;
        this.holder = holder;
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
                holder.held().thenAccept(held -> reply.answer(Answers.json(HttpResponseStatus.OK, held(held))));
            case COUNTERS -> reply.answer(Answers.counters(counts()));
            case METRICS -> reply.answer(Answers.metrics("weir_", counts()));
            default -> throw new AssertionError(head);
        }
    }

    private void health(Reply reply) {
        String fault = holder.fault();
        reply.answer(
                fault.isEmpty()
                        ? Answers.healthy()
                        : Answers.refused(new Refusal(HttpResponseStatus.INTERNAL_SERVER_ERROR, fault)));
    }

    private String held(long held) {
        return "{\"held\":" + held + ",\"parked\":" + context.figures().events(EventProcessFigures.Fact.PARKED) + "}\n";
    }

    private Map<String, Long> counts() {
        Map<String, Long> counts = new LinkedHashMap<>();
        context.figures().counts((name, count) -> counts.put(name, (long) count));
        return counts;
    }

    @Override
    public Refusal full() {
        return EventBuffer.full();
    }
}
