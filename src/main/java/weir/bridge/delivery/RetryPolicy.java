package weir.bridge.delivery;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Set;
import weir.bridge.delivery.Outlet.Outcome;
import weir.plan.DispatchSpec;

/** The tries of an event that a subscriber does not take, as Knative's delivery specification has them. */
final class RetryPolicy {
    private static final int TOO_MANY = 429;
    private static final int UNAVAILABLE = 503;
    /** Failures that may be over by the next try, beside those of the server. */
    private static final Set<Integer> PASSING = Set.of(Outcome.LOST, Outcome.LATE, 404, 408, 409, TOO_MANY);
    /** Beyond it a doubled pause does not fit. */
    private static final int MOST_DOUBLINGS = 30;

    private final DispatchSpec.RetrySpec spec;
    private final InstantSource wall;

    /** {@code wall}: the clock by which servers name a date to come back at. */
    RetryPolicy(DispatchSpec.RetrySpec spec, InstantSource wall) {
        this.spec = spec;
        this.wall = wall;
    }

    /** True when an event is tried again that has failed so often. */
    boolean again(int failures, Outcome outcome) {
        return failures <= spec.retry() && (outcome.status() >= 500 || PASSING.contains(outcome.status()));
    }

    /** The pause before the next try: nanoseconds. */
    long pauseNanos(int failures, Outcome outcome) {
        return Math.max(backoff(failures), Math.min(retryAfter(outcome), nanos(spec.retryAfterMax())));
    }

    private long backoff(int failures) {
        long delay = nanos(spec.backoffDelay());
        long times = spec.backoffPolicy() == DispatchSpec.BackoffPolicy.LINEAR
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

    /** Seconds, or a date (RFC 9110, 10.2.3); nothing where it is neither. */
    private long retryAfter(Outcome outcome) {
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
