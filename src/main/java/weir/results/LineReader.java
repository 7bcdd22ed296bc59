package weir.results;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The lines of a file that may be anything. The last line of a killed trial may be cut anywhere, and still look right;
 * without its end it is left out.
 */
final class LineReader implements AutoCloseable {
    /** The longest of ours holds the last words of a broker. */
    private static final int LONGEST = 1 << 20;

    private final Reader reader;
    private final char[] buffer = new char[1 << 15];
    private final StringBuilder line = new StringBuilder();
    private int from;
    private int to;
    private int number;

    private LineReader(Reader reader) {
        this.reader = reader;
    }

    static LineReader of(Path file) throws IOException {
        return new LineReader(new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8));
    }

    /** Goes to the next whole line; false when there is none. */
    boolean next() throws IOException {
        line.setLength(0);
        number++;
        while (true) {
            for (int at = from; at < to; at++) {
                if (buffer[at] == '\n') {
                    line.append(buffer, from, at - from);
                    from = at + 1;
                    return true;
                }
            }
            line.append(buffer, from, to - from);
            if (line.length() > LONGEST) {
                throw new IOException("line " + number + " is longer than any that a run writes");
            }
            from = 0;
            to = reader.read(buffer);
            if (to < 0) {
                to = 0;
                return false;
            }
        }
    }

    String line() {
        return line.toString();
    }

    int number() {
        return number;
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
