package weir.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A reader of the messages on one HTTP/1.1 connection (RFC 9112): either answers, or requests of trusted clients. The
 * reader accepts incomplete input and allocates no memory.
 */
public final class MessageReader {
    private static final byte[] VERSION = ascii("HTTP/1.");
    private static final byte[] CONTENT_LENGTH = ascii("content-length:");
    private static final byte[] TRANSFER_ENCODING = ascii("transfer-encoding:");
    private static final byte[] CONNECTION = ascii("connection:");
    private static final byte[] RETRY_AFTER = ascii("retry-after:");
    private static final byte[] CHUNKED = ascii("chunked");
    private static final byte[] CLOSE = ascii("close");
    private static final int LONGEST_LINE = 64 << 10;
    private static final long UNTIL_CLOSED = -1;

    private final HttpAnswer answer;
    private final boolean requests;
    private State state = State.START;
    private @Nullable ByteBuf rest;
    private boolean head;
    private long left;
    private boolean chunked;
    private int scanned;

    private enum State {
        START,
        HEADER,
        BODY,
        CHUNK_SIZE,
        CHUNK,
        CHUNK_END,
        TRAILER
    }

    public static final class Malformed extends Exception {
        private static final long serialVersionUID = 1;

        Malformed(String message) {
            super(message, null, false, false);
        }
    }

    private MessageReader(int keptBytes, boolean requests) {
        this.answer = new HttpAnswer(keptBytes);
        this.requests = requests;
    }

    public static MessageReader ofAnswers(int keptBytes) {
        return new MessageReader(keptBytes, false);
    }

    public static MessageReader ofRequests() {
        return new MessageReader(0, true);
    }

    /** A callback for a message, which is valid only during the call; false ends the reading. */
    public interface End {
        boolean ended() throws Malformed;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    HttpAnswer answer() {
        return answer;
    }

    public boolean head() {
        return head;
    }

    public boolean keepAlive() {
        return answer.keepAlive;
    }

    /** Reads and releases the bytes; keeps the bytes of an incomplete message. */
    public void read(ByteBuf received, ByteBufAllocator allocator, End end) throws Malformed {
        ByteBuf in = received;
        ByteBuf before = rest;
        if (before != null) {
            before.writeBytes(in);
            in.release();
            in = before;
            rest = null;
        }
        try {
            boolean more = true;
            while (more && read(in)) {
                more = end.ended();
            }
            if (more && in.isReadable()) {
                rest = allocator.buffer(in.readableBytes()).writeBytes(in);
            }
        } finally {
            in.release();
        }
    }

    public void release() {
        ReferenceCountUtil.release(rest);
        rest = null;
    }

    boolean read(ByteBuf in) throws Malformed {
        while (in.isReadable()) {
            switch (state) {
                case START, HEADER, CHUNK_SIZE, CHUNK_END, TRAILER -> {
                    int end = line(in);
                    if (end < 0) {
                        return false;
                    }
                    boolean done = line(in, in.readerIndex(), end);
                    in.readerIndex(end + 1);
                    if (done) {
                        return complete();
                    }
                }
                case BODY, CHUNK -> {
                    take(in);
                    if (left == 0 && state == State.CHUNK) {
                        state = State.CHUNK_END;
                    } else if (left == 0) {
                        return complete();
                    }
                }
            }
        }
        return false;
    }

    /** Handles the end of the connection; returns true if the end also ended an answer. */
    boolean closed() {
        return state == State.BODY && left == UNTIL_CLOSED && complete();
    }

    private boolean complete() {
        state = State.START;
        return true;
    }

    private int line(ByteBuf in) throws Malformed {
        int from = in.readerIndex() + scanned;
        int end = in.indexOf(from, in.writerIndex(), (byte) '\n');
        scanned = end < 0 ? in.readableBytes() : 0;
        if (scanned > LONGEST_LINE) {
            throw new Malformed("a line of an answer must be at most " + LONGEST_LINE + " bytes");
        }
        return end;
    }

    private boolean line(ByteBuf in, int from, int feed) throws Malformed {
        int to = feed > from && in.getByte(feed - 1) == '\r' ? feed - 1 : feed;
        switch (state) {
            case START -> {
                if (requests) {
                    request(in, from, to);
                } else {
                    status(in, from, to);
                }
                chunked = false;
                state = State.HEADER;
            }
            case HEADER -> {
                if (from < to) {
                    header(in, from, to);
                } else {
                    return headEnds();
                }
            }
            case CHUNK_SIZE -> {
                left = hexadecimal(in, from, to);
                state = left == 0 ? State.TRAILER : State.CHUNK;
            }
            case CHUNK_END -> state = State.CHUNK_SIZE;
            case TRAILER -> {
                return from == to;
            }
            case BODY, CHUNK -> throw new IllegalStateException("a body has no lines");
        }
        return false;
    }

    private void status(ByteBuf in, int from, int to) throws Malformed {
        int digits = from + VERSION.length + 2;
        if (to < digits + 3 || !matches(in, from, to, VERSION)) {
            throw new Malformed("the peer does not answer in HTTP/1.1: '"
                    + in.toString(from, Math.min(to - from, 40), StandardCharsets.US_ASCII) + "'");
        }
        answer.begin((int) decimal(in, digits, digits + 3));
        answer.keepAlive = in.getByte(digits - 2) != '0';
        left = UNTIL_CLOSED;
    }

    private void request(ByteBuf in, int from, int to) throws Malformed {
        if (to - from < VERSION.length) {
            throw new Malformed("a request has no version");
        }
        answer.begin(0);
        answer.keepAlive = in.getByte(to - 1) != '0';
        head = in.getByte(from) == 'H';
        left = 0;
    }

    private void header(ByteBuf in, int from, int to) throws Malformed {
        if (matches(in, from, to, CONTENT_LENGTH)) {
            left = decimal(in, from + CONTENT_LENGTH.length, to);
        } else if (matches(in, from, to, TRANSFER_ENCODING)) {
            chunked = matches(in, value(in, from + TRANSFER_ENCODING.length, to), to, CHUNKED);
        } else if (matches(in, from, to, CONNECTION)) {
            boolean close = matches(in, value(in, from + CONNECTION.length, to), to, CLOSE);
            // A client of HTTP/1.0 waits for the end of the connection, because no server of Weir keeps such a
            // connection open.
            answer.keepAlive = !close && (!requests || answer.keepAlive);
        } else if (matches(in, from, to, RETRY_AFTER)) {
            int begin = from + RETRY_AFTER.length;
            answer.retryAfter(
                    in.toString(begin, to - begin, StandardCharsets.ISO_8859_1).strip());
        }
    }

    private boolean headEnds() {
        if (answer.status() / 100 == 1) {
            state = State.START;
            return false;
        }
        if (answer.status() == 204 || answer.status() == 304) {
            left = 0;
            chunked = false;
        }
        state = chunked ? State.CHUNK_SIZE : State.BODY;
        if (!chunked && left == UNTIL_CLOSED) {
            answer.keepAlive = false;
        }
        return state == State.BODY && left == 0;
    }

    private void take(ByteBuf in) {
        int some = left == UNTIL_CLOSED ? in.readableBytes() : (int) Math.min(left, in.readableBytes());
        answer.append(in, some);
        in.skipBytes(some);
        if (left != UNTIL_CLOSED) {
            left -= some;
        }
    }

    private static int value(ByteBuf in, int from, int to) {
        int at = from;
        while (at < to && (in.getByte(at) == ' ' || in.getByte(at) == '\t')) {
            at++;
        }
        return at;
    }

    private static boolean matches(ByteBuf in, int from, int to, byte[] wanted) {
        if (to - from < wanted.length) {
            return false;
        }
        for (int i = 0; i < wanted.length; i++) {
            int found = in.getByte(from + i);
            int lower = found >= 'A' && found <= 'Z' ? found + ('a' - 'A') : found;
            if (lower != wanted[i] && found != wanted[i]) {
                return false;
            }
        }
        return true;
    }

    private static long decimal(ByteBuf in, int from, int to) throws Malformed {
        long number = 0;
        int at = value(in, from, to);
        int end = to;
        while (end > at && in.getByte(end - 1) == ' ') {
            end--;
        }
        if (at == end || end - at > 18) {
            throw new Malformed("a length or status of an answer is not a number");
        }
        for (; at < end; at++) {
            int digit = in.getByte(at) - '0';
            if (digit < 0 || digit > 9) {
                throw new Malformed("a length or status of an answer is not a number");
            }
            number = 10 * number + digit;
        }
        return number;
    }

    private static long hexadecimal(ByteBuf in, int from, int to) throws Malformed {
        long number = 0;
        int at = value(in, from, to);
        int digits = 0;
        for (; at < to; at++, digits++) {
            int digit = Character.digit(in.getByte(at), 16);
            if (digit < 0) {
                break;
            }
            number = 16 * number + digit;
        }
        if (digits == 0 || digits > 15) {
            throw new Malformed("a chunk of an answer has no length");
        }
        return number;
    }
}
