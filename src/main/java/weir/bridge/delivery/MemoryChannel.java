package weir.bridge.delivery;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import weir.bridge.http.Answers;
import weir.bridge.http.ByteBudget;
import weir.bridge.http.Reply;
import weir.bridge.http.RequestBody;
import weir.http.Refusal;

/** A channel that keeps whole events in memory until all its subscribers have them. */
final class MemoryChannel implements EventUse, Holder {
    private static final long GLANCE_NANOS = 1_000_000;

    private final ByteBudget budget;
    private final RungFigures figures;
    private final LongSupplier clock;
    private final List<SubscriberQueue> queues = new ArrayList<>();
    /** Events that a subscriber is to get, and that it has got: of the first one, and of all together. */
    private final LongAdder accepted = new LongAdder();

    private final LongAdder settled = new LongAdder();
    private final LongAdder handed = new LongAdder();
    private final LongAdder done = new LongAdder();

    MemoryChannel(
            Subscribers subscribers,
            Optional<? extends Subscribers.LoopOutlet> deadLetters,
            ByteBudget budget,
            RungFigures figures,
            LongSupplier clock) {
        this.budget = budget;
        this.figures = figures;
        this.clock = clock;
        DispatchFigures first = new DispatchFigures(figures, false, clock);
        for (int i = 0; i < subscribers.count(); i++) {
            queues.add(subscribers.queue(i, deadLetters, i == 0 ? new First(first) : new Other()));
        }
    }

    private class Other implements Dispatching {
        @Override
        public void settled(HeldEvent event, Fate fate, Outcome outcome) {
            if (event.event().release()) {
                budget.giveBack(event.event().size());
            }
            done.increment();
        }

        @Override
        public void retried(HeldEvent event) {}
    }

    private final class First extends Other {
        private final Dispatching listener;

        First(Dispatching listener) {
            this.listener = listener;
        }

        @Override
        public void settled(HeldEvent event, Fate fate, Outcome outcome) {
            listener.settled(event, fate, outcome);
            settled.increment();
            super.settled(event, fate, outcome);
        }

        @Override
        public void retried(HeldEvent event) {
            listener.retried(event);
        }
    }

    @Override
    public void take(EventReader reader, byte[] data, RequestBody body, Reply reply, long inNanos) throws Refusal {
        CarriedEvent event = reader.event(data, queues.size());
        int more = event.size() - body.length();
        if (more < 0) {
            budget.giveBack(-more);
        } else if (!budget.take(more)) {
            throw Holder.full();
        }
        long now = clock.getAsLong();
        figures.count(RungFigures.Fact.ACCEPTED);
        figures.age(RungFigures.Checkpoint.IN, event, inNanos);
        figures.age(RungFigures.Checkpoint.HANDED, event, now);
        figures.took(RungFigures.Part.ACCEPTING, event, now - inNanos);
        accepted.increment();
        handed.add(queues.size());
        for (SubscriberQueue queue : queues) {
            queue.add(new HeldEvent(event, 0, OffsetMark.NONE, now));
        }
        reply.answer(Answers.queued());
    }

    @Override
    public CompletionStage<Long> held() {
        return CompletableFuture.completedFuture(heldLately());
    }

    @Override
    public long heldLately() {
        // In this order: an event that is accepted and settled in between must not make one less.
        long gone = settled.sum();
        return accepted.sum() - gone;
    }

    @Override
    public String fault() {
        return "";
    }

    @Override
    public void drain(long deadlineNanos) {
        while (done.sum() < handed.sum() && clock.getAsLong() < deadlineNanos) {
            LockSupport.parkNanos(GLANCE_NANOS);
        }
    }

    @Override
    public void close() {}
}
