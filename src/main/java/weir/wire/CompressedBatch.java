package weir.wire;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.utils.internals.ByteBufferOutputStream;

/**
 * A record batch, compressed with one of Kafka's codecs, in its own buffer. The codecs allocate memory for each batch.
 * Belongs to one thread.
 */
public final class CompressedBatch {
    private static final int CHUNK_BYTES = 16 << 10;

    private final Codec codec;
    private final CRC32C crc = new CRC32C();
    private final TailCrc records = new TailCrc();
    private boolean tailKnown;
    private ByteBuffer bytes = ByteBuffer.allocateDirect(CHUNK_BYTES);
    private ByteBuffer ready = bytes.duplicate();

    /** A codec with its compression level, for all batches of one thread. */
    public static final class Codec {
        private final Compression compression;
        private final byte[] chunk = new byte[CHUNK_BYTES];

        public Codec(Compression compression) {
            this.compression = compression;
        }
    }

    public CompressedBatch(Codec codec) {
        this.codec = codec;
    }

    /** Compresses the first {@code count} records. The result begins at position 0 and is valid until the next call. */
    public ByteBuffer seal(RecordBatch batch, int count, long timeMillis, RecordBatch.Origin origin)
            throws IOException {
        ByteBuffer plain = batch.records(count);
        // Compression makes random bytes slightly longer.
        int most = plain.remaining() + plain.remaining() / 64 + CHUNK_BYTES;
        if (bytes.capacity() < most) {
            bytes = ByteBuffer.allocateDirect(most);
        }
        bytes.clear().position(RecordBatch.HEADER_BYTES);
        ByteBufferOutputStream out = new ByteBufferOutputStream(bytes);
        try (OutputStream compressed = codec.compression.wrapForOutput(out, RecordBatch.MAGIC)) {
            while (plain.hasRemaining()) {
                int length = Math.min(plain.remaining(), codec.chunk.length);
                plain.get(codec.chunk, 0, length);
                compressed.write(codec.chunk, 0, length);
            }
        }
        bytes = out.buffer();
        ready = bytes.duplicate();
        int size = bytes.position();
        tailKnown = false;
        RecordBatch.header(bytes, count, codec.compression.type().id, timeMillis, origin);
        return RecordBatch.close(bytes, ready, size, crc);
    }

    public ByteBuffer again(long timeMillis, RecordBatch.Origin origin) {
        RecordBatch.time(bytes, timeMillis);
        return again(origin);
    }

    public ByteBuffer again(RecordBatch.Origin origin) {
        if (!tailKnown) {
            ready.position(RecordBatch.HEADER_BYTES);
            int size = ready.remaining();
            records.is(crc(), size);
            ready.position(0);
            tailKnown = true;
        }
        RecordBatch.origin(bytes, origin);
        int size = ready.limit();
        ready.position(RecordBatch.ATTRIBUTES_AT).limit(RecordBatch.HEADER_BYTES);
        bytes.putInt(RecordBatch.CRC_AT, records.crcBehind(crc()));
        return ready.limit(size).position(0);
    }

    private int crc() {
        crc.reset();
        crc.update(ready);
        return (int) crc.getValue();
    }

    /**
     * The CRC-32C of bytes with a variable beginning and a constant end, from the CRC of the beginning. Appending n
     * bytes is a linear map on the bits of a CRC, whose columns are stored.
     */
    static final class TailCrc {
        private static final int POLYNOMIAL = 0x82F63B78;

        private final int[] behind = new int[Integer.SIZE];
        private int crc;

        void is(int tailCrc, long bytes) {
            crc = tailCrc;
            int[] power = oneBit();
            for (int i = 0; i < 3; i++) {
                power = times(power, power);
            }
            for (int i = 0; i < Integer.SIZE; i++) {
                behind[i] = 1 << i;
            }
            for (long left = bytes; left > 0; left >>= 1) {
                if ((left & 1) != 0) {
                    System.arraycopy(times(power, behind), 0, behind, 0, Integer.SIZE);
                }
                power = times(power, power);
            }
        }

        int crcBehind(int headCrc) {
            return crc ^ times(behind, headCrc);
        }

        /** The effect on a CRC of one more zero bit at the end. The lowest bit of the CRC is the oldest bit. */
        private static int[] oneBit() {
            int[] columns = new int[Integer.SIZE];
            columns[0] = POLYNOMIAL;
            for (int i = 1; i < Integer.SIZE; i++) {
                columns[i] = 1 << (i - 1);
            }
            return columns;
        }

        private static int[] times(int[] one, int[] other) {
            int[] product = new int[Integer.SIZE];
            for (int i = 0; i < Integer.SIZE; i++) {
                product[i] = times(one, other[i]);
            }
            return product;
        }

        private static int times(int[] columns, int bits) {
            int sum = 0;
            for (int left = bits; left != 0; left &= left - 1) {
                sum ^= columns[Integer.numberOfTrailingZeros(left)];
            }
            return sum;
        }
    }
}
