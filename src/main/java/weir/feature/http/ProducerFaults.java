package weir.feature.http;

import io.netty.handler.codec.http.HttpResponseStatus;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/** The mapping from a producer's exceptions to HTTP statuses. */
public final class ProducerFaults {
    private ProducerFaults() {}

    public static HttpResponseStatus status(@Nullable Throwable fault) {
        if (fault == null) {
            return HttpResponseStatus.OK;
        }
        if (fault instanceof RecordTooLargeException) {
            return HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE;
        }
        if (fault instanceof AuthorizationException) {
            return HttpResponseStatus.FORBIDDEN;
        }
        if (fault instanceof InvalidTopicException || fault instanceof UnknownTopicOrPartitionException) {
            return HttpResponseStatus.NOT_FOUND;
        }
        if (fault instanceof IllegalArgumentException) {
            return HttpResponseStatus.BAD_REQUEST;
        }
        // A closed producer fails open records with a plain KafkaException.
        boolean unsettled = fault instanceof RetriableException || fault.getClass() == KafkaException.class;
        return unsettled ? HttpResponseStatus.SERVICE_UNAVAILABLE : HttpResponseStatus.INTERNAL_SERVER_ERROR;
    }
}
