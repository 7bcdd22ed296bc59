package weir.wire;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A reader of the records of one batch, in order. Uncompressed records are read in place. A compressed batch is
 * decompressed piece by piece. The reader is reused for the next batch and allocates no memory per record.
 */
public final class RecordCursor implements AutoCloseable {
    private static final int NONE = -1;
    private static final int LONGEST_VARINT = 5;

    private final byte[] wanted;
    private final ByteCursor cursor = new ByteCursor("records");
    private final DecompressedWindow window;
    private boolean windowed;
    private long baseOffset;
    private long highestDelta;
    /** The record's offset minus that of the batch. The first record has 0 unless compaction removed it. */
    public int offsetDelta;

    private int left;
    public int keyAt;
    private int keySize;
    public int valueAt;
    /** The bytes of the value; -1 for the value null. */
    public int valueSize;

    public int headerAt;
    public int headerSize;
    /** The bytes of the names and values of all headers. */
    public int headersBytes;
    /** The milliseconds from the first time of the batch to the time of the record. */
    public long timeDelta;

    /**
     * @param header the name of the only header to read
     * @param mostBytes the limit of one decompressed record
     */
    public RecordCursor(byte[] header, int mostBytes) {
        this.wanted = header.clone();
        this.window = new DecompressedWindow(mostBytes);
    }

    public void begin(Batches batch) throws IOException {
        windowed = batch.codec() != Codecs.NONE;
        if (windowed) {
            window.begin(batch, cursor);
        } else {
            cursor.begin(batch.bytes, batch.recordsAt(), batch.next);
        }
        baseOffset = batch.baseOffset();
        highestDelta = batch.nextOffset() - baseOffset - 1;
        offsetDelta = NONE;
        left = batch.count();
    }

    public int left() {
        return left;
    }

    public boolean next() throws IOException {
        if (left == 0) {
            finish();
            return false;
        }
        left--;
        if (windowed && cursor.left() < LONGEST_VARINT) {
            window.fill(cursor, LONGEST_VARINT);
        }
        int size = cursor.varint();
        if (windowed && cursor.left() < size) {
            window.fill(cursor, size);
        }
        if (size < 0 || size > cursor.left()) {
            throw cursor.wrong("a record of " + size + " bytes in the " + cursor.left() + " that are left");
        }
        read(cursor.at + size);
        return true;
    }

    private void read(int end) throws IOException {
        // The unused attributes.
        cursor.skip(1);
        timeDelta = cursor.varlong();
        int delta = cursor.varint();
        if (delta <= offsetDelta || delta > highestDelta) {
            throw cursor.wrong("offset " + delta + " in a batch up to " + highestDelta + ", behind " + offsetDelta);
        }
        offsetDelta = delta;
        keySize = size("key");
        keyAt = cursor.at;
        cursor.skip(Math.max(0, keySize));
        valueSize = size("value");
        valueAt = cursor.at;
        cursor.skip(Math.max(0, valueSize));
        headerAt = NONE;
        headersBytes = 0;
        int headers = cursor.varint();
        if (headers != 0) {
            readHeaders(headers);
        }
        if (cursor.at != end) {
            throw cursor.wrong("a record that should end at byte " + end);
        }
    }

    private int size(String what) throws IOException {
        int size = cursor.varint();
        if (size < NONE) {
            throw cursor.wrong("a " + what + " of " + size + " bytes");
        }
        return size;
    }

    /** Reads the headers. Of several headers with one name, the last one wins, as in Kafka. */
    private void readHeaders(int headers) throws IOException {
        if (headers < 0) {
            throw cursor.wrong(headers + " headers");
        }
        for (int i = 0; i < headers; i++) {
            int nameSize = cursor.varint();
            if (nameSize < 0) {
                throw cursor.wrong("a header whose name has " + nameSize + " bytes");
            }
            int nameAt = cursor.at;
            cursor.skip(nameSize);
            int size = size("header");
            if (ByteCursor.equal(cursor.from, nameAt, nameSize, wanted)) {
                headerAt = cursor.at;
                headerSize = size;
            }
            cursor.skip(Math.max(0, size));
            headersBytes += nameSize + Math.max(0, size);
        }
    }

    private void finish() throws IOException {
        if (windowed) {
            window.fill(cursor, 1);
            window.close();
            windowed = false;
        }
        if (cursor.left() > 0) {
            throw cursor.wrong("more behind the last record of its batch");
        }
    }

    public long offset() {
        return baseOffset + offsetDelta;
    }

    /** The buffer for the positions of a record, valid until the next record. */
    public ByteBuffer bytes() {
        return cursor.from;
    }

    public int size() {
        return Math.max(0, keySize) + Math.max(0, valueSize);
    }

    public int keySize() {
        return Math.max(0, keySize);
    }

    /** False for a record with the key null; an empty key is a key. */
    public boolean hasKey() {
        return keySize != NONE;
    }

    public boolean hasHeader() {
        return headerAt != NONE;
    }

    @Override
    public void close() {
        window.close();
    }

    /** The decompressed but unread bytes of a batch: little more than one record, for batches of any size. */
    private static final class DecompressedWindow implements AutoCloseable {
        private static final int FIRST_BYTES = 32 << 10;

        private final int most;
        private Codecs codecs = new Codecs();
        private byte[] bytes = {};
        private ByteBuffer view = ByteBuffer.wrap(bytes);
        private InputStream in = InputStream.nullInputStream();

        DecompressedWindow(int most) {
            this.most = most;
        }

        void begin(Batches batch, ByteCursor cursor) throws IOException {
            close();
            in = codecs.open(batch);
            if (bytes.length == 0) {
                grow(Math.min(FIRST_BYTES, most));
            }
            cursor.begin(view, 0, 0);
        }

        /** Makes this many bytes available after the cursor's position, or all remaining bytes. */
        void fill(ByteCursor cursor, int wanted) throws IOException {
            if (wanted > most) {
                throw cursor.wrong("a record of " + wanted + " bytes; at most " + most + " are read here");
            }
            int have = cursor.left();
            System.arraycopy(bytes, cursor.at, bytes, 0, have);
            while (have < wanted) {
                if (have == bytes.length) {
                    // The buffer grows as bytes arrive, independent of the announced length.
                    grow((int) Math.min(most, 2L * have));
                }
                int more = read(have);
                if (more < 0) {
                    break;
                }
                have += more;
            }
            cursor.begin(view, 0, have);
        }

        private int read(int at) throws IOException {
            try {
                int more = in.read(bytes, at, bytes.length - at);
                if (more != 0) {
                    return more;
                }
                // An empty block reads as 0 bytes. Reading a single byte skips the empty block, so that this loop ends.
                int one = in.read();
                bytes[at] = (byte) one;
                return one < 0 ? one : 1;
            } catch (RuntimeException e) {
                throw Codecs.wrong(e);
            }
        }

        private void grow(int size) {
            bytes = Arrays.copyOf(bytes, size);
            view = ByteBuffer.wrap(bytes);
        }

        @Override
        public void close() {
            InputStream done = in;
            in = InputStream.nullInputStream();
            try {
                done.close();
            } catch (IOException | RuntimeException e) {
                // All bytes were read, or reading failed earlier; only the release of memory failed.
                codecs = new Codecs();
            }
        }
    }
}
