package weir.feature.delivery;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import weir.feature.delivery.Dispatcher.HeldEvent;
import weir.feature.delivery.Dispatcher.HeldEvent.OffsetMark;
import weir.feature.delivery.EventRequests.EventUse;
import weir.feature.delivery.RungFigures.Checkpoint;
import weir.feature.delivery.RungFigures.Fact;
import weir.feature.delivery.RungFigures.Part;
import weir.http.Answers;
import weir.http.Refusal;
import weir.http.RequestService.Reply;
import weir.http.RequestService.RequestBody;

/** A channel that keeps whole events in memory until all its subscribers have them. */
final class MemoryChannel implements EventUse, Holder {
    private static final long GLANCE_NANOS = 1_000_000;

    private final RungContext rung;
    private final List<Subscribers.Queue> queues = new ArrayList<>();
    private final LongAdder accepted = new LongAdder();

    private final LongAdder settled = new LongAdder();
    private final LongAdder handed = new LongAdder();
    private final LongAdder done = new LongAdder();

    MemoryChannel(RungContext rung, Subscribers subscribers, Optional<DeadLetterWriter> deadLetters) {
        this.rung = rung;
        for (int i = 0; i < subscribers.count(); i++) {
            boolean first = i == 0;
            queues.add(subscribers.queue(i, deadLetters, false, event -> settle(event.event, first)));
        }
    }

    private void settle(CarriedEvent event, boolean first) {
        if (first) {
            settled.increment();
        }
        if (event.release()) {
            rung.budget().giveBack(event.size());
        }
        done.increment();
    }

    @Override
    public void take(EventCodec codec, byte[] data, RequestBody body, Reply reply, long inNanos) throws Refusal {
        CarriedEvent event = codec.event(data, queues.size());
        int more = event.size() - body.length();
        if (more < 0) {
            rung.budget().giveBack(-more);
        } else if (!rung.budget().take(more)) {
            throw Holder.full();
        }
        RungFigures figures = rung.figures();
        long now = rung.now();
        figures.count(Fact.ACCEPTED);
        figures.age(Checkpoint.IN, event.dueNanos(), inNanos);
        figures.age(Checkpoint.HANDED, event.dueNanos(), now);
        figures.took(Part.ACCEPTING, event.dueNanos(), now - inNanos);
        accepted.increment();
        handed.add(queues.size());
        for (Subscribers.Queue queue : queues) {
            queue.add(new HeldEvent(event, 0, OffsetMark.NONE, now));
        }
        reply.answer(Answers.queued());
    }

    @Override
    public long heldLately() {
        // In this order: an event that is accepted and settled in between must not make one less.
        long gone = settled.sum();
        return accepted.sum() - gone;
    }

    @Override
    public void drain(long deadlineNanos) {
        while (done.sum() < handed.sum() && rung.now() < deadlineNanos) {
            LockSupport.parkNanos(GLANCE_NANOS);
        }
    }
}
