package weir.feature.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudevents.CloudEvent;
import io.cloudevents.core.builder.CloudEventBuilder;
import io.cloudevents.core.provider.EventFormatProvider;
import io.cloudevents.jackson.JsonFormat;
import io.cloudevents.kafka.KafkaMessageFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import weir.event.EventAttributes;
import weir.event.MalformedEvent;
import weir.feature.delivery.Dispatcher.HeldEvent;
import weir.feature.delivery.Dispatcher.HeldEvent.OffsetMark;
import weir.feature.delivery.Dispatcher.RetryPolicy;
import weir.feature.delivery.EventDestination.DeliveryAttempt;
import weir.feature.delivery.EventProcessFigures.Fact;
import weir.feature.delivery.PathSpec.BackoffPolicy;
import weir.feature.delivery.PathSpec.EventFilter;
import weir.feature.delivery.PathSpec.EventFilter.All;
import weir.feature.delivery.PathSpec.EventFilter.Any;
import weir.feature.delivery.PathSpec.EventFilter.Exact;
import weir.feature.delivery.PathSpec.EventFilter.Not;
import weir.feature.delivery.PathSpec.EventFilter.Prefix;
import weir.feature.delivery.PathSpec.EventFilter.Suffix;
import weir.feature.delivery.PathSpec.Order;
import weir.feature.delivery.PathSpec.RetrySpec;
import weir.feature.delivery.TopicReader.PartitionReading;

/**
 * A dispatcher on the test's clock, with a subscriber that the test answers by hand. Filters follow the Subscriptions
 * API of CloudEvents 1.0 (3.2.4.1). Events go through Kafka records, compared with the Java SDK of CloudEvents.
 */
class DispatcherTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final DeliveryAttempt TAKEN = DeliveryAttempt.answered(202, 1);
    private static final EventFilter YES = new Exact(attribute("type", "com.example.order"));
    private static final EventFilter NO = new Exact(attribute("type", "other"));
    private static final String LETTERS = "abcXYZ019 -_.:/?\"%\\äß€\uD83D\uDE00+,;=";
    private static final String TOPIC = "events";

    private final List<String> log = new ArrayList<>();
    private final Deque<Sent> sent = new ArrayDeque<>();
    private final Deque<Sent> letters = new ArrayDeque<>();
    private final PriorityQueue<Timer> timers = new PriorityQueue<>(Comparator.comparingLong(Timer::at));
    private long millis;

    private record Sent(CarriedEvent event, Consumer<DeliveryAttempt> callback) {
        String name() {
            return new String(event.data(), StandardCharsets.UTF_8);
        }
    }

    private record Timer(long at, Runnable what) {}

    private static RetrySpec retries(int retry, BackoffPolicy policy, Duration retryAfterMax) {
        return new RetrySpec(retry, policy, Duration.ofMillis(200), Duration.ofSeconds(30), retryAfterMax, "");
    }

    private Dispatcher dispatcher(Order order, int concurrency, RetrySpec retries, boolean parks) {
        return new Dispatcher(
                new RetryPolicy(retries, () -> START.plusMillis(millis)),
                order,
                concurrency,
                (event, callback) -> sent.add(new Sent(event, callback)),
                parks ? Optional.of((event, callback) -> letters.add(new Sent(event, callback))) : Optional.empty(),
                "http://there/in",
                (nanos, what) -> timers.add(new Timer(millis + nanos / 1_000_000, what)),
                new Dispatcher.Listener() {
                    @Override
                    public void settled(HeldEvent event, Fact fate, DeliveryAttempt outcome) {
                        event.mark.settled = true;
                        log.add(millis + " " + new String(event.event.data(), StandardCharsets.UTF_8) + " " + fate);
                    }

                    @Override
                    public void retried(HeldEvent event) {
                        log.add(millis + " " + new String(event.event.data(), StandardCharsets.UTF_8) + " again");
                    }
                });
    }

    private static HeldEvent event(String name, int partition) {
        return event(name, partition, 0);
    }

    private static HeldEvent event(String name, int partition, long offset) {
        EventAttributes attributes = new EventAttributes();
        try {
            attributes.set("specversion", "1.0");
            attributes.set("id", name);
        } catch (MalformedEvent e) {
            throw new AssertionError(e);
        }
        byte[] lines = Arrays.copyOf(attributes.lines(), attributes.length());
        CarriedEvent event = new CarriedEvent(lines, name.getBytes(StandardCharsets.UTF_8), CarriedEvent.NO_TIME, 1);
        return new HeldEvent(event, partition, new OffsetMark(offset), 0);
    }

    private void answer(String name, DeliveryAttempt outcome) {
        Sent which = sent.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + " is not on its way; on their way are " + onTheWay()));
        sent.remove(which);
        which.callback().accept(outcome);
    }

    private List<String> onTheWay() {
        return sent.stream().map(Sent::name).toList();
    }

    /** Advances the clock to the next timer. */
    private void turn() {
        Timer next = timers.remove();
        millis = next.at();
        next.what().run();
    }

    private static DeliveryAttempt status(int status) {
        return new DeliveryAttempt(status, "", "why".getBytes(StandardCharsets.UTF_8), 1);
    }

    @Test
    void unorderedDispatchFillsItsConcurrency() {
        Dispatcher dispatcher = dispatcher(Order.NONE, 2, retries(0, BackoffPolicy.LINEAR, Duration.ZERO), false);
        for (String name : List.of("a", "b", "c", "d")) {
            dispatcher.add(event(name, 0));
        }
        assertThat(onTheWay()).containsExactly("a", "b");
        answer("b", TAKEN);
        assertThat(onTheWay()).containsExactly("a", "c");
        answer("c", TAKEN);
        answer("a", TAKEN);
        answer("d", TAKEN);
        assertThat(log).containsExactly("0 b DELIVERED", "0 c DELIVERED", "0 a DELIVERED", "0 d DELIVERED");
        assertThat(dispatcher.held()).isZero();
    }

    @Test
    void orderedDispatchHasOneEventInFlightPerPartition() {
        Dispatcher dispatcher = dispatcher(Order.PARTITION, 1, retries(0, BackoffPolicy.LINEAR, Duration.ZERO), false);
        dispatcher.add(event("a1", 1));
        dispatcher.add(event("a2", 1));
        dispatcher.add(event("b1", 2));
        assertThat(onTheWay()).containsExactly("a1", "b1");
        answer("b1", TAKEN);
        assertThat(onTheWay()).containsExactly("a1");
        answer("a1", TAKEN);
        assertThat(onTheWay()).containsExactly("a2");
    }

    @Test
    void retryWithPartitionOrderBlocksOnlyItsPartition() {
        Dispatcher dispatcher = dispatcher(Order.PARTITION, 1, retries(1, BackoffPolicy.LINEAR, Duration.ZERO), false);
        dispatcher.add(event("a1", 1));
        dispatcher.add(event("a2", 1));
        answer("a1", status(500));
        assertThat(onTheWay()).isEmpty();
        dispatcher.add(event("b1", 2));
        assertThat(onTheWay()).containsExactly("b1");
        turn();
        assertThat(onTheWay()).containsExactly("b1", "a1");
        answer("a1", status(500));
        assertThat(onTheWay()).containsExactly("b1", "a2");
        assertThat(log).containsExactly("0 a1 again", "200 a1 DROPPED");
    }

    @Test
    void retryWithoutOrderFreesItsSlotAndGoesFirst() {
        Dispatcher dispatcher = dispatcher(Order.NONE, 1, retries(1, BackoffPolicy.LINEAR, Duration.ZERO), false);
        for (String name : List.of("a", "b", "c", "d")) {
            dispatcher.add(event(name, 0));
        }
        answer("a", status(500));
        assertThat(onTheWay()).containsExactly("b");
        turn();
        assertThat(onTheWay()).containsExactly("b");
        answer("b", TAKEN);
        assertThat(onTheWay()).containsExactly("a");
        answer("a", TAKEN);
        assertThat(onTheWay()).containsExactly("c");
    }

    @ParameterizedTest
    @CsvSource({"LINEAR, 200 600 1200 2000", "EXPONENTIAL, 200 600 1400 3000"})
    void retryPausesGrow(BackoffPolicy policy, String times) {
        Dispatcher dispatcher = dispatcher(Order.NONE, 1, retries(4, policy, Duration.ZERO), false);
        dispatcher.add(event("a", 0));
        List<String> tries = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            answer("a", status(503));
            turn();
            tries.add(String.valueOf(millis));
        }
        assertThat(String.join(" ", tries)).isEqualTo(times);
        answer("a", status(503));
        assertThat(timers).isEmpty();
        assertThat(log.get(log.size() - 1)).endsWith("a DROPPED");
    }

    @ParameterizedTest
    @ValueSource(ints = {DeliveryAttempt.LOST, DeliveryAttempt.LATE, 404, 408, 409, 429, 500, 501, 502, 503, 504, 599})
    void temporaryFailureIsRetried(int status) {
        Dispatcher dispatcher = dispatcher(Order.NONE, 1, retries(1, BackoffPolicy.LINEAR, Duration.ZERO), false);
        dispatcher.add(event("a", 0));
        answer("a", status(status));
        turn();
        answer("a", TAKEN);
        assertThat(log).containsExactly("0 a again", "200 a DELIVERED");
    }

    @ParameterizedTest
    @ValueSource(ints = {300, 301, 304, 400, 401, 403, 405, 410, 413, 422, 499})
    void permanentFailureIsNotRetried(int status) {
        Dispatcher dispatcher = dispatcher(Order.NONE, 1, retries(9, BackoffPolicy.LINEAR, Duration.ZERO), true);
        dispatcher.add(event("a", 0));
        answer("a", status(status));
        assertThat(timers).isEmpty();
        assertThat(letters).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "429 | 3                             | 10 | 3000",
                "503 | 3                             | 10 | 3000",
                "503 | 30                            | 10 | 10000",
                "503 | 0                             | 10 | 200",
                "503 | 3                             | 0  | 200",
                "500 | 3                             | 10 | 200",
                "503 | soon                          | 10 | 200",
                "503 | -3                            | 10 | 200",
                "503 | 99999999999999999999          | 10 | 200",
                "503 | Thu, 01 Jan 2026 00:00:05 GMT | 10 | 5000",
                "503 | Wed, 31 Dec 2025 00:00:05 GMT | 10 | 200",
                "503 | Fri, 01 Jan 2027 00:00:05 GMT | 10 | 10000",
            })
    void retryAfterIsFollowedUpToItsMaximum(int status, String retryAfter, int maxSeconds, long expected) {
        Dispatcher dispatcher =
                dispatcher(Order.NONE, 1, retries(1, BackoffPolicy.LINEAR, Duration.ofSeconds(maxSeconds)), false);
        dispatcher.add(event("a", 0));
        answer("a", new DeliveryAttempt(status, retryAfter, new byte[0], 1));
        turn();
        assertThat(millis).isEqualTo(expected);
    }

    @Test
    void deadLetterCarriesItsReasonAndIsRetried() {
        Dispatcher dispatcher = dispatcher(Order.PARTITION, 1, retries(1, BackoffPolicy.LINEAR, Duration.ZERO), true);
        dispatcher.add(event("a", 0));
        dispatcher.add(event("b", 0));
        answer("a", status(422));
        Sent letter = letters.remove();
        EventAttributes attributes = new EventAttributes();
        attributes.copyFrom(letter.event().lines());
        assertThat(attributes.value("id")).isEqualTo("a");
        assertThat(attributes.value("knativeerrordest")).isEqualTo("http://there/in");
        assertThat(attributes.value("knativeerrorcode")).isEqualTo("422");
        assertThat(Base64.getDecoder().decode(attributes.value("knativeerrordata")))
                .asString()
                .isEqualTo("why");
        letter.callback().accept(status(503));
        assertThat(onTheWay()).isEmpty();
        turn();
        letters.remove().callback().accept(TAKEN);
        assertThat(log).containsExactly("200 a PARKED");
        assertThat(onTheWay()).containsExactly("b");
    }

    @Test
    void undeliverableDeadLetterIsDropped() {
        Dispatcher dispatcher = dispatcher(Order.NONE, 1, retries(1, BackoffPolicy.LINEAR, Duration.ZERO), true);
        dispatcher.add(event("a", 0));
        answer("a", status(DeliveryAttempt.LOST));
        turn();
        answer("a", status(DeliveryAttempt.LOST));
        Sent letter = letters.remove();
        EventAttributes attributes = new EventAttributes();
        attributes.copyFrom(letter.event().lines());
        assertThat(attributes.value("knativeerrorcode")).isEqualTo("500");
        letter.callback().accept(status(500));
        turn();
        letters.remove().callback().accept(status(500));
        assertThat(log).containsExactly("0 a again", "400 a DROPPED");
        assertThat(dispatcher.held()).isZero();
    }

    @Test
    void errorTextIsTruncated() {
        DeliveryAttempt outcome = new DeliveryAttempt(500, "", new byte[5_000], 1);
        CarriedEvent letter = Dispatcher.letter(event("a", 0).event, "http://there", outcome);
        EventAttributes attributes = new EventAttributes();
        attributes.copyFrom(letter.lines());
        assertThat(attributes.value("knativeerrordata")).hasSize(1_024);
    }

    @Test
    void deadLetterCarriesTheLastFailure() {
        CarriedEvent once = Dispatcher.letter(event("a", 0).event, "http://first", status(400));
        EventAttributes attributes = new EventAttributes();
        attributes.copyFrom(
                Dispatcher.letter(once, "http://second", status(410)).lines());
        assertThat(attributes.value("knativeerrordest")).isEqualTo("http://second");
        assertThat(attributes.value("knativeerrorcode")).isEqualTo("410");
    }

    @Test
    void synchronousSubscriberDoesNotRecurse() {
        List<String> taken = new ArrayList<>();
        Dispatcher dispatcher = new Dispatcher(
                new RetryPolicy(retries(0, BackoffPolicy.LINEAR, Duration.ZERO), () -> START),
                Order.PARTITION,
                1,
                (event, callback) -> {
                    taken.add("x");
                    if (taken.size() == 1) {
                        letters.add(new Sent(event, callback));
                    } else {
                        callback.accept(TAKEN);
                    }
                },
                Optional.empty(),
                "http://there",
                (nanos, what) -> {},
                new Dispatcher.Listener() {
                    @Override
                    public void settled(HeldEvent event, Fact fate, DeliveryAttempt outcome) {}

                    @Override
                    public void retried(HeldEvent event) {}
                });
        for (int i = 0; i < 100_000; i++) {
            dispatcher.add(event("a", 0));
        }
        letters.remove().callback().accept(TAKEN);
        assertThat(taken).hasSize(100_000);
    }

    @Test
    void offsetsAreSettledUpToTheFirstHole() {
        PartitionReading reading = new PartitionReading(new TopicPartition("t", 0), 5);
        Dispatcher dispatcher = dispatcher(Order.NONE, 9, retries(1, BackoffPolicy.LINEAR, Duration.ZERO), false);
        for (int i = 5; i < 9; i++) {
            HeldEvent event = event("" + i, 0, i);
            assertThat(reading.fetched(event.mark, 1)).isZero();
            dispatcher.add(event);
        }
        assertThat(reading.settledUpTo()).isEqualTo(5);
        answer("6", TAKEN);
        answer("8", TAKEN);
        assertThat(reading.settledUpTo()).isEqualTo(5);
        answer("5", status(500));
        assertThat(reading.settledUpTo()).isEqualTo(5);
        turn();
        answer("5", status(500));
        assertThat(reading.settledUpTo()).isEqualTo(7);
        answer("7", TAKEN);
        assertThat(reading.settledUpTo()).isEqualTo(9);
        assertThat(reading.fetched(new OffsetMark(12), 1)).isEqualTo(3);
        assertThat(reading.settledUpTo()).isEqualTo(12);
    }

    @Test
    void partitionAboveItsMemoryShareIsPausedUntilHalfIsSettled() {
        PartitionReading reading = new PartitionReading(new TopicPartition("t", 0), 0);
        List<OffsetMark> marks = new ArrayList<>();
        for (int i = 0; i < 11; i++) {
            marks.add(new OffsetMark(i));
            reading.fetched(marks.get(i), 10);
        }
        assertThat(reading.tooMuch(100)).isTrue();
        reading.paused = true;
        for (int i = 0; i < 6; i++) {
            assertThat(reading.tooMuch(100)).isTrue();
            reading.settle(marks.get(i), 10);
        }
        assertThat(reading.tooMuch(100)).isFalse();
    }

    private static EventAttributes event() throws Exception {
        EventAttributes attributes = new EventAttributes();
        attributes.fromHttp("ce-type", "com.example.order");
        attributes.fromHttp("ce-source", "/shop/eu");
        attributes.fromHttp("ce-subject", "Caf%C3%A9 %22x%22");
        attributes.fromHttp("ce-quoted", "\"a b\"");
        attributes.fromHttp("ce-long", "y".repeat(3_000));
        attributes.fromHttp("content-type", "text/plain");
        return attributes;
    }

    private static SortedMap<String, String> attribute(String name, String value) {
        return new TreeMap<>(Map.of(name, value));
    }

    private static boolean passes(EventFilter filter) throws Exception {
        return NextHop.predicate(filter).test(event());
    }

    @ParameterizedTest
    @CsvSource({
        "type, com.example.order, true",
        "type, com.example.Order, false",
        "type, com.example, false",
        "type, com.example.order2, false",
        "missing, x, false",
        "subject, 'Café \"x\"', true",
        "subject, Caf%C3%A9 %22x%22, false",
        "quoted, a b, true",
        "datacontenttype, text/plain, true",
        "content-type, text/plain, false",
    })
    void exactFilterMatchesTheWholeValue(String attribute, String value, boolean expected) throws Exception {
        assertThat(passes(new Exact(attribute(attribute, value)))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "type, com., true",
        "type, com.example.order, true",
        "type, com.example.order., false",
        "type, order, false",
        "subject, Café, true",
        "subject, Cafe, false",
        "long, yyy, true",
        "missing, x, false",
    })
    void prefixFilterMatchesTheBeginning(String attribute, String value, boolean expected) throws Exception {
        assertThat(passes(new Prefix(attribute(attribute, value)))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "type, .order, true",
        "type, com.example.order, true",
        "type, xcom.example.order, false",
        "type, com, false",
        "source, eu, true",
        "subject, '\"x\"', true",
        "long, yyy, true",
        "missing, x, false",
    })
    void suffixFilterMatchesTheEnd(String attribute, String value, boolean expected) throws Exception {
        assertThat(passes(new Suffix(attribute(attribute, value)))).isEqualTo(expected);
    }

    @Test
    void filtersAreNested() throws Exception {
        assertThat(passes(new All(List.of(YES, YES)))).isTrue();
        assertThat(passes(new All(List.of(YES, NO)))).isFalse();
        assertThat(passes(new Any(List.of(NO, YES)))).isTrue();
        assertThat(passes(new Any(List.of(NO, NO)))).isFalse();
        assertThat(passes(new Not(NO))).isTrue();
        assertThat(passes(new Not(YES))).isFalse();
        assertThat(passes(new Not(new Exact(attribute("missing", "x"))))).isTrue();
        assertThat(passes(new All(List.of(
                        new Any(List.of(NO, new Prefix(attribute("source", "/shop")))), new Not(NO)))))
                .isTrue();
        assertThat(passes(new All(List.of()))).isTrue();
    }

    @Test
    void everyFilterFormIsTested() {
        Set<Class<?>> forms = new HashSet<>(List.of(EventFilter.class.getPermittedSubclasses()));
        assertThat(forms)
                .containsExactlyInAnyOrder(Exact.class, Prefix.class, Suffix.class, All.class, Any.class, Not.class);
    }

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
    void binaryEventsAreForwardedUnchanged() {
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
    void structuredEventsAreForwardedInBinaryMode() {
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
