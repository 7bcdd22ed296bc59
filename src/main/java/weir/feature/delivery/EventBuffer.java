package weir.feature.delivery;

import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import weir.http.Refusal;

/** The part of an event process that keeps accepted events and passes them on. */
interface EventBuffer {
    long UNKNOWN = -1;

    /** An event process that keeps no event: it answers when the next process has answered. */
    EventBuffer NONE = () -> 0;

    /** A recent count of events that the first subscriber is still to get; it never waits. */
    long heldLately();

    /** The same, counted now; {@link #UNKNOWN} while that is impossible. */
    default CompletionStage<Long> held() {
        return CompletableFuture.completedFuture(heldLately());
    }

    /** The reason why it does not work any more; empty while it works. */
    default String fault() {
        return "";
    }

    default void drain(long deadlineNanos) {}

    static Refusal full() {
        return new Refusal(HttpResponseStatus.TOO_MANY_REQUESTS.code(), "there is no room for another event now");
    }
}
