package weir.bridge.delivery;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.Locale;
import java.util.function.LongSupplier;
import weir.bridge.http.Answers;
import weir.bridge.http.HttpHead;
import weir.bridge.http.Reply;
import weir.bridge.http.RequestBody;
import weir.bridge.http.RequestService;
import weir.event.MalformedEvent;
import weir.http.Refusal;
import weir.http.Resource;

/** The requests of a rung: events by POST, whatever the path, and questions how it is. */
final class EventRequests implements RequestService, RequestService.Task {
    private static final String HELD = "/held";
    private static final String COUNTERS = "/counters";
    private static final String METRICS = "/metrics";

    private final EventUse use;
    private final Holder holder;
    private final RungFigures figures;
    private final LongSupplier clock;
    private final FastThreadLocal<EventReader> readers = new FastThreadLocal<>() {
        @Override
        protected EventReader initialValue() {
            return new EventReader();
        }
    };

    EventRequests(EventUse use, Holder holder, RungFigures figures, LongSupplier clock) {
        this.use = use;
        this.holder = holder;
        this.figures = figures;
        this.clock = clock;
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
        long in = clock.getAsLong();
        EventReader reader = readers.get();
        try {
            byte[] data = reader.read(head.request().headers(), body.bytes());
            use.take(reader, data, body, reply, in);
        } catch (MalformedEvent e) {
            throw Refusal.bad(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void look(String path, Reply reply) {
        switch (path) {
            case HttpHead.HEALTH -> health(reply);
            case HELD ->
                holder.held().thenAccept(held -> reply.answer(Answers.json(HttpResponseStatus.OK, held(held))));
            case COUNTERS -> reply.answer(Answers.json(HttpResponseStatus.OK, counters()));
            case METRICS -> reply.answer(Answers.text(metrics(), "text/plain; version=0.0.4; charset=utf-8"));
            default -> throw new AssertionError(path);
        }
    }

    private void health(Reply reply) {
        String fault = holder.fault();
        reply.answer(
                fault.isEmpty()
                        ? Answers.healthy()
                        : Answers.refused(new Refusal(HttpResponseStatus.INTERNAL_SERVER_ERROR.code(), fault)));
    }

    private String held(long held) {
        return "{\"held\":" + held + ",\"parked\":" + figures.events(RungFigures.Fact.PARKED) + "}\n";
    }

    private String counters() {
        StringBuilder json = new StringBuilder("{");
        figures.counts((name, count) -> json.append(json.length() > 1 ? ",\"" : "\"")
                .append(name)
                .append("\":")
                .append((long) count));
        return json.append("}\n").toString();
    }

    /** The text format of Prometheus, version 0.0.4. */
    private String metrics() {
        StringBuilder text = new StringBuilder();
        figures.counts((name, count) -> {
            String full = "weir_" + name.replace('.', '_').toLowerCase(Locale.ROOT) + "_total";
            text.append("# TYPE ").append(full).append(" counter\n");
            text.append(full).append(' ').append((long) count).append('\n');
        });
        return text.toString();
    }

    @Override
    public Refusal full() {
        return Holder.full();
    }
}
