package weir.host;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** The last lines of a log. */
public final class LastLines {
    private static final int TAIL_BYTES = 64 * 1024;

    private LastLines() {}

    public static List<String> of(Path file, int count) {
        try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "r")) {
            long from = Math.max(0, log.length() - TAIL_BYTES);
            byte[] tail = new byte[(int) (log.length() - from)];
            log.seek(from);
            log.readFully(tail);
            List<String> lines =
                    new String(tail, StandardCharsets.UTF_8).lines().toList();
            return lines.subList(Math.max(0, lines.size() - count), lines.size());
        } catch (IOException e) {
            throw new UncheckedIOException("reading the end of " + file, e);
        }
    }
}
