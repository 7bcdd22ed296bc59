package weir.bridge.delivery;

import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import weir.bridge.http.Answers;
import weir.bridge.http.ByteBudget;
import weir.bridge.http.Reply;
import weir.bridge.http.RequestBody;
import weir.bridge.http.ServerCounters;

/** Hands events on while whoever sent them waits, and answers what was answered. On each event loop it has connections of its own. */
final class NextHop {
    /** Connections of one event loop: more requests at once than these wait for each other. */
    private static final int CONNECTIONS = 256;

    private final EventTarget target;
    private final Duration timeout;
    private final ByteBudget budget;
    private final ServerCounters server;
    private final RungFigures figures;
    private final LongSupplier clock;
    private final Map<EventLoop, EventConnections> ways = new ConcurrentHashMap<>();

    NextHop(
            EventTarget target,
            Duration timeout,
            ByteBudget budget,
            ServerCounters server,
            RungFigures figures,
            LongSupplier clock) {
        this.target = target;
        this.timeout = timeout;
        this.budget = budget;
        this.server = server;
        this.figures = figures;
        this.clock = clock;
    }

    /** {@code readyNanos}: when there was nothing more to do but to send it. */
    void send(CarriedEvent event, RequestBody body, Reply reply, long inNanos, long readyNanos) {
        ways.computeIfAbsent(reply.loop(), this::way).send(event, outcome -> {
            budget.giveBack(body.length());
            if (outcome.success()) {
                delivered(event, outcome, inNanos, readyNanos);
            } else {
                server.count(outcome.status());
            }
            reply.answer(answer(outcome));
        });
    }

    private EventConnections way(EventLoop loop) {
        return new EventConnections(target, loop, CONNECTIONS, timeout, clock);
    }

    private void delivered(CarriedEvent event, Outcome outcome, long inNanos, long readyNanos) {
        long now = clock.getAsLong();
        figures.age(RungFigures.Checkpoint.IN, event, inNanos);
        figures.age(RungFigures.Checkpoint.OUT, event, outcome.outNanos());
        figures.age(RungFigures.Checkpoint.ANSWERED, event, now);
        figures.took(RungFigures.Part.WAITING, event, outcome.outNanos() - readyNanos);
        figures.took(RungFigures.Part.DELIVERING, event, now - outcome.outNanos());
        figures.count(RungFigures.Fact.ACCEPTED);
        figures.count(RungFigures.Fact.DELIVERED);
    }

    private static FullHttpResponse answer(Outcome outcome) {
        if (outcome.success()) {
            return Answers.queued();
        }
        return switch (outcome.status()) {
            case Outcome.LOST -> Answers.passedOn(HttpResponseStatus.SERVICE_UNAVAILABLE.code(), "", outcome.body());
            case Outcome.LATE -> Answers.passedOn(HttpResponseStatus.GATEWAY_TIMEOUT.code(), "", outcome.body());
            default -> Answers.passedOn(outcome.status(), outcome.retryAfter(), outcome.body());
        };
    }
}
