package weir.cluster.start;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Properties that are right one by one, and that a client refuses together when it starts. References to secrets are
 * left out: they are resolved only where they are used.
 */
public final class RefusedProperties {
    private static final String NOWHERE = "localhost:9";

    private RefusedProperties() {}

    /** The error of a producer with such properties; empty if it would start. */
    public static Optional<String> ofProducer(
            SortedMap<String, String> client, SortedMap<String, String> producer, boolean transactional) {
        Map<String, Object> all = known(client, producer);
        all.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        all.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        if (transactional) {
            all.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, "weir");
        }
        return said(() -> {
            ProducerConfig config = new ProducerConfig(all);
            long needed = config.getLong(ProducerConfig.LINGER_MS_CONFIG)
                    + config.getInt(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG);
            // The producer checks this itself, and not its configuration.
            if (all.containsKey(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG)
                    && config.getInt(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG) < needed) {
                throw new ConfigException("delivery.timeout.ms should be equal to or larger than linger.ms"
                        + " + request.timeout.ms, which are " + needed);
            }
        });
    }

    /** The error of a consumer with such properties; empty if it would start. */
    public static Optional<String> ofConsumer(SortedMap<String, String> client, SortedMap<String, String> consumer) {
        Map<String, Object> all = known(client, consumer);
        all.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        all.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        return said(() -> new ConsumerConfig(all));
    }

    private static Map<String, Object> known(SortedMap<String, String> client, SortedMap<String, String> own) {
        Map<String, Object> all = new LinkedHashMap<>(client);
        all.putAll(own);
        all.values().removeIf(value -> String.valueOf(value).contains("${"));
        all.keySet().removeIf(name -> name.startsWith("config.providers"));
        all.put("bootstrap.servers", NOWHERE);
        return all;
    }

    private static Optional<String> said(Runnable start) {
        try {
            start.run();
            return Optional.empty();
        } catch (ConfigException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }
}
