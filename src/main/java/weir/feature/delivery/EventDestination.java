package weir.feature.delivery;

import java.nio.charset.StandardCharsets;

/** The connection to one subscriber or dead letter sink. */
interface EventDestination {
    /** Sends once; calls {@code callback} on the caller's thread, at once or later. */
    void send(CarriedEvent event, Callback callback);

    interface Callback {
        void ended(DeliveryAttempt outcome);
    }

    /**
     * The result of one attempt to deliver an event.
     *
     * @param status of the answer; {@link #LOST} or {@link #LATE} without one
     * @param retryAfter value of the header; empty without one
     * @param body beginning of the answer, or the reason for none; empty after a success
     * @param outNanos when the request was about to be written; {@link CarriedEvent#NO_TIME} if it was not
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
