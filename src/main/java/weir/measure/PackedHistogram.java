package weir.measure;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * A reader of HdrHistogram's compressed form (version 2, deflated), entry by entry. The library's own decoder would
 * allocate the memory that a header declares, add counts without a check, and visit every bucket. One hour of windows
 * has a hundred million buckets, most of them empty.
 */
final class PackedHistogram implements AutoCloseable {
    private static final int DEFLATED_COOKIE = 0x1c849314;
    private static final int COOKIE = 0x1c849313;
    private static final int HEADER_BYTES = 40;
    private static final long MAX_COUNT = 1L << 40;

    /** Three digits need 2048 buckets before the first doubling, and 1024 after each doubling. */
    private static final int HALF_BITS = 10;

    private static final int HALF = 1 << HALF_BITS;
    private static final int MAX_BUCKETS = 29 * HALF;

    private final Inflater inflater = new Inflater();
    private final byte[] bytes = new byte[HEADER_BYTES + 9 * MAX_BUCKETS];

    /** Calls back with each bucket in rising order; throws if the text is not a histogram of Weir. */
    void unpack(String base64, Latency.Bucket out) throws DataFormatException {
        int payload = inflate(Base64.getDecoder().decode(base64));
        ByteBuffer in = ByteBuffer.wrap(bytes, HEADER_BYTES, payload);
        long sum = 0;
        int bucket = 0;
        while (in.hasRemaining()) {
            long word = word(in);
            // A negative number is a count of empty buckets.
            if (word < -MAX_BUCKETS || bucket >= MAX_BUCKETS) {
                throw new DataFormatException("the histogram has latencies above the maximum");
            }
            if (word <= 0) {
                bucket += (int) Math.max(1, -word);
            } else {
                sum += word;
                if (word > MAX_COUNT || sum > MAX_COUNT) {
                    throw new DataFormatException("the histogram has more messages than a window can have");
                }
                out.of(nanos(bucket++), word);
            }
        }
    }

    private int inflate(byte[] deflated) throws DataFormatException {
        if (deflated.length < 8 || ByteBuffer.wrap(deflated).getInt() != DEFLATED_COOKIE) {
            throw new DataFormatException("not a compressed histogram");
        }
        inflater.reset();
        inflater.setInput(deflated, 8, deflated.length - 8);
        int length = 0;
        int more = inflater.inflate(bytes);
        while (more > 0) {
            length += more;
            more = inflater.inflate(bytes, length, bytes.length - length);
        }
        if (length < HEADER_BYTES) {
            throw new DataFormatException("the histogram is cut off");
        }
        ByteBuffer fields = ByteBuffer.wrap(bytes);
        int cookie = fields.getInt();
        int payload = fields.getInt();
        int offset = fields.getInt();
        int digits = fields.getInt();
        long lowest = fields.getLong();
        long highest = fields.getLong();
        if (cookie != COOKIE
                || offset != 0
                || digits != Latency.DIGITS
                || lowest != Latency.LOWEST_NANOS
                || highest < 2 * lowest
                || highest > 2 * Latency.HIGHEST_NANOS) {
            throw new DataFormatException(
                    "a histogram from " + lowest + " to " + highest + " with " + digits + " digits");
        }
        if (!inflater.finished() || payload != length - HEADER_BYTES) {
            throw new DataFormatException("the histogram is longer or shorter than its declared length");
        }
        return payload;
    }

    /** Reads seven bits of each byte, lowest first, and all bits of the ninth byte. The lowest bit is the sign. */
    private static long word(ByteBuffer in) throws DataFormatException {
        long word = 0;
        for (int at = 0; at < 9; at++) {
            if (!in.hasRemaining()) {
                throw new DataFormatException("a count of the histogram is cut off");
            }
            long next = in.get() & 0xff;
            word |= (at == 8 ? next : next & 0x7f) << (7 * at);
            if (next < 0x80) {
                break;
            }
        }
        return (word >>> 1) ^ -(word & 1);
    }

    private static long nanos(int bucket) {
        int doubling = (bucket >> HALF_BITS) - 1;
        long steps = (long) (bucket & (HALF - 1)) + (doubling < 0 ? 0 : HALF);
        return steps << (Latency.UNIT_BITS + Math.max(0, doubling));
    }

    @Override
    public void close() {
        inflater.end();
    }
}
