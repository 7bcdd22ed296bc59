package weir.load.client;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/** A deserializer that keeps only the hash of a key. */
final class KeyHashDeserializer implements Deserializer<@Nullable Integer> {
    @Override
    public @Nullable Integer deserialize(String topic, Headers headers, @Nullable ByteBuffer key) {
        return key == null ? null : Integer.valueOf(key.hashCode());
    }

    @Override
    public @Nullable Integer deserialize(String topic, byte @Nullable [] key) {
        return key == null ? null : Integer.valueOf(Arrays.hashCode(key));
    }
}
