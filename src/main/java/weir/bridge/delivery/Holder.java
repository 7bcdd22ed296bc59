package weir.bridge.delivery;

import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import weir.http.Refusal;

/** The part of a rung that keeps events which it has accepted, and hands them on. */
interface Holder {
    long UNKNOWN = -1;

    /** A rung that keeps no event: it answers when the next process has answered. */
    Holder NONE = () -> 0;

    /** Events that the first subscriber is still to get, as it was a moment ago, without waiting. */
    long heldLately();

    /** The same, counted now; {@link #UNKNOWN} while that cannot be told. */
    default CompletionStage<Long> held() {
        return CompletableFuture.completedFuture(heldLately());
    }

    /** Why it does not work any more; empty when it does. */
    default String fault() {
        return "";
    }

    /** Hands on what it holds, until a time of the clock of the run. */
    default void drain(long deadlineNanos) {}

    static Refusal full() {
        return new Refusal(HttpResponseStatus.TOO_MANY_REQUESTS.code(), "there is no room for another event now");
    }
}
