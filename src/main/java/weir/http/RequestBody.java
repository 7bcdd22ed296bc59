package weir.http;

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
    /** Bytes that were not kept. */
    private long skimmed;
    /** The reason why nothing of it is kept. */
    private @Nullable Refusal refusal;
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

    /** Keeps nothing of it for this reason; returns the bytes that were kept. */
    int refuse(Refusal why) {
        refusal = why;
        int kept = length;
        skimmed += kept;
        length = 0;
        bytes = NOTHING;
        return kept;
    }

    void skim(int more) {
        skimmed += more;
    }

    /** Null while it is kept. */
    @Nullable Refusal refusal() {
        return refusal;
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
