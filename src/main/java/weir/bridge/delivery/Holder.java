package weir.bridge.delivery;

import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import weir.http.Refusal;

/** The part of a rung that keeps events which it has accepted, and hands them on. */
interface Holder extends AutoCloseable {
    /** In the place of a count that is not known. */
    long UNKNOWN = -1;

    /** A rung that keeps none: it answers when it was answered. */
    Holder NONE = new Holder() {
        @Override
        public CompletionStage<Long> held() {
            return CompletableFuture.completedFuture(0L);
        }

        @Override
        public long heldLately() {
            return 0;
        }

        @Override
        public String fault() {
            return "";
        }

        @Override
        public void drain(long deadlineNanos) {}

        @Override
        public void close() {}
    };

    /** Events that the first subscriber is still to get, counted now; {@link #UNKNOWN} while that cannot be told. */
    CompletionStage<Long> held();

    /** The same as it was a moment ago, without waiting. */
    long heldLately();

    /** Why it does not work any more; empty when it does. */
    String fault();

    /** Hands on what it holds, until a time of the clock of the run. */
    void drain(long deadlineNanos);

    @Override
    void close();

    static Refusal full() {
        return new Refusal(HttpResponseStatus.TOO_MANY_REQUESTS.code(), "there is no room for another event now");
    }
}
