package weir.wire;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** The decompressed but unread bytes of a batch: little more than one record, whatever the batch holds. */
final class DecompressedWindow implements AutoCloseable {
    private static final int FIRST_BYTES = 32 << 10;

    private final int most;
    private Codecs codecs = new Codecs();
    private byte[] bytes = {};
    private ByteBuffer view = ByteBuffer.wrap(bytes);
    private InputStream in = InputStream.nullInputStream();

    /** {@code most} bytes are asked for at once. */
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

    /** Lets so many bytes lie before the cursor, or all that there are. */
    void fill(ByteCursor cursor, int wanted) throws IOException {
        if (wanted > most) {
            throw cursor.wrong("a record of " + wanted + " bytes; at most " + most + " are read here");
        }
        int have = cursor.left();
        System.arraycopy(bytes, cursor.at(), bytes, 0, have);
        while (have < wanted) {
            if (have == bytes.length) {
                // Grown as bytes come and not as they are announced.
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
            // A block may be empty, and one that is always empty would keep us here.
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
            // All was read, or somebody was told why not; only the memory was not given back.
            codecs = new Codecs();
        }
    }
}
