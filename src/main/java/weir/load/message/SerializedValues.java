package weir.load.message;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import weir.feature.Feature;
import weir.plan.ValueSpec;

/** Values that the serializer of a feature writes, and its deserializer reads. */
public interface SerializedValues {
    /** A kind of serialized values. */
    interface Kind extends Feature.Part {
        Class<? extends ValueSpec> asked();

        /**
         * Creates the values without asking a server.
         *
         * @throws IllegalArgumentException with the path of the wrong key and the reason
         * @throws java.io.UncheckedIOException if a file cannot be read
         */
        SerializedValues of(ValueSpec asked, List<String> topics);
    }

    /** A deserializer of one reader. */
    interface ValueReader {
        ValueReader NONE = value -> {};

        void read(ByteBuffer value);
    }

    /** Returns the path of a key and the reason why the server behind it is unusable; empty if it is usable. */
    Optional<String> unusable();

    /** Prepares the server for the values. */
    void register();

    ValueSource.Serialized source(long seed);

    ValueReader reader();

    double meanBytes();
}
