package weir.wire;

import org.apache.kafka.common.errors.InvalidMetadataException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.protocol.Errors;

/**
 * The error in a broker's answer.
 *
 * @param retriable true if the same request may succeed later
 * @param moved true if the request may succeed at another broker, because the known leader is outdated
 */
public record BrokerError(short code, String name, String message, boolean retriable, boolean moved) {
    public static final BrokerError NONE = of((short) 0);

    /** Brokers may report unknown errors, which are not retriable. */
    public static BrokerError of(short code) {
        Errors error = Errors.forCode(code);
        String name = error == Errors.UNKNOWN_SERVER_ERROR && code != error.code() ? "ERROR_" + code : error.name();
        return new BrokerError(
                code,
                name,
                error == Errors.NONE ? "" : error.message(),
                error.exception() instanceof RetriableException,
                error.exception() instanceof InvalidMetadataException);
    }

    public RuntimeException exception() {
        return Errors.forCode(code).exception(message);
    }

    public boolean none() {
        return code == 0;
    }

    public boolean is(Known known) {
        return code == known.code;
    }

    public enum Known {
        OFFSET_OUT_OF_RANGE(1),
        CORRUPT_MESSAGE(2),
        UNKNOWN_TOPIC_OR_PARTITION(3),
        NOT_LEADER_OR_FOLLOWER(6),
        MESSAGE_TOO_LARGE(10),
        OUT_OF_ORDER_SEQUENCE_NUMBER(45),
        DUPLICATE_SEQUENCE_NUMBER(46),
        INVALID_PRODUCER_EPOCH(47),
        UNKNOWN_PRODUCER_ID(59),
        FETCH_SESSION_ID_NOT_FOUND(70),
        INVALID_FETCH_SESSION_EPOCH(71),
        FENCED_LEADER_EPOCH(74),
        UNKNOWN_LEADER_EPOCH(75),
        FETCH_SESSION_TOPIC_ID_ERROR(106);

        private final short code;

        Known(int code) {
            this.code = (short) code;
        }
    }
}
