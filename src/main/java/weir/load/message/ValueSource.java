package weir.load.message;

/** A source of message values, owned by one sending thread. */
public interface ValueSource {
    /** Returns the next value, which is valid until the next call. */
    byte[] next(long sequence);

    /**
     * A source with a serializer. An application has its data before a record is due, and serializes the data in its
     * call of send.
     */
    interface Serialized extends ValueSource {
        /** Draws the data of the next value. */
        void draw();

        /** Returns the bytes of the data, which are valid until the next call. */
        byte[] serialize();

        @Override
        default byte[] next(long sequence) {
            draw();
            return serialize();
        }
    }

    /** Returns true if the identity may overwrite a value. It may not overwrite text. */
    default boolean generated() {
        return false;
    }

    /** Returns true if each message can have any value. Each value then has space for an identity. */
    default boolean interchangeable() {
        return false;
    }
}
