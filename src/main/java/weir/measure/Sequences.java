package weir.measure;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * A set of numbers from 0 on, in chunks of 65,536 bits. A full chunk is a single mark, so numbers that arrive nearly in
 * order need almost no memory. RoaringBitmap 1.3.0 takes three times as long to add such numbers.
 */
final class Sequences {
    private static final int CHUNK_BITS = 16;
    private static final int CHUNK = Bits.SIZE;
    private static final long[] FULL = Bits.ones();

    private static final int RUN_OF_FULL = 0;

    /** The limit of chunks that are not full, which limits the memory for hostile input to half a gigabyte. */
    private static final int MAX_OPEN_CHUNKS = 1 << 16;

    private static final int MAX_CHUNKS = 1 << 22;

    private long[] keys = new long[4];
    private int[] counts = new int[4];
    private long[][] chunks = new long[4][];
    private int size;
    long count;
    private int at;
    private long[] spare = FULL;

    boolean empty() {
        return count == 0;
    }

    /** Adds {@code many} numbers from {@code first} on; returns how many the set already contained. */
    int add(long first, int many) {
        if (first < 0 || many < 0 || first + many < 0) {
            throw new IllegalArgumentException(
                    "sequence numbers and their count must be at least 0, found " + many + " from " + first);
        }
        int already = 0;
        long next = first;
        for (int left = many; left > 0; ) {
            int from = (int) (next & (CHUNK - 1));
            int step = Math.min(left, CHUNK - from);
            already += addInside(chunk(next >> CHUNK_BITS), from, from + step);
            next += step;
            left -= step;
        }
        return already;
    }

    private int addInside(int i, int from, int to) {
        long[] bits = chunks[i];
        if (bits == FULL) {
            return to - from;
        }
        int added = Bits.set(bits, from, to);
        grew(i, added);
        return to - from - added;
    }

    private void grew(int i, int added) {
        count += added;
        counts[i] += added;
        if (counts[i] == CHUNK && chunks[i] != FULL) {
            spare = chunks[i];
            chunks[i] = FULL;
        }
    }

    private int chunk(long key) {
        if (at < size && keys[at] == key) {
            return at;
        }
        at = find(key);
        if (at < 0) {
            at = ~at;
            insert(at, key);
        }
        return at;
    }

    private int find(long key) {
        return Arrays.binarySearch(keys, 0, size, key);
    }

    private void insert(int i, long key) {
        if (size == keys.length) {
            keys = Arrays.copyOf(keys, 2 * size);
            counts = Arrays.copyOf(counts, 2 * size);
            chunks = Arrays.copyOf(chunks, 2 * size);
        }
        System.arraycopy(keys, i, keys, i + 1, size - i);
        System.arraycopy(counts, i, counts, i + 1, size - i);
        System.arraycopy(chunks, i, chunks, i + 1, size - i);
        size++;
        keys[i] = key;
        counts[i] = 0;
        if (spare == FULL) {
            chunks[i] = new long[Bits.WORDS];
        } else {
            Arrays.fill(spare, 0);
            chunks[i] = spare;
            spare = FULL;
        }
    }

    Sequences addAll(Sequences other) {
        Sequences already = new Sequences();
        for (int o = 0; o < other.size; o++) {
            int i = chunk(other.keys[o]);
            long[] mine = chunks[i];
            long[] theirs = other.chunks[o];
            if (counts[i] == 0 && theirs == FULL) {
                spare = mine;
                chunks[i] = FULL;
                grew(i, CHUNK);
                continue;
            }
            if (counts[i] > 0) {
                already.addOverlap(keys[i], mine, theirs);
            }
            if (mine != FULL) {
                grew(i, Bits.or(mine, theirs));
            }
        }
        return already;
    }

    private void addOverlap(long key, long[] a, long[] b) {
        int i = -1;
        for (int word = 0; word < Bits.WORDS; word++) {
            long both = a[word] & b[word];
            if (both != 0) {
                i = i < 0 ? chunk(key) : i;
                chunks[i][word] |= both;
                grew(i, Long.bitCount(both));
            }
        }
    }

    boolean contains(long number) {
        int i = at < size && keys[at] == number >> CHUNK_BITS ? at : find(number >> CHUNK_BITS);
        return i >= 0 && (chunks[i][(int) (number & (CHUNK - 1)) >> 6] & 1L << number) != 0;
    }

    /**
     * The number of consecutive numbers, from this one on, that the set contains. If negative, the number that it
     * lacks. Stops at the end of the chunk.
     */
    int stretch(long number) {
        int from = (int) (number & (CHUNK - 1));
        int i = at < size && keys[at] == number >> CHUNK_BITS ? at : find(number >> CHUNK_BITS);
        if (i < 0 || chunks[i] == FULL) {
            return i < 0 ? from - CHUNK : CHUNK - from;
        }
        int absent = Bits.nextClear(chunks[i], from);
        return absent > from ? absent - from : from - Bits.nextSet(chunks[i], from);
    }

    int openChunks() {
        int open = 0;
        for (int i = 0; i < size; i++) {
            open += chunks[i] == FULL ? 0 : 1;
        }
        return open;
    }

    /** The highest number plus one; 0 for an empty set. */
    long end() {
        return size == 0 ? 0 : (keys[size - 1] << CHUNK_BITS) + Bits.end(chunks[size - 1]);
    }

    long count(long from, long to) {
        return countBoth(this, from, to);
    }

    long countBoth(Sequences other, long from, long to) {
        long both = 0;
        for (int i = firstChunk(from); i < size && keys[i] << CHUNK_BITS < to; i++) {
            int o = other == this ? i : other.find(keys[i]);
            if (o >= 0) {
                long base = keys[i] << CHUNK_BITS;
                both += countBoth(i, other, o, (int) Math.max(0, from - base), (int) Math.min(CHUNK, to - base));
            }
        }
        return both;
    }

    private int countBoth(int i, Sequences other, int o, int from, int to) {
        if (from == 0 && to == CHUNK && other.chunks[o] == FULL) {
            return counts[i];
        }
        return Bits.countBoth(chunks[i], other.chunks[o], from, to);
    }

    private int firstChunk(long number) {
        int i = find(number >> CHUNK_BITS);
        return i < 0 ? ~i : i;
    }

    long next(long from) {
        for (int i = firstChunk(from); i < size; i++) {
            long base = keys[i] << CHUNK_BITS;
            int bit = Bits.nextSet(chunks[i], (int) Math.max(0, from - base));
            if (bit < CHUNK) {
                return base + bit;
            }
        }
        return Long.MAX_VALUE;
    }

    long nextAbsent(long from) {
        long next = from;
        for (int i = find(next >> CHUNK_BITS); i >= 0 && i < size && keys[i] == next >> CHUNK_BITS; i++) {
            long base = keys[i] << CHUNK_BITS;
            int bit = chunks[i] == FULL ? CHUNK : Bits.nextClear(chunks[i], (int) (next - base));
            next = base + bit;
            if (bit < CHUNK) {
                break;
            }
        }
        return next;
    }

    void clear() {
        if (size > 0 && chunks[0] != FULL) {
            spare = chunks[0];
        }
        size = 0;
        count = 0;
        at = 0;
    }

    void write(DataOutput out) throws IOException {
        Varint.write(out, size);
        long before = -1;
        for (int i = 0; i < size; i++) {
            Varint.write(out, keys[i] - before - 1);
            before = keys[i];
            if (chunks[i] == FULL) {
                int run = 1;
                while (i + run < size && chunks[i + run] == FULL && keys[i + run] == keys[i] + run) {
                    run++;
                }
                out.writeByte(RUN_OF_FULL);
                Varint.write(out, run);
                i += run - 1;
                before = keys[i];
            } else {
                Bits.write(out, chunks[i]);
            }
        }
    }

    static Sequences read(DataInput in) throws IOException {
        Sequences read = new Sequences();
        int chunks = Varint.read(in, MAX_CHUNKS, "chunks of numbers");
        int open = 0;
        long key = -1;
        while (read.size < chunks) {
            key += Varint.read(in) + 1;
            int kind = in.readByte();
            int run = kind == RUN_OF_FULL ? Varint.read(in, chunks - read.size, "full chunks") : 1;
            long end = kind == RUN_OF_FULL ? key + run : key;
            if (key < 0 || end > Long.MAX_VALUE >> CHUNK_BITS || run == 0) {
                throw new IOException("a chunk of numbers at " + key);
            }
            if (kind == RUN_OF_FULL) {
                for (int i = 0; i < run; i++, key++) {
                    read.add(key << CHUNK_BITS, CHUNK);
                }
                key--;
            } else if (++open > MAX_OPEN_CHUNKS) {
                throw new IOException("more than " + MAX_OPEN_CHUNKS + " chunks with gaps");
            } else {
                read.readOpen(in, kind, key);
            }
        }
        return read;
    }

    private void readOpen(DataInput in, int kind, long key) throws IOException {
        int i = chunk(key);
        int read = Bits.read(in, kind, chunks[i]);
        if (read == 0 || read == CHUNK) {
            throw new IOException("a chunk with gaps has " + read + " numbers");
        }
        grew(i, read);
    }

    /** A set of 65,536 bits, stored as words of 64 bits. */
    private static final class Bits {
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
}
