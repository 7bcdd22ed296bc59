package weir.feature.delivery;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import weir.event.EventAttributes;
import weir.event.MalformedEvent;
import weir.feature.delivery.EventDestination.DeliveryAttempt;
import weir.feature.delivery.EventProcessFigures.Fact;
import weir.feature.delivery.PathSpec.Order;

/**
 * The dispatcher of events to one subscriber. In ordered delivery, at most one event of each partition is under way.
 * The dispatcher retries a rejected event after a pause, and finally sends the event to the dead letter sink. All calls
 * and timers run on one thread.
 */
final class Dispatcher {
    private static final int MOST_DATA = 1_024;
    /** The value of {@code knativeerrorcode} if the subscriber gave no answer. */
    private static final int NO_ANSWER = 500;

    private final RetryPolicy retries;
    private final boolean ordered;
    private final int most;
    private final EventDestination subscriber;
    private final Optional<EventDestination> deadLetters;
    private final String destination;
    private final Timers timers;
    private final Listener listener;
    /** Unsent events. With an order, only the first unsettled event of a partition can be in it. */
    private final ArrayDeque<HeldEvent> fresh = new ArrayDeque<>();
    /** Events after the pause before a retry, which leave before {@link #fresh} events because they are older. */
    private final ArrayDeque<HeldEvent> again = new ArrayDeque<>();

    private final Map<Integer, ArrayDeque<HeldEvent>> partitions = new HashMap<>();
    private int onTheWay;
    private long held;
    private boolean sending;

    interface Timers {
        void after(long nanos, Runnable what);
    }

    interface Listener {
        /** Reports the end of an event: DELIVERED, PARKED or DROPPED. */
        void settled(HeldEvent event, Fact fact, DeliveryAttempt outcome);

        void retried(HeldEvent event);
    }

    /** @param concurrency limit of simultaneous requests to the subscriber; unused if events have an order */
    Dispatcher(
            RetryPolicy retries,
            Order order,
            int concurrency,
            EventDestination subscriber,
            Optional<EventDestination> deadLetters,
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

    long held() {
        return held;
    }

    void add(HeldEvent event) {
        held++;
        if (ordered) {
            ArrayDeque<HeldEvent> partition = partitions.computeIfAbsent(event.partition, number -> new ArrayDeque<>());
            partition.add(event);
            if (partition.size() > 1) {
                return;
            }
        }
        fresh.add(event);
        sendAll();
    }

    /** Loops instead of recursing, because a destination may report success within the call. */
    private void sendAll() {
        if (sending) {
            return;
        }
        sending = true;
        while (onTheWay < most && !(again.isEmpty() && fresh.isEmpty())) {
            HeldEvent next = again.isEmpty() ? fresh.remove() : again.remove();
            onTheWay++;
            subscriber.send(next.event, outcome -> ended(next, outcome));
        }
        sending = false;
    }

    private void ended(HeldEvent event, DeliveryAttempt outcome) {
        onTheWay--;
        if (outcome.outNanos() != CarriedEvent.NO_TIME) {
            event.out(outcome.outNanos());
        }
        if (outcome.success()) {
            settle(event, Fact.DELIVERED, outcome);
        } else if (retries.again(++event.failures, outcome)) {
            listener.retried(event);
            timers.after(retries.pauseNanos(event.failures, outcome), () -> {
                again.add(event);
                sendAll();
            });
        } else if (deadLetters.isPresent()) {
            // The dead letter sink gets its own retries.
            event.failures = 0;
            park(event, letter(event.event, destination, outcome), deadLetters.get());
        } else {
            settle(event, Fact.DROPPED, outcome);
        }
        sendAll();
    }

    /** Adds Knative's attributes; {@code knativeerrordata} is the beginning of the last answer in base64. */
    static CarriedEvent letter(CarriedEvent event, String destination, DeliveryAttempt outcome) {
        EventAttributes attributes = new EventAttributes();
        try {
            attributes.copyFrom(event.lines());
            attributes.replace("knativeerrordest", destination);
            attributes.replace("knativeerrorcode", String.valueOf(outcome.status() > 0 ? outcome.status() : NO_ANSWER));
            String data = Base64.getEncoder().encodeToString(outcome.body());
            attributes.replace("knativeerrordata", data.substring(0, Math.min(data.length(), MOST_DATA)));
        } catch (MalformedEvent e) {
            throw new IllegalStateException("writing an event to the dead letter topic: " + e.getMessage(), e);
        }
        byte[] lines = Arrays.copyOf(attributes.lines(), attributes.length());
        return new CarriedEvent(lines, event.data(), event.dueNanos(), 1);
    }

    private void park(HeldEvent event, CarriedEvent letter, EventDestination sink) {
        sink.send(letter, outcome -> {
            if (outcome.success()) {
                settle(event, Fact.PARKED, outcome);
                sendAll();
            } else if (retries.again(++event.failures, outcome)) {
                timers.after(retries.pauseNanos(event.failures, outcome), () -> park(event, letter, sink));
            } else {
                settle(event, Fact.DROPPED, outcome);
                sendAll();
            }
        });
    }

    private void settle(HeldEvent event, Fact fact, DeliveryAttempt outcome) {
        held--;
        if (ordered) {
            ArrayDeque<HeldEvent> partition = partitions.getOrDefault(event.partition, new ArrayDeque<>());
            partition.remove();
            HeldEvent next = partition.peek();
            if (next != null) {
                fresh.add(next);
            }
        }
        listener.settled(event, fact, outcome);
    }

    /**
     * The rules for retries, by Knative's delivery specification.
     *
     * @param wall clock for dates in {@code Retry-After}
     */
    record RetryPolicy(PathSpec.RetrySpec spec, InstantSource wall) {
        private static final int TOO_MANY = 429;
        private static final int UNAVAILABLE = 503;
        /** Statuses below 500 after which a retry may succeed. */
        private static final Set<Integer> PASSING =
                Set.of(DeliveryAttempt.LOST, DeliveryAttempt.LATE, 404, 408, 409, TOO_MANY);

        private static final int MOST_DOUBLINGS = 30;

        boolean again(int failures, DeliveryAttempt outcome) {
            return failures <= spec.retry() && (outcome.status() >= 500 || PASSING.contains(outcome.status()));
        }

        long pauseNanos(int failures, DeliveryAttempt outcome) {
            return Math.max(backoff(failures), Math.min(retryAfter(outcome), nanos(spec.retryAfterMax())));
        }

        private long backoff(int failures) {
            long delay = nanos(spec.backoffDelay());
            long times = spec.backoffPolicy() == PathSpec.BackoffPolicy.LINEAR
                    ? failures
                    : 1L << Math.min(failures - 1, MOST_DOUBLINGS);
            return delay > Long.MAX_VALUE / times ? Long.MAX_VALUE : delay * times;
        }

        private static long nanos(Duration duration) {
            try {
                return duration.toNanos();
            } catch (ArithmeticException tooLong) {
                return Long.MAX_VALUE;
            }
        }

        /** Nanoseconds from seconds or a date (RFC 9110, 10.2.3); 0 for any other text. */
        private long retryAfter(DeliveryAttempt outcome) {
            String text = outcome.retryAfter();
            boolean heeded = outcome.status() == TOO_MANY || outcome.status() == UNAVAILABLE;
            if (!heeded || text.isEmpty() || spec.retryAfterMax().isZero()) {
                return 0;
            }
            try {
                return text.chars().allMatch(letter -> letter >= '0' && letter <= '9')
                        ? nanos(Duration.ofSeconds(Long.parseLong(text)))
                        : nanos(Duration.between(
                                wall.instant(),
                                ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                                        .toInstant()));
            } catch (DateTimeException | NumberFormatException | ArithmeticException unreadable) {
                return 0;
            }
        }
    }

    static final class HeldEvent {
        final CarriedEvent event;
        final int partition;
        final OffsetMark mark;
        final long beginNanos;
        long firstOutNanos = CarriedEvent.NO_TIME;

        int failures;

        /** The place of an event in its partition and its settled state. The object may outlive the event. */
        static final class OffsetMark {
            static final OffsetMark NONE = new OffsetMark(-1);

            final long offset;
            /** Written by the event loop, read by the thread that commits offsets. */
            volatile boolean settled;

            OffsetMark(long offset) {
                this.offset = offset;
            }
        }

        /**
         * @param partition partition of the topic; 0 without a topic
         * @param beginNanos time at which the event was queued or fetched
         */
        HeldEvent(CarriedEvent event, int partition, OffsetMark mark, long beginNanos) {
            this.event = event;
            this.partition = partition;
            this.mark = mark;
            this.beginNanos = beginNanos;
        }

        void out(long nanos) {
            if (firstOutNanos == CarriedEvent.NO_TIME) {
                firstOutNanos = nanos;
            }
        }
    }
}
