package weir.feature.delivery;

import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import weir.http.Refusal;

/** The part of an event process that stores accepted events and sends them to the subscribers. */
interface EventBuffer {
    long UNKNOWN = -1;

    /** The buffer of a process that stores no event, because it answers after the next process. */
    EventBuffer NONE = () -> 0;

    /** The last known number of unsettled events of the first subscriber, without a query. */
    long heldLately();

    /** Returns the current number of unsettled events; {@link #UNKNOWN} if the brokers do not answer. */
    default CompletionStage<Long> held() {
        return CompletableFuture.completedFuture(heldLately());
    }

    /** Returns the reason why the buffer stopped working; empty while the buffer works. */
    default String fault() {
        return "";
    }

    default void drain(long deadlineNanos) {}

    static Refusal full() {
        return new Refusal(HttpResponseStatus.TOO_MANY_REQUESTS, "the memory for events is full");
    }
}
