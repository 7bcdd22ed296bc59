package weir.wire;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A reader of protocol bytes that never reads beyond their end. Malformed bytes cause an {@link IOException}. The
 * reader can be reused for other bytes and allocates no memory.
 */
final class ByteCursor {
    static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final String what;
    ByteBuffer from = NOTHING;
    int at;
    int end;

    ByteCursor(String what) {
        this.what = what;
    }

    /** Begins to read {@code [first, behind)} of these bytes; ignores the buffer's own position. */
    void begin(ByteBuffer bytes, int first, int behind) {
        if (first < 0 || behind < first || behind > bytes.limit()) {
            throw new IndexOutOfBoundsException(
                    "bytes " + first + " to " + behind + " of " + bytes.limit() + ", reading " + what);
        }
        from = bytes;
        at = first;
        end = behind;
    }

    int left() {
        return end - at;
    }

    void skip(int bytes) throws IOException {
        need(bytes);
        at += bytes;
    }

    byte int8() throws IOException {
        need(1);
        return from.get(at++);
    }

    short int16() throws IOException {
        need(2);
        at += 2;
        return from.getShort(at - 2);
    }

    int int32() throws IOException {
        need(4);
        at += 4;
        return from.getInt(at - 4);
    }

    long int64() throws IOException {
        need(8);
        at += 8;
        return from.getLong(at - 8);
    }

    int unsignedVarint() throws IOException {
        need(1);
        int first = from.get(at++);
        return first >= 0 ? first : (int) longer(first & 0x7F, 5, 0xF);
    }

    int varint() throws IOException {
        int zigzag = unsignedVarint();
        return (zigzag >>> 1) ^ -(zigzag & 1);
    }

    long varlong() throws IOException {
        need(1);
        int first = from.get(at++);
        long zigzag = first >= 0 ? first : longer(first & 0x7F, 10, 1);
        return (zigzag >>> 1) ^ -(zigzag & 1);
    }

    /** Reads a number of several bytes. The last of {@code most} bytes may contain only {@code lastBits} bits. */
    private long longer(int first, int most, int lastBits) throws IOException {
        long value = first;
        for (int i = 1; i < most; i++) {
            int next = int8();
            value |= (long) (next & 0x7F) << (7 * i);
            if (next >= 0) {
                if (i == most - 1 && next > lastBits) {
                    break;
                }
                return value;
            }
        }
        throw wrong("a number that does not end in " + most + " bytes");
    }

    /** Reads the length of an array; -1 for null. Each element has at least {@code leastBytes}. */
    int count(boolean flexible, int leastBytes) throws IOException {
        int count = flexible ? unsignedVarint() - 1 : int32();
        if (count < -1 || (long) count * leastBytes > left()) {
            throw wrong(count + " elements of at least " + leastBytes + " bytes in the " + left() + " that are left");
        }
        return count;
    }

    /** Reads the length of the next string; -1 for null. */
    int string(boolean flexible) throws IOException {
        return inside(flexible ? unsignedVarint() - 1 : int16());
    }

    /** Reads the length of the next bytes; -1 for null. */
    int piece(boolean flexible) throws IOException {
        return inside(flexible ? unsignedVarint() - 1 : int32());
    }

    private int inside(int length) throws IOException {
        if (length < -1 || length > left()) {
            throw wrong(length + " bytes in the " + left() + " that are left");
        }
        return length;
    }

    /** Skips the tagged fields, which only a flexible version has. */
    void skipTagged(boolean flexible) throws IOException {
        for (int fields = flexible ? unsignedVarint() : 0; fields != 0; fields--) {
            unsignedVarint();
            skip(unsignedVarint());
        }
    }

    /** True if these bytes of the buffer are the expected bytes. */
    static boolean equal(ByteBuffer in, int at, int length, byte[] expected) {
        if (length != expected.length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (in.get(at + i) != expected[i]) {
                return false;
            }
        }
        return true;
    }

    private void need(int bytes) throws IOException {
        if (bytes > end - at || bytes < 0) {
            throw wrong(bytes + " bytes in the " + left() + " that are left");
        }
    }

    IOException wrong(String found) {
        return new IOException(what + ": " + found + ", at byte " + at);
    }
}
