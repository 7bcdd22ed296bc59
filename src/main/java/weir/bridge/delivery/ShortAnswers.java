package weir.bridge.delivery;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.nio.charset.StandardCharsets;
import java.util.function.IntConsumer;

/**
 * Understands the answer that nearly all are: a success without a body, alone in what was read, of a connection that stays.
 * All others go on to those who understand everything.
 */
final class ShortAnswers extends ChannelInboundHandlerAdapter {
    private static final byte[] BEGIN = "http/1.1 2".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NO_BODY = "content-length: 0\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] CONNECTION = "connection:".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] CODED = "transfer-encoding:".getBytes(StandardCharsets.US_ASCII);
    private static final int LONGEST = 512;

    private final IntConsumer success;
    /** True while an answer comes that others have to understand. */
    private boolean left;

    /** {@code success} hears the status. */
    ShortAnswers(IntConsumer success) {
        this.success = success;
    }

    /** The answer that was left to others is over. */
    void over() {
        left = false;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        if (!left && isShort(bytes)) {
            int digits = bytes.readerIndex() + BEGIN.length;
            int status = 200 + 10 * (bytes.getByte(digits) - '0') + bytes.getByte(digits + 1) - '0';
            bytes.release();
            success.accept(status);
        } else {
            left = true;
            context.fireChannelRead(bytes);
        }
    }

    private static boolean isShort(ByteBuf bytes) {
        int begin = bytes.readerIndex();
        int end = bytes.writerIndex();
        if (end - begin > LONGEST || end - begin < BEGIN.length + NO_BODY.length || !isSuccess(bytes, begin)) {
            return false;
        }
        boolean noBody = false;
        int line = feed(bytes, begin, end) + 1;
        while (line > 0 && line < end - 2) {
            if (at(bytes, line, CONNECTION) || at(bytes, line, CODED)) {
                return false;
            }
            int next = feed(bytes, line, end) + 1;
            noBody |= at(bytes, line, NO_BODY);
            line = next;
        }
        return noBody && line == end - 2 && bytes.getByte(line) == '\r' && bytes.getByte(line + 1) == '\n';
    }

    private static boolean isSuccess(ByteBuf bytes, int begin) {
        int digits = begin + BEGIN.length;
        return at(bytes, begin, BEGIN)
                && isDigit(bytes.getByte(digits))
                && isDigit(bytes.getByte(digits + 1))
                && bytes.getByte(digits + 2) == ' ';
    }

    private static boolean isDigit(byte letter) {
        return letter >= '0' && letter <= '9';
    }

    private static int feed(ByteBuf bytes, int from, int end) {
        return bytes.indexOf(from, end, (byte) '\n');
    }

    /** True when a text in lower case stands there. */
    private static boolean at(ByteBuf bytes, int index, byte[] lower) {
        if (index + lower.length > bytes.writerIndex()) {
            return false;
        }
        for (int i = 0; i < lower.length; i++) {
            byte each = bytes.getByte(index + i);
            if (each != lower[i] && (each < 'A' || each > 'Z' || each + 32 != lower[i])) {
                return false;
            }
        }
        return true;
    }
}
