package weir.cluster.start;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A check for client properties that contradict each other or name missing classes. The check creates a client without
 * a connection or a login. If a property that is not for login has a reference, the check only parses the properties.
 */
public final class RefusedProperties {
    private static final String SHARE = "share.";
    private static final String NOWHERE = "localhost:9";
    /** Properties with third-party code that would start to run, such as a metrics server. */
    private static final Set<String> PROGRAMS = Set.of("interceptor.classes", "metric.reporters");

    private RefusedProperties() {}

    public static Optional<String> ofProducer(
            SortedMap<String, String> client, SortedMap<String, String> producer, boolean transactional) {
        SortedMap<String, String> own = new TreeMap<>(producer);
        own.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
        own.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
        if (transactional) {
            own.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, "weir");
        }
        return refusal(
                together(client, own),
                ProducerConfig::new,
                all -> new KafkaProducer<byte[], byte[]>(all).close(Duration.ZERO));
    }

    public static Optional<String> ofConsumer(SortedMap<String, String> client, SortedMap<String, String> consumer) {
        return refusal(
                together(client, consumer(consumer)),
                ConsumerConfig::new,
                all -> new KafkaConsumer<byte[], byte[]>(all).close(CloseOptions.timeout(Duration.ZERO)));
    }

    /** {@code acknowledge} is the mode of a member of a share group. */
    public static Optional<String> ofShareConsumer(
            SortedMap<String, String> client, SortedMap<String, String> consumer, String acknowledge) {
        SortedMap<String, String> own = consumer(consumer);
        own.put(SHARE + "acknowledgement.mode", acknowledge);
        return refusal(
                together(client, own),
                all -> {
                    // Only a share consumer accepts these, and its parser is not public.
                    all.keySet().removeIf(name -> name.startsWith(SHARE));
                    var unused = new ConsumerConfig(all);
                },
                all -> new KafkaShareConsumer<byte[], byte[]>(all).close(Duration.ZERO));
    }

    private static SortedMap<String, String> consumer(SortedMap<String, String> consumer) {
        SortedMap<String, String> own = new TreeMap<>(consumer);
        own.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName());
        own.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName());
        own.putIfAbsent(ConsumerConfig.GROUP_ID_CONFIG, "weir");
        return own;
    }

    private static Map<String, Object> together(SortedMap<String, String> client, SortedMap<String, String> own) {
        Map<String, Object> all = new LinkedHashMap<>(client);
        all.putAll(own);
        all.keySet().removeIf(name -> name.startsWith("config.providers"));
        all.put("bootstrap.servers", NOWHERE);
        return all;
    }

    private static boolean refers(Object value) {
        return String.valueOf(value).contains("${");
    }

    private static Optional<String> refusal(
            Map<String, Object> all, Consumer<Map<String, Object>> parse, Consumer<Map<String, Object>> make) {
        try {
            Map<String, Object> resolved = new LinkedHashMap<>(all);
            resolved.values().removeIf(RefusedProperties::refers);
            parse.accept(resolved);
            // The client would log in, or look for files that are on other hosts; connecting shows these faults later.
            all.keySet().removeIf(name -> name.matches("(security|sasl|ssl)\\..*") || PROGRAMS.contains(name));
            if (all.values().stream().noneMatch(RefusedProperties::refers)) {
                make.accept(all);
            }
            return Optional.empty();
        } catch (KafkaException e) {
            Throwable cause = e.getCause();
            return Optional.of(String.valueOf((cause == null || cause.getMessage() == null ? e : cause).getMessage()));
        }
    }
}
