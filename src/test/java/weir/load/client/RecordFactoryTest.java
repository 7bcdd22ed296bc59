package weir.load.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudevents.CloudEvent;
import io.cloudevents.kafka.KafkaMessageFactory;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weir.load.message.Identity;
import weir.load.message.LoadEvent;
import weir.load.message.Message;

class RecordFactoryTest {
    private static final int RUN_TAG = 0x90abcdef;

    /** The same arrays again and again, as most messages have them. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void eachRecordIsAnEventWithAnIdOfItsOwnAsTheSdkReadsIt(boolean header) {
        Message message = new Message();
        message.value = new byte[40];
        message.header = header;
        ClientSender.RecordFactory records = new ClientSender.RecordFactory(List.of("t"), message, false, true);
        for (int i = 0; i < 3; i++) {
            Identity.write(message.identified(), RUN_TAG, 7, i, 1_000 + i);
            ProducerRecord<byte[], byte[]> record = records.next();
            CloudEvent event = KafkaMessageFactory.createReader(record.headers(), record.value())
                    .toEvent();
            byte[] id = event.getId().getBytes(StandardCharsets.US_ASCII);
            byte[] identity = new byte[Identity.BYTES];
            assertThat(event.getId()).isEqualTo(HexFormat.of().formatHex(message.identified(), 0, Identity.BYTES));
            assertThat(LoadEvent.readId(id, id.length, identity)).isTrue();
            assertThat(Identity.dueNanos(identity)).isEqualTo(1_000 + i);
            assertThat(event.getSource()).hasToString("/weir");
            assertThat(event.getType()).isEqualTo("weir.event");
            assertThat(event.getDataContentType()).isEqualTo("application/octet-stream");
            assertThat(Objects.requireNonNull(event.getData()).toBytes()).isEqualTo(message.value);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRecordThatIsNoEventHasItsIdentityInOneHeaderAtMost(boolean header) {
        Message message = new Message();
        message.header = header;
        message.value = new byte[40];
        ProducerRecord<byte[], byte[]> record =
                new ClientSender.RecordFactory(List.of("t"), message, false, false).next();
        assertThat(record.headers().toArray()).hasSize(header ? 1 : 0);
    }
}
