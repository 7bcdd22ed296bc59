package weir.load.wire;

import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.CompressionType;

/**
 * The settings of a producer, from the client's properties.
 *
 * @param acks the value of the property; -1 is {@code all}
 * @param lingerNanos the time after which a batch is sent even if it is not full
 * @param inFlight the limit of requests in flight on one connection, and of batches in flight to one partition
 */
record ProducerSettings(
        String clientId,
        short acks,
        boolean idempotent,
        int batchBytes,
        long lingerNanos,
        int inFlight,
        int requestBytes,
        long requestNanos,
        long deliveryNanos,
        long backoffNanos,
        long longestBackoffNanos,
        int retries,
        Compression compression) {
    /** The number of batches of an idempotent producer that a broker remembers, which limits batches in flight. */
    private static final int REMEMBERED = 5;

    ProducerSettings {
        if (idempotent && (acks != -1 || inFlight > REMEMBERED || retries == 0)) {
            throw new IllegalArgumentException("enable.idempotence requires acks: all, retries above 0 and at most "
                    + REMEMBERED + " max.in.flight.requests.per.connection, found acks " + acks + ", " + retries
                    + " and "
                    + inFlight);
        }
    }

    boolean compressed() {
        return compression.type() != CompressionType.NONE;
    }
}
