package weir.load.workload;

import weir.load.message.ValueSource;

/** Values that are text, written anew for every record. */
final class WrittenValues implements ValueSource {
    private final Writing writing;
    private final Ascii text = new Ascii();
    private final Buffers buffers = new Buffers();

    /** Writes the value with this sequence number. */
    interface Writing {
        void write(long sequence, Ascii into);
    }

    WrittenValues(Writing writing) {
        this.writing = writing;
    }

    @Override
    public byte[] next(long sequence) {
        text.clear();
        writing.write(sequence, text);
        byte[] value = buffers.of(text.length());
        text.copyTo(value);
        return value;
    }

    /** Text stays text: whoever reads it finds no other bytes in it. */
    @Override
    public boolean generated() {
        return false;
    }
}
