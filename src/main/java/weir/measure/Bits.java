package weir.measure;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/** A set of 65,536 bits, stored as words of 64 bits. */
final class Bits {
    static final int SIZE = 1 << 16;
    static final int WORDS = SIZE / Long.SIZE;

    private static final int AS_RUNS = 1;
    private static final int AS_WORDS = 2;

    private Bits() {}

    static long[] ones() {
        long[] ones = new long[WORDS];
        Arrays.fill(ones, -1);
        return ones;
    }

    static long mask(int word, int from, int to) {
        long mask = -1;
        if (word == from >> 6) {
            mask &= -1L << from;
        }
        if (word == (to - 1) >> 6) {
            mask &= -1L >>> -to;
        }
        return mask;
    }

    /** Sets the bits in {@code [from, to)} and returns the number of changed bits. */
    static int set(long[] bits, int from, int to) {
        int added = 0;
        int lastWord = (to - 1) >> 6;
        for (int word = from >> 6; word <= lastWord; word++) {
            long mask = mask(word, from, to);
            added += Long.bitCount(mask & ~bits[word]);
            bits[word] |= mask;
        }
        return added;
    }

    static int or(long[] bits, long[] other) {
        int added = 0;
        for (int word = 0; word < WORDS; word++) {
            added += Long.bitCount(other[word] & ~bits[word]);
            bits[word] |= other[word];
        }
        return added;
    }

    static int countBoth(long[] a, long[] b, int from, int to) {
        int both = 0;
        int lastWord = (to - 1) >> 6;
        for (int word = from >> 6; word <= lastWord; word++) {
            both += Long.bitCount(a[word] & b[word] & mask(word, from, to));
        }
        return both;
    }

    static int nextSet(long[] bits, int from) {
        return next(bits, from, 0);
    }

    static int nextClear(long[] bits, int from) {
        return next(bits, from, -1);
    }

    private static int next(long[] bits, int from, long not) {
        int word = from >> 6;
        long rest = (bits[word] ^ not) & -1L << from;
        while (rest == 0) {
            if (++word == WORDS) {
                return SIZE;
            }
            rest = bits[word] ^ not;
        }
        return (word << 6) + Long.numberOfTrailingZeros(rest);
    }

    /** The position after the last set bit; 0 without a set bit. */
    static int end(long[] bits) {
        int word = WORDS - 1;
        while (word >= 0 && bits[word] == 0) {
            word--;
        }
        return word < 0 ? 0 : (word << 6) + Long.SIZE - Long.numberOfLeadingZeros(bits[word]);
    }

    static void write(DataOutput out, long[] bits) throws IOException {
        int runs = 0;
        for (int from = nextSet(bits, 0); from < SIZE; from = nextRun(bits, from)) {
            runs++;
        }
        // A run of equal bits takes two to six bytes.
        if (runs > WORDS * Long.BYTES / 4) {
            out.writeByte(AS_WORDS);
            for (long word : bits) {
                out.writeLong(word);
            }
            return;
        }
        out.writeByte(AS_RUNS);
        Varint.write(out, runs);
        int end = 0;
        for (int from = nextSet(bits, 0); from < SIZE; from = nextRun(bits, from)) {
            Varint.write(out, from - end);
            end = nextClear(bits, from);
            Varint.write(out, end - from);
        }
    }

    private static int nextRun(long[] bits, int from) {
        int end = nextClear(bits, from);
        return end == SIZE ? SIZE : nextSet(bits, end);
    }

    static int read(DataInput in, int kind, long[] bits) throws IOException {
        int count = 0;
        if (kind == AS_WORDS) {
            for (int word = 0; word < WORDS; word++) {
                bits[word] = in.readLong();
                count += Long.bitCount(bits[word]);
            }
            return count;
        }
        if (kind != AS_RUNS) {
            throw new IOException("a chunk of kind " + kind);
        }
        int end = 0;
        for (int left = Varint.read(in, SIZE, "runs"); left > 0; left--) {
            int from = end + Varint.read(in, SIZE, "numbers left out");
            end = from + Varint.read(in, SIZE, "numbers");
            if (end <= from || end > SIZE) {
                throw new IOException("numbers must be a range inside the chunk, found " + from + " to " + end);
            }
            count += set(bits, from, end);
        }
        return count;
    }
}
