package weir.load.workload;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import weir.plan.ValueSpec.Each;

/** A file of values, or its lines, mapped once for all producers of a worker. Any thread reads. */
final class FileOfValues implements FileValues {
    /** So many starts of pieces are kept at most; those in between are found by walking. */
    private static final int MOST_STARTS = 1 << 22;

    private final ByteBuffer bytes;
    private final boolean whole;
    private final long pieces;
    private final int stride;
    private final int[] starts;

    FileOfValues(Path file, Each each) {
        bytes = map(file);
        whole = each instanceof Each.Whole;
        if (whole) {
            pieces = 1;
            stride = 1;
            starts = new int[] {0};
            return;
        }
        long count = 0;
        for (int at = begin(0); at < bytes.limit(); at = begin(end(at))) {
            count++;
        }
        if (count == 0) {
            throw new IllegalArgumentException("load.value.file: '" + file + "' has no line that is not empty");
        }
        pieces = count;
        stride = (int) ((count - 1) / MOST_STARTS + 1);
        starts = new int[(int) ((count - 1) / stride + 1)];
        long piece = 0;
        for (int at = begin(0); at < bytes.limit(); at = begin(end(at))) {
            if (piece % stride == 0) {
                starts[(int) (piece / stride)] = at;
            }
            piece++;
        }
    }

    @Override
    public long pieces() {
        return pieces;
    }

    @Override
    public double meanBytes() {
        // Each line has an end that is not part of it.
        return whole ? bytes.limit() : Math.max(1, (double) bytes.limit() / pieces - 1);
    }

    @Override
    public byte[] piece(long number, Buffers buffers) {
        int start = starts[(int) (number / stride)];
        for (long skip = number % stride; skip > 0; skip--) {
            start = begin(end(start));
        }
        int end = whole ? bytes.limit() : end(start);
        boolean carriageReturn = !whole && end > start && bytes.get(end - 1) == '\r';
        byte[] piece = buffers.of(end - start - (carriageReturn ? 1 : 0));
        bytes.get(start, piece);
        return piece;
    }

    /** The start of the first piece that is not empty, from here on. */
    private int begin(int from) {
        int at = from;
        while (at < bytes.limit() && (bytes.get(at) == '\n' || bytes.get(at) == '\r')) {
            at++;
        }
        return at;
    }

    private int end(int from) {
        int at = from;
        while (at < bytes.limit() && bytes.get(at) != '\n') {
            at++;
        }
        return at;
    }

    private static ByteBuffer map(Path file) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long size = channel.size();
            if (size == 0 || size > Integer.MAX_VALUE) {
                throw new IllegalArgumentException("load.value.file: '" + file + "' has " + size
                        + " bytes; it may have 1 to " + Integer.MAX_VALUE);
            }
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, size);
        } catch (IOException e) {
            throw new UncheckedIOException("load.value.file: '" + file + "' cannot be read", e);
        }
    }
}
