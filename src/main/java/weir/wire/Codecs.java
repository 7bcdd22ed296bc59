package weir.wire;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.utils.internals.BufferSupplier;

/** The decompression by Kafka's own code. Owned by one thread. */
final class Codecs {
    static final int NONE = 0;
    static final int HIGHEST = 4;

    private static final int SNAPPY = 2;
    private static final long SNAPPY_MAGIC = 0x82_53_4E_41_50_50_59_00L;
    private static final int SNAPPY_HEADER_BYTES = 16;
    /** Producers make blocks of at most 64 KiB; others may make larger ones. */
    private static final int SNAPPY_MOST_BYTES = 64 << 20;

    private final BufferSupplier buffers = BufferSupplier.create();
    private final Compression[] codecs = new Compression[HIGHEST + 1];

    Codecs() {
        for (int id = NONE; id <= HIGHEST; id++) {
            codecs[id] = Compression.of(CompressionType.forId(id)).build();
        }
    }

    InputStream open(Batches batch) throws IOException {
        ByteBuffer records = batch.bytes.duplicate();
        records.limit(batch.next).position(batch.recordsAt());
        if (batch.codec() == SNAPPY) {
            checkSnappy(records.slice());
        }
        try {
            return codecs[batch.codec()].wrapForInput(records, (byte) 2, buffers);
        } catch (RuntimeException e) {
            throw wrong(e);
        }
    }

    static byte[] decompressed(int codec, ByteBuffer bytes, byte magic, int most) throws IOException {
        if (codec == SNAPPY) {
            checkSnappy(bytes);
        }
        Compression from = Compression.of(CompressionType.forId(codec)).build();
        try (InputStream in = from.wrapForInput(bytes, magic, BufferSupplier.NO_CACHING)) {
            byte[] read = in.readNBytes(most + 1);
            if (read.length > most) {
                throw new IOException("the decompressed messages have more than " + most + " bytes");
            }
            return read;
        } catch (RuntimeException e) {
            throw wrong(e);
        }
    }

    // The library allocates the announced length of each block, up to 512 MiB, before it reads the block.
    private static void checkSnappy(ByteBuffer blocks) throws IOException {
        ByteCursor cursor = new ByteCursor("snappy");
        cursor.begin(blocks, 0, blocks.limit());
        if (cursor.left() < SNAPPY_HEADER_BYTES || blocks.getLong(0) != SNAPPY_MAGIC) {
            // Some clients write one block without the framing.
            checkSnappyBlock(cursor);
            return;
        }
        cursor.skip(SNAPPY_HEADER_BYTES);
        while (cursor.left() > 0) {
            int size = cursor.int32();
            int begin = cursor.at;
            checkSnappyBlock(cursor);
            cursor.skip(size - (cursor.at - begin));
        }
    }

    private static void checkSnappyBlock(ByteCursor cursor) throws IOException {
        int large = cursor.unsignedVarint();
        if (large < 0 || large > SNAPPY_MOST_BYTES) {
            throw cursor.wrong("a block of " + large + " bytes; at most " + SNAPPY_MOST_BYTES + " are read here");
        }
    }

    /** Converts the exception of a codec, because codecs report malformed bytes with many kinds of exceptions. */
    static IOException wrong(RuntimeException e) {
        return new IOException("compressed records: " + e, e);
    }
}
