package weir.bridge.delivery;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
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
    private final FailedEvents failed;
    private final Timers timers;
    private final Dispatching listener;
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

    /** {@code concurrency}: requests to the subscriber at once, where there is no order. */
    Dispatcher(
            RetryPolicy retries,
            Order order,
            int concurrency,
            Outlet subscriber,
            Optional<Outlet> deadLetters,
            FailedEvents failed,
            Timers timers,
            Dispatching listener) {
        this.retries = retries;
        this.ordered = order == Order.PARTITION;
        this.most = ordered ? Integer.MAX_VALUE : concurrency;
        this.subscriber = subscriber;
        this.deadLetters = deadLetters;
        this.failed = failed;
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
            settle(event, Dispatching.Fate.DELIVERED, outcome);
        } else {
            int failures = event.fail();
            if (retries.again(failures, outcome)) {
                listener.retried(event);
                timers.after(retries.pauseNanos(failures, outcome), () -> {
                    again.add(event);
                    sendAll();
                });
            } else if (deadLetters.isPresent()) {
                event.park();
                park(event, failed.of(event.event(), outcome), deadLetters.get());
            } else {
                settle(event, Dispatching.Fate.DROPPED, outcome);
            }
        }
        sendAll();
    }

    private void park(HeldEvent event, CarriedEvent letter, Outlet sink) {
        sink.send(letter, outcome -> {
            if (outcome.success()) {
                settle(event, Dispatching.Fate.PARKED, outcome);
                sendAll();
                return;
            }
            int failures = event.fail();
            if (retries.again(failures, outcome)) {
                timers.after(retries.pauseNanos(failures, outcome), () -> park(event, letter, sink));
            } else {
                settle(event, Dispatching.Fate.DROPPED, outcome);
                sendAll();
            }
        });
    }

    private void settle(HeldEvent event, Dispatching.Fate fate, Outcome outcome) {
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
