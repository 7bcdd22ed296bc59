package weir.bridge;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** The body of a request while it comes. Its bytes are in the {@link ByteBudget} from their first on. */
final class RequestBody {
    /** A client may announce more than it sends: memory is taken as it comes. */
    private static final int BEGIN = 64 << 10;

    private final HttpHead head;
    private byte[] bytes;
    private int length;
    /** Fires when it takes too long. */
    private @Nullable Future<?> timeout;

    RequestBody(HttpHead head) {
        this.head = head;
        this.bytes = new byte[(int) Math.min(Math.max(head.length(), 0), BEGIN)];
    }

    HttpHead head() {
        return head;
    }

    int length() {
        return length;
    }

    void append(ByteBuf content) {
        int more = content.readableBytes();
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(length + more, 2 * bytes.length));
        }
        content.getBytes(content.readerIndex(), bytes, length, more);
        length += more;
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

    /** At most so many. */
    List<ProducerRecord<byte[], byte[]>> records(int most) throws Refusal {
        byte[] body = length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
        String key = head.key();
        List<ProducerRecord<byte[], byte[]>> records = head.format()
                .records(head.topic(), key == null ? null : key.getBytes(StandardCharsets.UTF_8), body, most);
        RecordHeaders.copy(head.request().headers(), records);
        return records;
    }
}
