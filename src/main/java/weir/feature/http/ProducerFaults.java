package weir.feature.http;

import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/** The mapping from a producer's exceptions to HTTP statuses. */
public final class ProducerFaults {
    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int TOO_LARGE = 413;
    private static final int BROKEN = 500;
    private static final int UNAVAILABLE = 503;

    private ProducerFaults() {}

    public static int status(@Nullable Throwable fault) {
        if (fault == null) {
            return OK;
        }
        if (fault instanceof RecordTooLargeException) {
            return TOO_LARGE;
        }
        if (fault instanceof AuthorizationException) {
            return FORBIDDEN;
        }
        if (fault instanceof InvalidTopicException || fault instanceof UnknownTopicOrPartitionException) {
            return NOT_FOUND;
        }
        if (fault instanceof IllegalArgumentException) {
            return BAD_REQUEST;
        }
        // A closed producer fails open records with a plain KafkaException.
        boolean unsettled = fault instanceof RetriableException || fault.getClass() == KafkaException.class;
        return unsettled ? UNAVAILABLE : BROKEN;
    }
}
