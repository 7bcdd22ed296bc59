package weir.feature.delivery;

import java.nio.charset.StandardCharsets;

/** The way out to one subscriber or dead letter sink. */
interface EventDestination {
    /** Tries once; calls {@code callback} on the thread of the caller, at once or later. */
    void send(CarriedEvent event, Callback callback);

    interface Callback {
        void ended(DeliveryAttempt outcome);
    }

    /**
     * The end of one try to deliver an event.
     *
     * @param status of the answer; {@link #LOST} or {@link #LATE} where there was none
     * @param retryAfter the header as it came; empty where there was none
     * @param body the beginning of what was answered, or why nothing was; empty for a success
     * @param outNanos when the request was about to be written; {@link CarriedEvent#NO_TIME} when it was not
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
