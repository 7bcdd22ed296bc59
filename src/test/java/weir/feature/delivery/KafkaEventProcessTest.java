package weir.feature.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetCommitCallback;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RoundRobinPartitioner;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import weir.feature.delivery.EventProcessContext.KafkaClients;
import weir.feature.delivery.EventProcessSettings.Role;
import weir.http.Answers;
import weir.http.RequestService.Reply;

@Timeout(30)
class KafkaEventProcessTest {
    private static final String TOPIC = "events";

    /** A topic of two partitions in memory, with the records of a test. */
    private static final class TopicInMemory implements KafkaClients {
        final MockProducer<byte[], byte[]> producer = new MockProducer<>(
                false, new RoundRobinPartitioner(), new ByteArraySerializer(), new ByteArraySerializer());
        final Map<TopicPartition, OffsetAndMetadata> last = new ConcurrentHashMap<>();
        final Map<TopicPartition, OffsetAndMetadata> ever = new ConcurrentHashMap<>();
        /** Each entry answers one of the next questions for partitions. */
        final Queue<Supplier<List<PartitionInfo>>> moments = new ConcurrentLinkedQueue<>();

        final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest") {
            @Override
            public List<PartitionInfo> partitionsFor(String topic, Duration timeout) {
                Supplier<List<PartitionInfo>> moment = moments.poll();
                return moment == null ? super.partitionsFor(topic, timeout) : moment.get();
            }

            @Override
            public void commitSync(Map<TopicPartition, OffsetAndMetadata> offsets, Duration timeout) {
                last.putAll(offsets);
                ever.putAll(offsets);
            }

            @Override
            public synchronized void commitAsync(
                    Map<TopicPartition, OffsetAndMetadata> offsets, OffsetCommitCallback heard) {
                ever.putAll(offsets);
                super.commitAsync(offsets, heard);
            }
        };
        final long[] ends = new long[3];
        SortedMap<String, String> producing = new TreeMap<>();
        SortedMap<String, String> consuming = new TreeMap<>();

        TopicInMemory() {
            partitions(2);
            Map<TopicPartition, Long> zero = new HashMap<>();
            for (int partition = 0; partition < ends.length; partition++) {
                zero.put(new TopicPartition(TOPIC, partition), 0L);
            }
            consumer.updateBeginningOffsets(zero);
            consumer.updateEndOffsets(zero);
        }

        private void partitions(int count) {
            Node node = new Node(1, "there", 1);
            consumer.updatePartitions(
                    TOPIC,
                    IntStream.range(0, count)
                            .mapToObj(number ->
                                    new PartitionInfo(TOPIC, number, node, new Node[] {node}, new Node[] {node}))
                            .toList());
        }

        @Override
        public Producer<byte[], byte[]> producer(SortedMap<String, String> properties) {
            producing = properties;
            return producer;
        }

        @Override
        public Consumer<byte[], byte[]> consumer(SortedMap<String, String> properties) {
            consuming = properties;
            return consumer;
        }

        /** Adds a record to a partition. The consumer gets it with its next poll. */
        void put(int partition, String value, Map<String, String> headers) {
            RecordHeaders all = new RecordHeaders();
            headers.forEach((name, text) -> all.add(name, text.getBytes(StandardCharsets.UTF_8)));
            byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
            long offset = ends[partition]++;
            ConsumerRecord<byte[], byte[]> record = new ConsumerRecord<>(
                    TOPIC,
                    partition,
                    offset,
                    0,
                    TimestampType.CREATE_TIME,
                    0,
                    bytes.length,
                    null,
                    bytes,
                    all,
                    Optional.empty());
            consumer.schedulePollTask(() -> {
                consumer.updateEndOffsets(Map.of(new TopicPartition(TOPIC, partition), offset + 1));
                consumer.addRecord(record);
            });
        }

        void put(int partition, String value) {
            put(
                    partition,
                    value,
                    Map.of(
                            "ce_id",
                            EventProcessUnderTest.ID,
                            "ce_source",
                            "/s",
                            "ce_type",
                            "t",
                            "ce_specversion",
                            "1.0"));
        }

        long committed(int partition) {
            TopicPartition asked = new TopicPartition(TOPIC, partition);
            OffsetAndMetadata found = consumer.committed(Set.of(asked)).get(asked);
            return found == null ? -1 : found.offset();
        }
    }

    private final TopicInMemory topic = new TopicInMemory();
    private final SubscriberUnderTest subscriber = new SubscriberUnderTest();
    private final List<EventProcessUnderTest> started = new ArrayList<>();

    KafkaEventProcessTest() throws IOException {}

    @AfterEach
    void close() {
        started.forEach(EventProcessUnderTest::close);
        subscriber.close();
    }

    private EventProcessUnderTest start(Role role) throws IOException {
        return start(role, 0, "");
    }

    private EventProcessUnderTest start(Role role, int retry, String deadLetters) throws IOException {
        EventProcessUnderTest under = new EventProcessUnderTest(EventProcess.start(
                EventProcessUnderTest.settings(
                        role, EventProcessUnderTest.dispatch(retry, List.of(), 1 << 20), deadLetters, subscriber.url()),
                topic,
                System::nanoTime));
        started.add(under);
        return under;
    }

    @Test
    void eventIsAcceptedAfterTheBrokersAck() throws Exception {
        EventProcessUnderTest under = start(Role.KAFKA_CHANNEL);
        CompletableFuture<HttpResponse<String>> answer =
                under.postAsync("hello", "ce-partitionkey", "k%20y", "content-type", "text/plain");
        while (topic.producer.history().isEmpty()) {
            Thread.sleep(1);
        }
        assertThat(answer).isNotDone();
        topic.producer.completeNext();
        assertThat(answer.get().statusCode()).isEqualTo(202);
        ProducerRecord<byte[], byte[]> record = topic.producer.history().get(0);
        assertThat(record.value()).asString().isEqualTo("hello");
        assertThat(record.key()).asString().isEqualTo("k y");
        assertThat(record.headers().lastHeader("ce_id").value()).asString().isEqualTo(EventProcessUnderTest.ID);
        assertThat(record.headers().lastHeader("ce_partitionkey").value())
                .asString()
                .isEqualTo("k y");
        assertThat(record.headers().lastHeader("content-type").value())
                .asString()
                .isEqualTo("text/plain");
        assertThat(record.headers().toArray()).hasSize(6);
        assertThat(under.figure("events.accepted")).isEqualTo(1);
        assertThat(under.figure("age.acked.count")).isEqualTo(1);
        assertThat(under.figure("part.writing.count")).isEqualTo(1);
    }

    @Test
    void unwrittenEventIsRefused() throws Exception {
        EventProcessUnderTest under = start(Role.KAFKA_CHANNEL);
        for (RuntimeException fault :
                List.of(new BufferExhaustedException("full"), new NotLeaderOrFollowerException("moved"))) {
            CompletableFuture<HttpResponse<String>> answer = under.postAsync("hello");
            while (!topic.producer.errorNext(fault)) {
                Thread.sleep(1);
            }
            assertThat(answer.get().statusCode()).isEqualTo(fault instanceof BufferExhaustedException ? 429 : 503);
            assertThat(answer.get().headers().firstValue("retry-after")).hasValue("1");
        }
        assertThat(under.figure("events.accepted")).isZero();
        assertThat(under.figure("events.full")).isEqualTo(1);
        assertThat(under.figure("events.refused")).isEqualTo(1);
    }

    @Test
    void topicIsReadFromStartAndCommittedToTheFirstGap() throws Exception {
        subscriber.answersLater();
        EventProcessUnderTest under = start(Role.SOURCE);
        topic.put(0, "a");
        topic.put(0, "b");
        topic.put(1, "c");
        Map<String, Reply> replies = new HashMap<>();
        for (int i = 0; i < 3; i++) {
            SubscriberUnderTest.Got got = subscriber.take();
            replies.put(got.text(), got.reply());
        }
        assertThat(under.get("/held")).isEqualTo("{\"held\":3,\"parked\":0}\n");
        answer(replies, "b");
        answer(replies, "c");
        under.await("events.delivered", 2);
        assertThat(under.get("/held")).isEqualTo("{\"held\":1,\"parked\":0}\n");
        while (topic.committed(1) != 1) {
            Thread.sleep(1);
        }
        assertThat(topic.committed(0)).isEqualTo(-1);
        answer(replies, "a");
        under.process.close();
        assertThat(topic.last).containsOnly(entry(new TopicPartition(TOPIC, 0), new OffsetAndMetadata(2)));
        assertThat(topic.consumer.closed()).isTrue();
        assertThat(topic.consuming).containsEntry("group.id", "weir-1").containsEntry("enable.auto.commit", "false");
    }

    private static void answer(Map<String, Reply> replies, String body) {
        Reply reply = replies.remove(body);
        if (reply == null) {
            throw new AssertionError(body + " did not come, or is answered");
        }
        reply.answer(Answers.queued());
    }

    @Test
    void addedPartitionIsReadFromItsFirstRecord() throws Exception {
        EventProcessUnderTest under = start(Role.SOURCE);
        topic.put(0, "a");
        assertThat(subscriber.take().text()).isEqualTo("a");
        topic.consumer.schedulePollTask(() -> topic.partitions(3));
        while (topic.consumer.assignment().size() < 3) {
            Thread.sleep(1);
        }
        topic.put(2, "b");
        topic.put(1, "c");
        assertThat(List.of(subscriber.take().text(), subscriber.take().text())).containsExactlyInAnyOrder("b", "c");
        under.await("events.delivered", 3);
        assertThat(under.get("/held")).isEqualTo("{\"held\":0,\"parked\":0}\n");
    }

    @Test
    void brieflyUnknownTopicIsReadAgain() throws Exception {
        EventProcessUnderTest under = start(Role.SOURCE);
        topic.put(0, "a");
        assertThat(subscriber.take().text()).isEqualTo("a");
        topic.moments.add(List::of);
        topic.moments.add(() -> {
            throw new UnknownTopicOrPartitionException("it is made anew");
        });
        while (!topic.moments.isEmpty()) {
            Thread.sleep(1);
        }
        topic.put(0, "b");
        assertThat(subscriber.take().text()).isEqualTo("b");
        assertThat(under.get("/healthz")).isEqualTo("ok\n");
    }

    @Test
    void readerCommitsOnCloseWithoutPartitionMetadata() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        Supplier<List<PartitionInfo>> never = new Supplier<>() {
            @Override
            public List<PartitionInfo> get() {
                topic.moments.add(this);
                asked.countDown();
                throw new UnknownTopicOrPartitionException("not yet");
            }
        };
        subscriber.answersLater();
        EventProcessUnderTest under = start(Role.SOURCE);
        topic.put(0, "a");
        SubscriberUnderTest.Got got = subscriber.take();
        topic.moments.add(never);
        asked.await();
        got.reply().answer(Answers.queued());
        under.await("events.delivered", 1);
        under.process.close();
        assertThat(topic.ever).containsOnly(entry(new TopicPartition(TOPIC, 0), new OffsetAndMetadata(1)));
    }

    @Test
    void unfetchedTopicRecordsCountAsHeld() throws Exception {
        EventProcessUnderTest under = start(Role.SOURCE);
        while (under.get("/held").contains("-1")) {
            Thread.sleep(1);
        }
        topic.consumer.schedulePollTask(
                () -> topic.consumer.updateEndOffsets(Map.of(new TopicPartition(TOPIC, 1), 7L)));
        while (!under.get("/held").equals("{\"held\":7,\"parked\":0}\n")) {
            Thread.sleep(1);
        }
    }

    @Test
    void recordsWithoutEventAttributesBecomeEvents() throws Exception {
        EventProcessUnderTest under = start(Role.SOURCE);
        topic.put(1, "plain", Map.of());
        SubscriberUnderTest.Got plain = subscriber.take();
        assertThat(plain.header("ce-id")).isEqualTo("events-1-0");
        assertThat(plain.header("ce-source")).isEqualTo("/topics/events");
        assertThat(plain.header("ce-type")).isEqualTo("weir.record");
        assertThat(plain.text()).isEqualTo("plain");
        topic.put(0, "named", Map.of("weir", "abcdefghijklmnopqrstuvwx"));
        assertThat(subscriber.take().header("ce-id")).isEqualTo("6162636465666768696a6b6c6d6e6f707172737475767778");
        topic.put(
                0,
                "{\"specversion\":\"1.0\",\"id\":\"9\",\"source\":\"/s\",\"type\":\"t\",\"data_base64\":\"aGk=\"}",
                Map.of("content-type", "application/cloudevents+json"));
        SubscriberUnderTest.Got structured = subscriber.take();
        assertThat(structured.header("ce-id")).isEqualTo("9");
        assertThat(structured.text()).isEqualTo("hi");
        topic.put(0, "{\"id\":", Map.of("content-type", "application/cloudevents+json"));
        SubscriberUnderTest.Got torn = subscriber.take();
        assertThat(torn.header("ce-id")).isEqualTo("events-0-2");
        assertThat(torn.text()).isEqualTo("{\"id\":");
        under.await("events.delivered", 4);
        assertThat(under.post("x").statusCode()).isEqualTo(405);
    }

    @Test
    void fetchingPausesAboveTheMemoryLimit() throws Exception {
        subscriber.answersLater();
        EventProcessUnderTest under = start(Role.SOURCE);
        String large = "x".repeat(300_000);
        topic.put(0, large);
        topic.put(0, large);
        topic.put(1, "y");
        Reply first = subscriber.take().reply();
        Reply second = subscriber.take().reply();
        Reply other = subscriber.take().reply();
        while (!topic.consumer.paused().equals(Set.of(new TopicPartition(TOPIC, 0)))) {
            Thread.sleep(1);
        }
        first.answer(Answers.queued());
        second.answer(Answers.queued());
        other.answer(Answers.queued());
        while (!topic.consumer.paused().isEmpty()) {
            Thread.sleep(1);
        }
        under.await("events.delivered", 3);
    }

    @Test
    void undeliverableEventsGoToTheDeadLetterTopic() throws Exception {
        subscriber.answers(Answers.passedOn(500, "", new byte[0]));
        EventProcessUnderTest under = start(Role.SOURCE, 2, "letters");
        topic.put(0, "hello");
        while (topic.producer.history().isEmpty()) {
            Thread.sleep(1);
        }
        ProducerRecord<byte[], byte[]> letter = topic.producer.history().get(0);
        assertThat(letter.topic()).isEqualTo("letters");
        assertThat(letter.value()).asString().isEqualTo("hello");
        assertThat(letter.headers().lastHeader("ce_knativeerrorcode").value())
                .asString()
                .isEqualTo("500");
        assertThat(letter.headers().lastHeader("ce_knativeerrordest").value())
                .asString()
                .isEqualTo(subscriber.url());
        assertThat(topic.producing).containsEntry("acks", "all");
        assertThat(under.get("/held")).isEqualTo("{\"held\":1,\"parked\":0}\n");
        topic.producer.completeNext();
        under.await("events.parked", 1);
        assertThat(under.get("/held")).isEqualTo("{\"held\":0,\"parked\":1}\n");
        assertThat(under.figure("events.retried")).isEqualTo(2);
        assertThat(subscriber.events).hasSize(3);
    }

    @Test
    void deadReaderIsAFaultOfTheEventProcess() throws Exception {
        EventProcessUnderTest under = start(Role.SOURCE);
        topic.consumer.schedulePollTask(() -> {
            throw new IllegalStateException("no more");
        });
        while (!under.get("/healthz").contains("no more")) {
            Thread.sleep(1);
        }
        assertThat(under.get("/held")).isEqualTo("{\"held\":-1,\"parked\":0}\n");
    }
}
