package weir.measure;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** The encoding of whole numbers from 0 on, with seven bits per byte. */
final class Varint {
    private Varint() {}

    static void write(DataOutput out, long value) throws IOException {
        if (value < 0) {
            throw new IllegalArgumentException("a number must be at least 0 to be written, found " + value);
        }
        long left = value;
        while (left > 0x7f) {
            out.writeByte((int) (left & 0x7f) | 0x80);
            left >>>= 7;
        }
        out.writeByte((int) left);
    }

    static long read(DataInput in) throws IOException {
        long value = 0;
        for (int shift = 0; shift < 63; shift += 7) {
            byte next = in.readByte();
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new IOException("a number has more than 63 bits");
    }

    static int read(DataInput in, int max, String what) throws IOException {
        long value = read(in);
        if (value > max) {
            throw new IOException(value + " " + what + "; must be at most " + max);
        }
        return (int) value;
    }
}
