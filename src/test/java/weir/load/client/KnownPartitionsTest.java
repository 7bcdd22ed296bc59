package weir.load.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudevents.CloudEvent;
import io.cloudevents.kafka.KafkaMessageFactory;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.InvalidTxnTimeoutException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weir.load.client.ClientConfig.Kind;
import weir.load.engine.LoadRefused;
import weir.load.engine.TopicGone;
import weir.load.message.Identity;
import weir.load.message.LoadEvent;
import weir.load.message.Message;
import weir.plan.property.Property;
import weir.plan.property.Property.Source;

class KnownPartitionsTest {
    private static final Uuid ID = new Uuid(1, 2);

    private static final Map<String, String> CLIENT =
            Map.of("bootstrap.servers", "localhost:9092", "isolation.level", "read_committed");

    private static final int RUN_TAG = 0x90abcdef;

    private final AtomicLong now = new AtomicLong();
    private KafkaFuture<TopicDescription> told = KafkaFuture.completedFuture(topic("a", 2, ID));
    private final KnownPartitions known = twoTopics();

    private KnownPartitions twoTopics() {
        return new KnownPartitions(
                List.of("a", "b"),
                Map.of("a", topic("a", 2, ID), "b", topic("b", 1, ID)),
                () -> Map.of("a", told),
                now::get);
    }

    private static TopicDescription topic(String name, int partitions, Uuid id) {
        List<TopicPartitionInfo> all = IntStream.range(0, partitions)
                .mapToObj(number -> new TopicPartitionInfo(number, Node.noNode(), List.of(), List.of()))
                .toList();
        return new TopicDescription(name, false, all, null, id);
    }

    @Test
    void partitionsThatAreAddedKeepTheIndexesOfTheOthers() {
        known.learn(topic("a", 4, ID));
        known.learn("b", 2);
        assertThat(known.all)
                .extracting(TopicPartition::toString)
                .containsExactly("a-0", "a-1", "b-0", "a-2", "a-3", "b-1");
        assertThat(known.index(new TopicPartition("b", 0))).isEqualTo(2);
        assertThat(known.index(new TopicPartition("b", 2)))
                .as("told by who reads it")
                .isEqualTo(6);
    }

    @Test
    void everyAddedPartitionHasExactlyOneReader() {
        known.learn("a", 9);
        known.learn("b", 9);
        KnownPartitions elsewhere = twoTopics();
        elsewhere.learn("b", 9);
        elsewhere.learn("a", 9);
        List<String> read = IntStream.range(0, 3)
                .mapToObj(reader -> (reader == 0 ? known : elsewhere)
                        .of(reader, 3, 0).stream()
                                .map(index -> (reader == 0 ? known : elsewhere)
                                        .all
                                        .get(index)
                                        .toString())
                                .toList())
                .flatMap(List::stream)
                .toList();
        assertThat(read).hasSize(18).doesNotHaveDuplicates();
    }

    @Test
    void topicThatWasMadeAgainIsGone() {
        assertThatThrownBy(() -> known.learn(topic("a", 2, new Uuid(3, 4))))
                .isInstanceOf(TopicGone.class)
                .hasMessage("topic 'a' was deleted and created again during the run");
    }

    @Test
    void fewerPartitionsOfTheSameIdAreAnAnswerOfBefore() {
        known.learn(topic("a", 1, ID));
        assertThat(known.size()).isEqualTo(3);
        KnownPartitions withoutIds =
                new KnownPartitions(List.of("a"), Map.of("a", topic("a", 2, Uuid.ZERO_UUID)), Map::of, now::get);
        assertThatThrownBy(() -> withoutIds.learn(topic("a", 1, Uuid.ZERO_UUID)))
                .isInstanceOf(TopicGone.class);
    }

    @Test
    void topicIsGoneIfBrokersDenyItButNotIfTheyAreUnreachable() {
        told = failed(new TimeoutException());
        known.ask();
        now.addAndGet(10 * TopicGone.SURE_NANOS);
        known.ask();
        told = failed(new UnknownTopicOrPartitionException());
        known.ask();
        now.addAndGet(TopicGone.SURE_NANOS);
        assertThatThrownBy(known::ask).hasMessage("topic 'a' was deleted during the run");
    }

    @Test
    void addedPartitionsAreFoundAtTheNextRefresh() {
        told = KafkaFuture.completedFuture(topic("a", 3, ID));
        known.refresh();
        assertThat(known.size()).isEqualTo(3);
        now.addAndGet(5_000_000_000L);
        known.refresh();
        known.refresh();
        assertThat(known.size()).isEqualTo(4);
    }

    private static KafkaFuture<TopicDescription> failed(RuntimeException why) {
        KafkaFutureImpl<TopicDescription> future = new KafkaFutureImpl<>();
        future.completeExceptionally(why);
        return future;
    }

    private static ClientConfig producer(Map<String, String> asked) {
        return new ClientConfig(Kind.PRODUCER, Map.of("metrics.sample.window.ms", "1000"), CLIENT, asked)
                .set("key.serializer", "org.apache.kafka.common.serialization.ByteArraySerializer")
                .set("value.serializer", "org.apache.kafka.common.serialization.ByteArraySerializer");
    }

    private static Property property(ClientConfig config, String name) {
        return config.effective().stream()
                .filter(property -> property.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void everyPropertyHasItsSource() {
        ClientConfig config = producer(Map.of("acks", "1", "linger.ms", "10"));
        assertThat(property(config, "linger.ms"))
                .isEqualTo(new Property("producer", "linger.ms", "10", "10", "5", Source.YOURS));
        assertThat(property(config, "metrics.sample.window.ms").source()).isEqualTo(Source.WEIR);
        assertThat(property(config, "batch.size").source()).isEqualTo(Source.DEFAULT);
        assertThat(property(config, "batch.size").requested()).isEmpty();
    }

    @Test
    void propertyOverriddenByTheClientIsListed() {
        Property idempotence = property(producer(Map.of("acks", "1")), "enable.idempotence");
        assertThat(idempotence)
                .isEqualTo(new Property("producer", "enable.idempotence", "", "false", "true", Source.OVERRIDDEN));
    }

    @Test
    void aPropertyThatOnlyOtherClientsKnowIsLeftOut() {
        assertThat(producer(Map.of()).named("p")).doesNotContainKey("isolation.level");
        ClientConfig consumer = new ClientConfig(Kind.CONSUMER, Map.of(), CLIENT, Map.of());
        assertThat(consumer.named("c")).containsEntry("isolation.level", "read_committed");
    }

    @Test
    void secretsAreHidden() {
        ClientConfig config = producer(Map.of("ssl.keystore.password", "hunter2", "my.plugin.token", "hunter2"));
        assertThat(config.effective()).noneMatch(property -> property.toString().contains("hunter2"));
        assertThat(config.named("p")).containsEntry("ssl.keystore.password", "hunter2");
        assertThat(property(config, "my.plugin.token").effective()).isEqualTo("[hidden]");
    }

    @Test
    void aClientIsNamedUnlessTheUserDid() {
        assertThat(producer(Map.of()).named("p")).containsEntry("client.id", "p");
        assertThat(producer(Map.of("client.id", "mine")).named("p")).containsEntry("client.id", "mine");
    }

    private static LoadRefused refused(RuntimeException why) {
        return ClientRefusals.of(new IllegalStateException("thread weir-producer-1 died: " + why, why))
                .orElseThrow();
    }

    @Test
    void aMissingRightNamesTheTableOfRights() {
        LoadRefused refused = refused(new TopicAuthorizationException("Not authorized to access topics: [t]"));
        assertThat(refused)
                .hasMessage("the cluster refuses: Not authorized to access topics: [t]. docs/reference/rights.md lists"
                        + " the rights that each command needs");
        assertThat(refused.fenced()).isFalse();
    }

    @Test
    void brokerLimitIsReportedVerbatim() {
        assertThat(refused(new InvalidTxnTimeoutException("too long"))).hasMessage("too long");
    }

    @Test
    void aClientThatCannotBeMadeNamesTheClassThatIsMissing() {
        ByteArrayDeserializer bytes = new ByteArrayDeserializer();
        try (KafkaConsumer<byte[], byte[]> made = new KafkaConsumer<>(
                Map.of("bootstrap.servers", "localhost:9", "group.id", "g", "interceptor.classes", "no.Such"),
                bytes,
                bytes)) {
            throw new AssertionError(made + " was made");
        } catch (KafkaException why) {
            assertThat(refused(why).getMessage()).contains("no.Such").doesNotContain("\n");
        }
    }

    @Test
    void staticMemberWithATakenIdIsFenced() {
        LoadRefused refused = refused(new FencedInstanceIdException("another member has it"));
        assertThat(refused.fenced()).isTrue();
        assertThat(refused).hasMessageStartingWith("another member took the group.instance.id (another member has it)");
    }

    @Test
    void timeoutIsNoClientRefusal() {
        assertThat(ClientRefusals.of(new IllegalStateException(new TimeoutException("no broker answers"))))
                .isEmpty();
    }

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
