package weir.bridge.delivery;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import weir.bridge.delivery.Outlet.Outcome;
import weir.plan.DispatchSpec.Order;

/**
 * Hands events on to one subscriber: in the order of each partition or several at once, again after a pause, and to the dead
 * letter sink in the end. It knows neither threads nor a clock; all calls come on one thread, those of its timers, too.
 */
final class Dispatcher {
    private final RetryPolicy retries;
    private final boolean ordered;
    private final int most;
    private final Outlet subscriber;
    private final Optional<Outlet> deadLetters;
    private final String destination;
    private final Timers timers;
    private final Listener listener;
    /** Events that have had no try, those of a partition only when they are its first. */
    private final ArrayDeque<HeldEvent> fresh = new ArrayDeque<>();
    /** Events whose pause is over. They go first: they are the oldest. */
    private final ArrayDeque<HeldEvent> again = new ArrayDeque<>();
    /** All events of each partition, where there is an order. */
    private final Map<Integer, ArrayDeque<HeldEvent>> partitions = new HashMap<>();

    private int onTheWay;
    private long held;
    private boolean sending;

    /** Calls after so many nanoseconds, on the thread of the dispatcher. */
    interface Timers {
        void after(long nanos, Runnable what);
    }

    /** Hears what becomes of the events of one dispatcher. */
    interface Listener {
        /** The last that is heard of an event. */
        void settled(HeldEvent event, Fate fate, Outcome outcome);

        /** It is tried again, later. */
        void retried(HeldEvent event);

        enum Fate {
            DELIVERED,
            /** The dead letter sink has it. */
            PARKED,
            /** Neither the subscriber nor a dead letter sink took it. */
            DROPPED
        }
    }

    /**
     * @param concurrency requests to the subscriber at once, where there is no order
     * @param destination the subscriber as dead letters name it
     */
    Dispatcher(
            RetryPolicy retries,
            Order order,
            int concurrency,
            Outlet subscriber,
            Optional<Outlet> deadLetters,
            String destination,
            Timers timers,
            Listener listener) {
        this.retries = retries;
        this.ordered = order == Order.PARTITION;
        this.most = ordered ? Integer.MAX_VALUE : concurrency;
        this.subscriber = subscriber;
        this.deadLetters = deadLetters;
        this.destination = destination;
        this.timers = timers;
        this.listener = listener;
    }

    /** Events that are not settled. */
    long held() {
        return held;
    }

    void add(HeldEvent event) {
        held++;
        if (ordered) {
            ArrayDeque<HeldEvent> partition =
                    partitions.computeIfAbsent(event.partition(), number -> new ArrayDeque<>());
            partition.add(event);
            if (partition.size() > 1) {
                return;
            }
        }
        fresh.add(event);
        sendAll();
    }

    /** An outlet may tell at once how it went: a loop, so that no success calls the next one. */
    private void sendAll() {
        if (sending) {
            return;
        }
        sending = true;
        while (onTheWay < most && !(again.isEmpty() && fresh.isEmpty())) {
            HeldEvent next = again.isEmpty() ? fresh.remove() : again.remove();
            onTheWay++;
            subscriber.send(next.event(), outcome -> heard(next, outcome));
        }
        sending = false;
    }

    private void heard(HeldEvent event, Outcome outcome) {
        onTheWay--;
        if (outcome.outNanos() != CarriedEvent.NO_TIME) {
            event.out(outcome.outNanos());
        }
        if (outcome.success()) {
            settle(event, Listener.Fate.DELIVERED, outcome);
        } else if (retries.again(++event.failures, outcome)) {
            listener.retried(event);
            timers.after(retries.pauseNanos(event.failures, outcome), () -> {
                again.add(event);
                sendAll();
            });
        } else if (deadLetters.isPresent()) {
            // The dead letter sink has tries of its own.
            event.failures = 0;
            park(event, DeadLetterWriter.letter(event.event(), destination, outcome), deadLetters.get());
        } else {
            settle(event, Listener.Fate.DROPPED, outcome);
        }
        sendAll();
    }

    private void park(HeldEvent event, CarriedEvent letter, Outlet sink) {
        sink.send(letter, outcome -> {
            if (outcome.success()) {
                settle(event, Listener.Fate.PARKED, outcome);
                sendAll();
            } else if (retries.again(++event.failures, outcome)) {
                timers.after(retries.pauseNanos(event.failures, outcome), () -> park(event, letter, sink));
            } else {
                settle(event, Listener.Fate.DROPPED, outcome);
                sendAll();
            }
        });
    }

    private void settle(HeldEvent event, Listener.Fate fate, Outcome outcome) {
        held--;
        if (ordered) {
            ArrayDeque<HeldEvent> partition = partitions.getOrDefault(event.partition(), new ArrayDeque<>());
            partition.remove();
            HeldEvent next = partition.peek();
            if (next != null) {
                fresh.add(next);
            }
        }
        listener.settled(event, fate, outcome);
    }
}
