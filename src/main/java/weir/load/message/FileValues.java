package weir.load.message;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;
import weir.plan.ValueSpec.Each;

/** The values in a file, which all producers of a worker share. Any thread may read them. */
interface FileValues {
    static FileValues of(Path file, Each each) {
        return each instanceof Each.Delimited delimited
                ? new Delimited(file, delimited.delimiter())
                : new Pieces(file, each);
    }

    long pieces();

    double meanBytes();

    byte[] piece(long number, Buffers buffers);

    static Scanner scanner(Path file, Charset charset, String delimiter) throws IOException {
        return new Scanner(file, charset).useDelimiter(new String(delimiter.getBytes(StandardCharsets.UTF_8), charset));
    }

    /** Returns UTF-8; for a file that is not UTF-8, a charset with one character for each byte. */
    static Charset charset(Path file) {
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            reader.transferTo(Writer.nullWriter());
            return StandardCharsets.UTF_8;
        } catch (CharacterCodingException other) {
            return StandardCharsets.ISO_8859_1;
        } catch (IOException e) {
            throw new UncheckedIOException("load.value.file: '" + file + "' cannot be read", e);
        }
    }

    /** A file of values, or its lines, mapped once for all producers of a worker. */
    final class Pieces implements FileValues {
        private static final int MOST_STARTS = 1 << 22;

        private final ByteBuffer bytes;
        private final boolean whole;
        private final long pieces;
        private final int stride;
        private final int[] starts;

        Pieces(Path file, Each each) {
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
                throw new IllegalArgumentException("load.value.file: '" + file + "' has only empty lines");
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
            // A line's end is not part of the value.
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
                            + " bytes; must be between 1 and " + Integer.MAX_VALUE);
                }
                return channel.map(FileChannel.MapMode.READ_ONLY, 0, size);
            } catch (IOException e) {
                throw new UncheckedIOException("load.value.file: '" + file + "' cannot be read", e);
            }
        }
    }

    /**
     * The values between the matches of a regular expression in a file, all in memory, with unchanged bytes. The split
     * is that of {@code kafka-producer-perf-test}: it has empty values between two matches, but not before the first or
     * after the last match.
     */
    final class Delimited implements FileValues {
        private final List<byte[]> values = new ArrayList<>();
        private final double meanBytes;

        Delimited(Path file, String delimiter) {
            long bytes = 0;
            Charset charset = charset(file);
            try (Scanner scanner = scanner(file, charset, delimiter)) {
                while (scanner.hasNext()) {
                    byte[] value = scanner.next().getBytes(charset);
                    values.add(value);
                    bytes += value.length;
                }
                IOException broken = scanner.ioException();
                if (broken != null) {
                    throw broken;
                }
            } catch (IOException e) {
                throw new UncheckedIOException("load.value.file: '" + file + "' cannot be read", e);
            }
            if (values.isEmpty()) {
                throw new IllegalArgumentException(
                        "load.value.file: '" + file + "' contains only the delimiter '" + delimiter + "'");
            }
            meanBytes = (double) bytes / values.size();
        }

        @Override
        public long pieces() {
            return values.size();
        }

        @Override
        public double meanBytes() {
            return meanBytes;
        }

        @Override
        public byte[] piece(long number, Buffers buffers) {
            return values.get((int) number);
        }
    }
}
