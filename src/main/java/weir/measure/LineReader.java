package weir.measure;

import java.io.IOException;
import java.io.Reader;

/**
 * The lines of a text that may be anything. The last line of a run that was killed may be cut anywhere, and still look
 * right; without its end it is left out.
 */
public final class LineReader implements AutoCloseable {
    private final Reader reader;
    private final int longest;
    private final char[] buffer = new char[1 << 15];
    private final StringBuilder line = new StringBuilder();
    private int from;
    private int to;
    private int number;

    public LineReader(Reader reader, int longest) {
        this.reader = reader;
        this.longest = longest;
    }

    /** Goes to the next whole line; false when there is none. */
    public boolean next() throws IOException {
        line.setLength(0);
        number++;
        do {
            int end = from;
            while (end < to && buffer[end] != '\n') {
                end++;
            }
            line.append(buffer, from, end - from);
            if (line.length() > longest) {
                throw new IOException("line " + number + " is longer than " + longest);
            }
            if (end < to) {
                from = end + 1;
                return true;
            }
            from = 0;
            to = Math.max(0, reader.read(buffer));
        } while (to > 0);
        return false;
    }

    public String line() {
        return line.toString();
    }

    /** Counted from 1. */
    public int number() {
        return number;
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
