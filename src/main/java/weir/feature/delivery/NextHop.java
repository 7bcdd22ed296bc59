package weir.feature.delivery;

import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntBinaryOperator;
import java.util.function.Predicate;
import weir.event.EventAttributes;
import weir.feature.delivery.EventDestination.DeliveryAttempt;
import weir.feature.delivery.EventProcessFigures.Checkpoint;
import weir.feature.delivery.EventProcessFigures.Fact;
import weir.feature.delivery.EventProcessFigures.Part;
import weir.feature.delivery.EventRequests.EventUse;
import weir.feature.delivery.PathSpec.EventFilter;
import weir.http.Answers;
import weir.http.HttpTarget;
import weir.http.Refusal;
import weir.http.RequestService.Reply;
import weir.http.RequestService.RequestBody;

/**
 * The connections of an event process to the next process on the path. The process answers an event only after the next
 * process has answered. Each event loop has its own connections.
 */
final class NextHop {
    private static final String TTL = "weirttl";

    private final EventProcessContext context;
    private final HttpTarget target;
    private final Map<EventLoop, EventConnections> connections = new ConcurrentHashMap<>();

    NextHop(EventProcessContext context) {
        this.context = context;
        this.target = HttpTarget.of(context.settings().next().get(0)).get(0);
    }

    /** The ingress of a broker, which counts the remaining brokers of an event to end loops. */
    EventUse ingress() {
        String first = String.valueOf(context.dispatch().ttl());
        return (codec, data, body, reply, in) -> {
            EventAttributes attributes = codec.attributes();
            String before = attributes.value(TTL);
            if (before == null) {
                attributes.set(TTL, first);
            } else {
                attributes.replace(TTL, String.valueOf(left(before) - 1));
            }
            CarriedEvent event = codec.event(data, 1);
            long ready = context.now();
            context.figures().took(Part.ACCEPTING, event.dueNanos(), ready - in);
            send(event, body, reply, in, ready);
        };
    }

    private static int left(String ttl) throws Refusal {
        try {
            int left = Integer.parseInt(ttl);
            if (left > 0) {
                return left;
            }
        } catch (NumberFormatException e) {
            throw Refusal.bad("the attribute '" + TTL + "' must be a number, found '" + ttl + "'");
        }
        throw Refusal.bad("the event has passed too many brokers: its '" + TTL + "' is " + ttl);
    }

    EventUse filter() {
        Predicate<EventAttributes> wanted =
                predicate(new EventFilter.All(context.dispatch().filters()));
        return (codec, data, body, reply, in) -> {
            boolean passes = wanted.test(codec.attributes());
            long tested = context.now();
            if (passes) {
                CarriedEvent event = codec.event(data, 1);
                context.figures().took(Part.FILTERING, event.dueNanos(), tested - in);
                send(event, body, reply, in, tested);
            } else {
                context.budget().release(body.length());
                context.figures().count(Fact.FILTERED);
                reply.answer(Answers.queued());
            }
        };
    }

    /** {@code readyNanos} is the time at which the event was ready to send. */
    private void send(CarriedEvent event, RequestBody body, Reply reply, long inNanos, long readyNanos) {
        EventConnections all = connections.computeIfAbsent(
                reply.loop(), loop -> new EventConnections(target, loop, EventConnections.MANY, context));
        all.send(event, outcome -> {
            context.budget().release(body.length());
            if (outcome.success()) {
                EventProcessFigures figures = context.figures();
                long due = event.dueNanos();
                long out = outcome.outNanos();
                figures.count(Fact.ACCEPTED);
                figures.age(Checkpoint.IN, due, inNanos);
                figures.delivered(due, readyNanos, out, out, context.now());
            } else {
                context.server().count(outcome.status());
            }
            reply.answer(answer(outcome));
        });
    }

    private static FullHttpResponse answer(DeliveryAttempt outcome) {
        if (outcome.success()) {
            return Answers.queued();
        }
        return switch (outcome.status()) {
            case DeliveryAttempt.LOST ->
                Answers.passedOn(HttpResponseStatus.SERVICE_UNAVAILABLE.code(), "", outcome.body());
            case DeliveryAttempt.LATE ->
                Answers.passedOn(HttpResponseStatus.GATEWAY_TIMEOUT.code(), "", outcome.body());
            default -> Answers.passedOn(outcome.status(), outcome.retryAfter(), outcome.body());
        };
    }

    /** Compiles a filter for events. */
    static Predicate<EventAttributes> predicate(EventFilter filter) {
        if (filter instanceof EventFilter.Exact exact) {
            return values(exact.exact(), (length, wanted) -> length == wanted ? 0 : -1);
        }
        if (filter instanceof EventFilter.Prefix prefix) {
            return values(prefix.prefix(), (length, wanted) -> length >= wanted ? 0 : -1);
        }
        if (filter instanceof EventFilter.Suffix suffix) {
            return values(suffix.suffix(), (length, wanted) -> length - wanted);
        }
        if (filter instanceof EventFilter.All all) {
            return all.all().stream().map(NextHop::predicate).reduce(event -> true, Predicate::and);
        }
        if (filter instanceof EventFilter.Any any) {
            return any.any().stream().map(NextHop::predicate).reduce(event -> false, Predicate::or);
        }
        if (filter instanceof EventFilter.Not not) {
            return predicate(not.not()).negate();
        }
        throw new AssertionError("unknown filter: " + filter);
    }

    /** {@code start} is that of the wanted bytes, from the lengths of the value and of the wanted bytes. */
    private static Predicate<EventAttributes> values(Map<String, String> wanted, IntBinaryOperator start) {
        Predicate<EventAttributes> all = event -> true;
        for (Map.Entry<String, String> each : wanted.entrySet()) {
            byte[] value = each.getValue().getBytes(StandardCharsets.UTF_8);
            all = all.and(event -> event.has(each.getKey(), value, start));
        }
        return all;
    }
}
