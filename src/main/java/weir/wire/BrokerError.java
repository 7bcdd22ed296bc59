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

    public boolean is(Errors known) {
        return code == known.code();
    }
}
