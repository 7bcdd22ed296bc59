package weir.feature.delivery;

import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** The connection to one subscriber or dead letter sink. */
interface EventDestination {
    /** Sends the event once. Calls {@code callback} on the caller's thread, during this call or later. */
    void send(CarriedEvent event, Consumer<DeliveryAttempt> callback);

    /**
     * The result of one attempt to deliver an event.
     *
     * @param status HTTP status of the answer; {@link #LOST} or {@link #LATE} without an answer
     * @param retryAfter value of the header {@code Retry-After}; empty without the header
     * @param body start of the answer, or the reason why there is no answer; empty after a success
     * @param outNanos time just before the request was written; {@link CarriedEvent#NO_TIME} if no request was written
     */
    @SuppressWarnings("ArrayRecordComponent")
    record DeliveryAttempt(int status, String retryAfter, byte[] body, long outNanos) {
        static final int LOST = 0;

        static final int LATE = -1;

        private static final byte[] NOTHING = {};

        static DeliveryAttempt answered(int status, long outNanos) {
            return new DeliveryAttempt(status, "", NOTHING, outNanos);
        }

        static DeliveryAttempt none(int status, String why, long outNanos) {
            return new DeliveryAttempt(status, "", why.getBytes(StandardCharsets.UTF_8), outNanos);
        }

        boolean success() {
            return status >= 200 && status < 300;
        }
    }
}
