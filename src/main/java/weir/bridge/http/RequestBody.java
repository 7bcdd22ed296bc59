package weir.bridge.http;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** The body of a request while it comes. Its bytes are in the {@link ByteBudget} from their first on. */
public final class RequestBody {
    /** A client may announce more than it sends: memory is taken as it comes. */
    private static final int BEGIN = 64 << 10;

    private static final byte[] NOTHING = {};

    private final HttpHead head;
    private final RequestService.Task task;
    private byte[] bytes;
    private int length;
    /** Bytes that were left unread, as there was no room for them. */
    private long skimmed;
    /** Fires when it takes too long. */
    private @Nullable Future<?> timeout;

    RequestBody(HttpHead head, RequestService.Task task) {
        this.head = head;
        this.task = task;
        this.bytes = new byte[(int) Math.min(Math.max(head.length(), 0), BEGIN)];
    }

    HttpHead head() {
        return head;
    }

    RequestService.Task task() {
        return task;
    }

    /** Bytes that are in the budget. */
    public int length() {
        return length;
    }

    /** All that has come, kept or not. */
    long arrived() {
        return length + skimmed;
    }

    void append(ByteBuf content) {
        int more = content.readableBytes();
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(length + more, 2 * bytes.length));
        }
        content.getBytes(content.readerIndex(), bytes, length, more);
        length += more;
    }

    /** Keeps nothing of it, neither so many bytes more nor what has come before; returns the bytes that were kept. */
    int skim(int more) {
        int kept = length;
        skimmed += (long) kept + more;
        length = 0;
        bytes = NOTHING;
        return kept;
    }

    boolean skimmed() {
        return skimmed > 0;
    }

    /** The whole of it, exactly. */
    @SuppressWarnings("EI_EXPOSE_REP")
    public byte[] bytes() {
        return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
    }

    boolean timed() {
        return timeout != null;
    }

    void time(Future<?> pending) {
        timeout = pending;
    }

    void cancelTimeout() {
        Future<?> pending = timeout;
        if (pending != null) {
            pending.cancel(false);
        }
    }
}
