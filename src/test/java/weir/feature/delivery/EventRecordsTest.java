package weir.feature.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudevents.CloudEvent;
import io.cloudevents.core.builder.CloudEventBuilder;
import io.cloudevents.core.provider.EventFormatProvider;
import io.cloudevents.jackson.JsonFormat;
import io.cloudevents.kafka.KafkaMessageFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;
import weir.event.EventAttributes;

/** Events through records of Kafka and out again. The other side is the Java SDK of CloudEvents. */
class EventRecordsTest {
    private static final String LETTERS = "abcXYZ019 -_.:/?\"%\\äß€\uD83D\uDE00+,;=";
    private static final String TOPIC = "events";

    private static List<CloudEvent> events() {
        Random random = new Random(18);
        List<CloudEvent> events = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            CloudEventBuilder event = CloudEventBuilder.v1()
                    .withId(text(random))
                    .withSource(URI.create("/weir/" + i))
                    .withType("a" + text(random))
                    .withExtension("partitionkey", text(random))
                    .withExtension("number", String.valueOf(random.nextInt()))
                    .withData("text/plain; x=\"y\"", text(random).getBytes(StandardCharsets.UTF_8));
            if (random.nextBoolean()) {
                event.withSubject(text(random));
            }
            events.add(event.build());
        }
        return events;
    }

    private static String text(Random random) {
        int[] letters = LETTERS.codePoints().toArray();
        StringBuilder text = new StringBuilder("x");
        for (int i = random.nextInt(20); i > 0; i--) {
            text.appendCodePoint(letters[random.nextInt(letters.length)]);
        }
        return text.toString();
    }

    private static ConsumerRecord<byte[], byte[]> read(ProducerRecord<?, byte[]> record) {
        return new ConsumerRecord<>(
                TOPIC,
                0,
                0,
                0,
                TimestampType.CREATE_TIME,
                0,
                0,
                null,
                record.value(),
                record.headers(),
                Optional.empty());
    }

    private static ProducerRecord<byte[], byte[]> throughOurs(ConsumerRecord<byte[], byte[]> record) {
        CarriedEvent event = new EventCodec().read(record);
        EventAttributes attributes = new EventAttributes();
        attributes.copyFrom(event.lines());
        return EventCodec.record(TOPIC, attributes, event.data());
    }

    private static CloudEvent toEvent(ProducerRecord<byte[], byte[]> record) {
        return KafkaMessageFactory.createReader(read(record)).toEvent();
    }

    private static void assertSame(CloudEvent found, CloudEvent wanted) {
        assertThat(found.getAttributeNames()).isEqualTo(wanted.getAttributeNames());
        for (String name : wanted.getAttributeNames()) {
            assertThat(found.getAttribute(name)).as(name).isEqualTo(wanted.getAttribute(name));
        }
        for (String name : wanted.getExtensionNames()) {
            assertThat(found.getExtension(name)).as(name).isEqualTo(wanted.getExtension(name));
        }
        assertThat(Objects.requireNonNull(found.getData()).toBytes())
                .isEqualTo(Objects.requireNonNull(wanted.getData()).toBytes());
    }

    @Test
    void binaryEventsComeOutAsTheyWentIn() {
        for (CloudEvent event : events()) {
            ProducerRecord<Void, byte[]> theirs =
                    KafkaMessageFactory.createWriter(TOPIC).writeBinary(event);
            ProducerRecord<byte[], byte[]> ours = throughOurs(read(theirs));
            assertSame(toEvent(ours), event);
            assertThat(ours.key())
                    .isEqualTo(
                            String.valueOf(event.getExtension("partitionkey")).getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void structuredEventsComeOutInBinaryMode() {
        for (CloudEvent event : events()) {
            ProducerRecord<Void, byte[]> theirs = KafkaMessageFactory.createWriter(TOPIC)
                    .writeStructured(
                            event,
                            Objects.requireNonNull(
                                    EventFormatProvider.getInstance().resolveFormat(JsonFormat.CONTENT_TYPE)));
            assertSame(toEvent(throughOurs(read(theirs))), event);
        }
    }
}
