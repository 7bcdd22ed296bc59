package weir.measure;

import java.io.IOException;
import java.io.Reader;

/** A reader of lines of an untrusted text. It skips an unfinished last line, which a killed run may leave. */
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

    public int number() {
        return number;
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
