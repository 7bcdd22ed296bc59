package weir.load.client;

import java.nio.ByteBuffer;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/** A deserializer that ignores keys. */
final class NoDeserializer implements Deserializer<@Nullable Integer> {
    @Override
    public @Nullable Integer deserialize(String topic, Headers headers, @Nullable ByteBuffer key) {
        return null;
    }

    @Override
    public @Nullable Integer deserialize(String topic, byte @Nullable [] key) {
        return null;
    }
}
