package weir.bridge.delivery;

import io.netty.channel.EventLoop;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import weir.bridge.http.Answers;
import weir.bridge.http.ByteBudget;
import weir.bridge.http.Reply;
import weir.bridge.http.RequestBody;
import weir.plan.DispatchSpec.EventFilter;

/** The trigger of a broker: hands on the events that its subscriber wants. */
final class Filter implements EventUse {
    private final NextHop next;
    private final EventFilter filter;
    private final ByteBudget budget;
    private final RungFigures figures;
    private final LongSupplier clock;
    private final Map<EventLoop, EventPredicate> predicates = new ConcurrentHashMap<>();

    Filter(NextHop next, EventFilter filter, ByteBudget budget, RungFigures figures, LongSupplier clock) {
        this.next = next;
        this.filter = filter;
        this.budget = budget;
        this.figures = figures;
        this.clock = clock;
    }

    @Override
    public void take(EventReader reader, byte[] data, RequestBody body, Reply reply, long inNanos) {
        boolean wanted = predicates
                .computeIfAbsent(reply.loop(), loop -> new EventPredicate(filter))
                .test(reader.attributes());
        long tested = clock.getAsLong();
        if (wanted) {
            CarriedEvent event = reader.event(data, 1);
            figures.took(RungFigures.Part.FILTERING, event, tested - inNanos);
            next.send(event, body, reply, inNanos, tested);
        } else {
            budget.giveBack(body.length());
            figures.count(RungFigures.Fact.FILTERED);
            reply.answer(Answers.queued());
        }
    }
}
