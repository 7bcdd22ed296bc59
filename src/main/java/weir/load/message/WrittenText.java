package weir.load.message;

/** A source of text keys or text values without identities. The source writes a new text for each record. */
final class WrittenText implements KeySource, ValueSource {
    private final Writing writing;
    private final Ascii text = new Ascii();
    private final Buffers buffers = new Buffers();

    interface Writing {
        void write(long sequence, byte[] value, Ascii into);
    }

    WrittenText(Writing writing) {
        this.writing = writing;
    }

    @Override
    public byte[] next(long sequence) {
        return next(sequence, NONE);
    }

    @Override
    public byte[] next(long sequence, byte[] value) {
        text.length = 0;
        writing.write(sequence, value, text);
        byte[] written = buffers.of(text.length);
        text.copyTo(written);
        return written;
    }

    static void column(int column, byte[] line, Ascii into) {
        int columns = columns(line, column, into);
        if (columns < column) {
            throw new IllegalStateException(
                    "load.key.column: a value has " + columns + " columns, but the key is column " + column);
        }
    }

    /**
     * Counts the columns of a line and writes one of them, as in RFC 4180. In a column that begins with a quote, commas
     * do not separate columns, and two quotes mean one quote.
     */
    static int columns(byte[] line, int column, Ascii into) {
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
}
