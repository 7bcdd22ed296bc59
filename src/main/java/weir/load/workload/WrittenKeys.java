package weir.load.workload;

import java.util.SplittableRandom;
import weir.load.message.KeySource;

/** Keys that are text, written anew for every record. */
final class WrittenKeys implements KeySource {
    private final Writing writing;
    private final Ascii text = new Ascii();
    private final Buffers buffers = new Buffers();

    /** Writes the key of the record with this sequence number and value. */
    interface Writing {
        void write(long sequence, byte[] value, Ascii into);
    }

    WrittenKeys(Writing writing) {
        this.writing = writing;
    }

    static WrittenKeys sequence() {
        return new WrittenKeys((sequence, value, into) -> into.number(sequence));
    }

    static WrittenKeys random(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return new WrittenKeys((sequence, value, into) -> into.hex(random.nextLong()));
    }

    static WrittenKeys skewed(Zipf zipf, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return new WrittenKeys((sequence, value, into) -> into.number(zipf.next(random)));
    }

    static WrittenKeys column(int column) {
        return new WrittenKeys((sequence, value, into) -> column(column, value, into));
    }

    private static void column(int column, byte[] line, Ascii into) {
        int columns = columns(line, column, into);
        if (columns < column) {
            throw new IllegalStateException(
                    "load.key.column: a value has " + columns + " columns, so there is no column " + column);
        }
    }

    static int columns(byte[] line) {
        return columns(line, 0, new Ascii());
    }

    /**
     * Counts the columns, and writes one of them. As RFC 4180 has it: in a column that begins with a quote commas separate
     * nothing, and two quotes are one.
     */
    private static int columns(byte[] line, int column, Ascii into) {
        int current = 1;
        boolean quoted = false;
        boolean begins = true;
        for (int i = 0; i < line.length; i++) {
            byte b = line[i];
            boolean doubled = quoted && b == '"' && i + 1 < line.length && line[i + 1] == '"';
            if (b == '"' && !doubled && (quoted || begins)) {
                quoted = !quoted;
                begins = false;
                continue;
            }
            begins = b == ',' && !quoted;
            if (begins) {
                current++;
            } else if (current == column) {
                into.character((char) (b & 0xFF));
            }
            i += doubled ? 1 : 0;
        }
        return current;
    }

    @Override
    public byte[] next(long sequence, byte[] value) {
        text.clear();
        writing.write(sequence, value, text);
        byte[] key = buffers.of(text.length());
        text.copyTo(key);
        return key;
    }
}
