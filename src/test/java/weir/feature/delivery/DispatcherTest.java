package weir.feature.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import weir.event.EventAttributes;
import weir.event.MalformedEvent;
import weir.feature.delivery.Dispatcher.HeldEvent;
import weir.feature.delivery.Dispatcher.HeldEvent.OffsetMark;
import weir.feature.delivery.Dispatcher.RetryPolicy;
import weir.feature.delivery.Outlet.Outcome;
import weir.feature.delivery.PathSpec.BackoffPolicy;
import weir.feature.delivery.PathSpec.Order;
import weir.feature.delivery.PathSpec.RetrySpec;
import weir.feature.delivery.TopicReader.PartitionReading;

/** A dispatcher on a clock that only turns when a test says so, before a subscriber that a test answers by hand. */
class DispatcherTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Outcome TAKEN = Outcome.answered(202, 1);

    private final List<String> log = new ArrayList<>();
    private final Deque<Sent> sent = new ArrayDeque<>();
    private final Deque<Sent> letters = new ArrayDeque<>();
    private final PriorityQueue<Timer> timers = new PriorityQueue<>(Comparator.comparingLong(Timer::at));
    private long millis;

    private record Sent(CarriedEvent event, Outlet.Callback callback) {
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
                    public void settled(HeldEvent event, Fate fate, Outcome outcome) {
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

    private void answer(String name, Outcome outcome) {
        Sent which = sent.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + " is not on its way; on their way are " + onTheWay()));
        sent.remove(which);
        which.callback().ended(outcome);
    }

    private List<String> onTheWay() {
        return sent.stream().map(Sent::name).toList();
    }

    /** Turns the clock to the next timer. */
    private void turn() {
        Timer next = timers.remove();
        millis = next.at();
        next.what().run();
    }

    private static Outcome status(int status) {
        return new Outcome(status, "", "why".getBytes(StandardCharsets.UTF_8), 1);
    }

    @Test
    void withoutAnOrderAsManyAreOnTheirWayAsAreAllowed() {
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
    void inOrderOneIsOnItsWayForEachPartition() {
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
    void inOrderAnEventThatIsTriedAgainHoldsItsPartitionAndNoOther() {
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
    void withoutAnOrderAnEventThatWaitsLeavesItsPlaceAndGoesFirstThen() {
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
    void pausesGrow(BackoffPolicy policy, String times) {
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
    @ValueSource(ints = {Outcome.LOST, Outcome.LATE, 404, 408, 409, 429, 500, 501, 502, 503, 504, 599})
    void whatMayPassIsTriedAgain(int status) {
        Dispatcher dispatcher = dispatcher(Order.NONE, 1, retries(1, BackoffPolicy.LINEAR, Duration.ZERO), false);
        dispatcher.add(event("a", 0));
        answer("a", status(status));
        turn();
        answer("a", TAKEN);
        assertThat(log).containsExactly("0 a again", "200 a DELIVERED");
    }

    @ParameterizedTest
    @ValueSource(ints = {300, 301, 304, 400, 401, 403, 405, 410, 413, 422, 499})
    void whatDoesNotPassIsNotTriedAgain(int status) {
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
    void aTimeToComeAgainIsHeededUpToALimit(int status, String retryAfter, int maxSeconds, long expected) {
        Dispatcher dispatcher =
                dispatcher(Order.NONE, 1, retries(1, BackoffPolicy.LINEAR, Duration.ofSeconds(maxSeconds)), false);
        dispatcher.add(event("a", 0));
        answer("a", new Outcome(status, retryAfter, new byte[0], 1));
        turn();
        assertThat(millis).isEqualTo(expected);
    }

    @Test
    void aDeadLetterTellsWhyAndIsTriedAgainItself() {
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
        letter.callback().ended(status(503));
        assertThat(onTheWay()).isEmpty();
        turn();
        letters.remove().callback().ended(TAKEN);
        assertThat(log).containsExactly("200 a PARKED");
        assertThat(onTheWay()).containsExactly("b");
    }

    @Test
    void aDeadLetterThatNobodyTakesIsDropped() {
        Dispatcher dispatcher = dispatcher(Order.NONE, 1, retries(1, BackoffPolicy.LINEAR, Duration.ZERO), true);
        dispatcher.add(event("a", 0));
        answer("a", status(Outcome.LOST));
        turn();
        answer("a", status(Outcome.LOST));
        Sent letter = letters.remove();
        EventAttributes attributes = new EventAttributes();
        attributes.copyFrom(letter.event().lines());
        assertThat(attributes.value("knativeerrorcode")).isEqualTo("500");
        letter.callback().ended(status(500));
        turn();
        letters.remove().callback().ended(status(500));
        assertThat(log).containsExactly("0 a again", "400 a DROPPED");
        assertThat(dispatcher.held()).isZero();
    }

    @Test
    void dataOfAnErrorIsCut() {
        Outcome outcome = new Outcome(500, "", new byte[5_000], 1);
        CarriedEvent letter = DeadLetterWriter.letter(event("a", 0).event, "http://there", outcome);
        EventAttributes attributes = new EventAttributes();
        attributes.copyFrom(letter.lines());
        assertThat(attributes.value("knativeerrordata")).hasSize(1_024);
    }

    @Test
    void anEventThatHasAlreadyFailedElsewhereTellsOfTheLastTime() {
        CarriedEvent once = DeadLetterWriter.letter(event("a", 0).event, "http://first", status(400));
        EventAttributes attributes = new EventAttributes();
        attributes.copyFrom(
                DeadLetterWriter.letter(once, "http://second", status(410)).lines());
        assertThat(attributes.value("knativeerrordest")).isEqualTo("http://second");
        assertThat(attributes.value("knativeerrorcode")).isEqualTo("410");
    }

    @Test
    void aSubscriberThatAnswersAtOnceIsNotCalledDeeperAndDeeper() {
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
                        callback.ended(TAKEN);
                    }
                },
                Optional.empty(),
                "http://there",
                (nanos, what) -> {},
                new Dispatcher.Listener() {
                    @Override
                    public void settled(HeldEvent event, Fate fate, Outcome outcome) {}

                    @Override
                    public void retried(HeldEvent event) {}
                });
        for (int i = 0; i < 100_000; i++) {
            dispatcher.add(event("a", 0));
        }
        letters.remove().callback().ended(TAKEN);
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
    void aPartitionThatHoldsMoreThanItsShareWaitsUntilHalfOfItIsGone() {
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
}
