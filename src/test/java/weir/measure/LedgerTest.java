package weir.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static weir.measure.Balances.assertCounts;
import static weir.measure.Written.bytes;
import static weir.measure.Written.read;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LedgerTest {
    private static final int ALL = Integer.MAX_VALUE;
    private static final List<String> OUTCOMES = List.of("acked", "failed", "aborted", "unresolved");

    /** Each log of at most three records of two messages, in every order of two reads; acked logs also of four. */
    @Test
    void everySmallHistoryIsCountedAsByHand() {
        List<int[]> logs = words(2, 3);
        List<int[]> readings = words(3, 4);
        int histories = 0;
        for (int outcomes = 0; outcomes < 16; outcomes++) {
            for (int[] log : logs) {
                for (int[] reading : readings) {
                    if (Arrays.stream(reading).allMatch(offset -> offset < log.length)
                            && (reading.length < 3 || (outcomes < 4 && reading.length < 4) || outcomes == 0)) {
                        histories++;
                        replay(outcomes, log, reading, histories);
                    }
                }
            }
        }
        assertThat(histories).isGreaterThan(2_000);
    }

    private static void replay(int outcomes, int[] log, int[] reading, int handOvers) {
        LedgerModel model = new LedgerModel(1, 1);
        List<LedgerModel.Message> sent =
                List.of(model.send(0, 1, OUTCOMES.get(outcomes % 4)), model.send(0, 2, OUTCOMES.get(outcomes / 4)));
        for (int i = 0; i < reading.length; i++) {
            model.read(0, 0, reading[i], sent.get(log[reading[i]]));
            if ((handOvers >> i & 1) == 1) {
                model.handOver(0);
            }
        }
        model.position(0, 0, 3);
        model.handOverAll();
        model.ledger.end(0, 3);
        assertThat(model.ledger.balance(0, ALL)).isEqualTo(model.balance(0, ALL));
        assertThat(Balances.only(model.ledger.balance(2), "duplicated, reread, lost"))
                .isEqualTo(Balances.only(model.balance(2, 2), "duplicated, reread, lost"));
    }

    /** Returns all sequences of up to {@code longest} letters of an alphabet of this size. */
    private static List<int[]> words(int letters, int longest) {
        List<int[]> words = new ArrayList<>(List.of(new int[0]));
        for (int i = 0; i < words.size(); i++) {
            int[] word = words.get(i);
            if (word.length < longest) {
                for (int letter = 0; letter < letters; letter++) {
                    int[] longer = Arrays.copyOf(word, word.length + 1);
                    longer[word.length] = letter;
                    words.add(longer);
                }
            }
        }
        return words;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void aLongHistoryIsCountedAsByHand(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        int partitions = random.nextInt(1, 5);
        LedgerModel model = new LedgerModel(partitions, 3);
        List<List<LedgerModel.Message>> logs = new ArrayList<>();
        for (int i = 0; i < partitions; i++) {
            logs.add(new ArrayList<>());
        }
        for (int i = 0; i < 400; i++) {
            int producer = random.nextInt(3);
            String outcome = random.nextInt(20) == 0
                    ? "unsent"
                    : random.nextInt(5) > 0 ? "acked" : OUTCOMES.get(random.nextInt(4));
            LedgerModel.Message message = model.send(producer, i / 100, outcome);
            if (seed % 2 == 0 && !outcome.equals("unsent") && random.nextInt(20) == 0) {
                model.park(random.nextInt(3), message);
            }
            int copies = outcome.equals("unsent") ? 0 : random.nextInt(30) == 0 ? 2 : random.nextInt(30) == 0 ? 0 : 1;
            List<LedgerModel.Message> log = logs.get(random.nextInt(partitions));
            for (int copy = 0; copy < copies; copy++) {
                // A retry may overtake later messages.
                log.add(log.size() - (random.nextInt(10) == 0 && !log.isEmpty() ? 1 : 0), message);
            }
        }
        for (int partition = 0; partition < partitions; partition++) {
            readAll(model, partition, logs.get(partition), random);
        }
        model.handOverAll();
        for (int partition = 0; partition < partitions; partition++) {
            model.ledger.end(partition, logs.get(partition).size());
        }
        Balance all = model.ledger.balance(0, ALL);
        assertThat(all).isEqualTo(model.balance(0, ALL));
        assertThat(all.balances()).isTrue();
        for (int step = 0; step < 4; step++) {
            Balance part = model.ledger.balance(step);
            Balance naive = model.balance(step, step);
            String counts = "sent, lost, parked, duplicated, reread, reordered, ghosts";
            assertThat(Balances.only(part, counts)).isEqualTo(Balances.only(naive, counts));
            assertThat(part.balances()).isTrue();
        }
        Ledger copy = read(bytes(model.ledger::write), Ledger::read);
        assertThat(copy.balance(0, ALL)).isEqualTo(all);
        assertThat(bytes(copy::write)).isEqualTo(bytes(model.ledger::write));
        assertThat(model.ledger.plus(new Ledger(List.of())).balance(0, ALL)).isEqualTo(all);
    }

    /** One partition moves from reader to reader, each of which begins a little before the end of the previous one. */
    private static void readAll(
            LedgerModel model, int partition, List<LedgerModel.Message> log, SplittableRandom random) {
        int offset = 0;
        int reader = 0;
        while (offset < log.size()) {
            model.read(reader, partition, offset, log.get(offset));
            offset++;
            model.position(reader, partition, offset);
            if (random.nextInt(25) == 0) {
                model.handOver(reader);
            }
            if (random.nextInt(30) == 0) {
                model.handOver(reader);
                reader = random.nextInt(3);
                offset = Math.max(0, offset - random.nextInt(8));
            }
        }
        model.position(reader, partition, log.size());
        model.handOver(reader);
    }

    /** Runs of any length, reported together or singly, with gaps, repeats, steps back, strangers and two readers. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void aRunIsTheSameAsItsMessages(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Ledger together = new Ledger(List.of("t-0", "t-1"));
        Ledger singly = new Ledger(List.of("t-0", "t-1"));
        for (Ledger ledger : List.of(together, singly)) {
            for (int producer = 0; producer < 3; producer++) {
                SentLedger sender = ledger.sender(producer);
                sender.due(2, 300_000);
                sender.acked(sender.next(2, 300_000), 300_000);
            }
        }
        List<ReadLedger> inRuns = List.of(together.reader(), together.reader());
        List<ReadLedger> oneByOne = List.of(singly.reader(), singly.reader());
        long[] offsets = new long[2];
        long[] sequences = new long[3];
        for (int i = 0; i < 600; i++) {
            int reader = random.nextInt(2);
            int partition = random.nextInt(2);
            int producer = random.nextInt(3);
            int count = random.nextInt(1, random.nextInt(4) == 0 ? 2_000 : 20);
            offsets[partition] = Math.max(0, offsets[partition] + some(random));
            sequences[producer] = Math.max(0, sequences[producer] + some(random));
            int who = random.nextInt(50) == 0 ? -1 : producer;
            inRuns.get(reader).received(partition, offsets[partition], who, sequences[producer], count);
            for (int k = 0; k < count; k++) {
                oneByOne.get(reader).received(partition, offsets[partition] + k, who, sequences[producer] + k);
            }
            offsets[partition] += count;
            sequences[producer] += count;
            if (random.nextInt(10) == 0) {
                inRuns.get(reader).handOver();
                oneByOne.get(reader).handOver();
            }
        }
        inRuns.forEach(ReadLedger::handOver);
        oneByOne.forEach(ReadLedger::handOver);
        Balance balance = together.balance(0, ALL);
        assertThat(balance).isEqualTo(singly.balance(0, ALL));
        assertThat(List.of(
                        balance.of(Count.REREAD),
                        balance.of(Count.REORDERED),
                        balance.of(Count.DUPLICATED),
                        balance.of(Count.FOREIGN)))
                .doesNotContain(0L);
        assertThat(bytes(together::write)).isEqualTo(bytes(singly::write));
    }

    /** Mostly none, often a step ahead, sometimes a step back. */
    private static int some(SplittableRandom random) {
        return switch (random.nextInt(8)) {
            case 0, 1 -> random.nextInt(1, 10);
            case 2 -> -random.nextInt(1, 100);
            default -> 0;
        };
    }

    @Test
    void runsOutsideOfAllNumbersAreForeign() {
        Ledger ledger = new Ledger(List.of("t-0"));
        ReadLedger reader = ledger.reader();
        SentLedger sender = ledger.sender(0);
        sender.due(2, 10);
        sender.next(2, 10);
        reader.received(0, 0, 0, -3, 5);
        reader.received(0, 10, 0, Long.MAX_VALUE - 2, 2);
        reader.handOver();
        assertThat(ledger.balance(2).of(Count.RECEIVED)).isEqualTo(2);
    }

    @Test
    void receivedCountsAreUnknownWithoutAReader() {
        LedgerModel model = new LedgerModel(1, 1);
        model.send(0, 2, "acked");
        model.ledger.end(0, 1);
        Balance balance = model.ledger.balance(2);
        assertCounts(balance, "acked 1, received -1, unread -1, lost -1, parked -1, duplicated -1, reread -1");
        assertCounts(balance, "reordered -1, ghosts -1, foreign -1, expired -1");
        assertThat(balance.balances()).isTrue();
    }

    @Test
    void recordsAfterTheReaderPositionAreUnread() {
        LedgerModel model = new LedgerModel(2, 1);
        List<LedgerModel.Message> sent = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            sent.add(model.send(0, 2, "acked"));
        }
        // Even messages are in partition 0, odd ones in partition 1; message 9 was lost.
        model.read(0, 0, 0, sent.get(0));
        model.read(0, 1, 0, sent.get(1));
        model.read(0, 1, 1, sent.get(3));
        model.position(0, 0, 1);
        model.position(0, 1, 2);
        model.handOverAll();
        model.ledger.end(0, 5);
        model.ledger.end(1, 4);
        Balance balance = model.ledger.balance(2);
        assertCounts(balance, "unread 6, lost 1");
        assertThat(model.ledger.examples(2, 2, 2))
                .containsExactly(
                        "lost, unread or expired: producer 0, message 2",
                        "lost, unread or expired: producer 0, messages 4 to 9");
    }

    @Test
    void deadLetterIsParkedUnlessItWasAlsoReceived() {
        LedgerModel model = new LedgerModel(1, 2);
        List<LedgerModel.Message> sent = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            sent.add(model.send(0, i < 3 ? 2 : 3, "acked"));
        }
        LedgerModel.Message failed = model.send(0, 3, "failed");
        model.read(0, 0, 0, sent.get(0));
        model.read(0, 0, 1, sent.get(3));
        List.of(sent.get(1), sent.get(1), sent.get(3), sent.get(4), failed).forEach(parked -> model.park(1, parked));
        model.reader(1).parked(0, 1_000, 1);
        model.reader(1).parked(-1, 1, 1);
        model.position(0, 0, 2);
        model.handOverAll();
        model.ledger.end(0, 2);
        Balance balance = model.ledger.balance(0, ALL);
        assertThat(balance).isEqualTo(model.balance(0, ALL));
        assertCounts(balance, "parked 2, lost 2");
        assertThat(model.ledger.balance(2).of(Count.PARKED)).isEqualTo(1);
        assertThat(model.ledger.examples(0, ALL, 5))
                .containsExactly("lost: producer 0, message 2", "lost: producer 0, message 5");
    }

    @Test
    void recordsThatTwoWorkersOfAShareGroupReadAreNoDuplicates() {
        Ledger sum = new Ledger(List.of("t-0"));
        for (int worker = 0; worker < 2; worker++) {
            Ledger ledger = new Ledger(List.of("t-0"));
            ledger.share();
            if (worker == 0) {
                SentLedger sender = ledger.sender(0);
                sender.acked(sender.next(1, 1), 1);
                sender.acked(sender.next(2, 1), 1);
            }
            ReadLedger reader = ledger.reader();
            for (int i = 0; i < 2; i++) {
                reader.received(0, i, 0, i);
                reader.delivery(worker == 0 ? Count.RELEASED : Count.ACCEPTED, 0, i);
                if (worker == 1) {
                    reader.delivery(Count.REDELIVERED, 0, i);
                }
            }
            reader.position(0, 2);
            reader.handOver();
            ledger.end(0, 2);
            sum = sum.plus(ledger);
        }
        assertCounts(sum.balance(2), "acquired 2, reread 1, duplicated 0, lost 0, archived 0");
    }

    @Test
    void secondAcceptanceOfARecordIsAnExpiredLock() {
        Ledger ledger = new Ledger(List.of("t-0"));
        ledger.share();
        SentLedger sender = ledger.sender(0);
        for (int i = 0; i < 3; i++) {
            sender.acked(sender.next(1, 1), 1);
        }
        for (List<Count> kinds : List.of(
                List.of(Count.ACCEPTED, Count.ACCEPTED, Count.ACCEPTED), List.of(Count.ACCEPTED, Count.REJECTED))) {
            ReadLedger reader = ledger.reader();
            for (int i = 0; i < kinds.size(); i++) {
                reader.received(0, i, 0, i);
                reader.delivery(kinds.get(i), 0, i);
            }
            reader.position(0, 3);
            reader.handOver();
        }
        ledger.end(0, 3);
        assertCounts(ledger.balance(1), "acquired 5, accepted 3, lock_expired 1, archived 0");
    }

    @Test
    void countingDeadLetterSinkReducesTheLostCount() throws IOException {
        LedgerModel model = new LedgerModel(1, 1);
        for (int i = 0; i < 10; i++) {
            model.send(0, 2, "acked");
        }
        model.position(0, 0, 0);
        model.handOverAll();
        model.ledger.end(0, 2);
        model.ledger.parks(3);
        Ledger elsewhere = new Ledger(List.of("topic-0"));
        elsewhere.parks(1);
        Ledger copy = read(bytes(model.ledger::write), Ledger::read);
        Ledger all = copy.plus(elsewhere).plus(new Ledger(List.of("topic-0")));
        Balance balance = all.balance(2);
        assertCounts(balance, "parked 4, unread 2, lost 4");
        assertThat(all.examples(2, 2, 1))
                .containsExactly("lost, parked, unread or expired: producer 0, messages 0 to 9");
        all.parks(100);
        assertCounts(all.balance(2), "parked 10, lost 0");
    }

    @Test
    void partitionWithoutReaderIsUnread() {
        LedgerModel model = new LedgerModel(2, 1);
        LedgerModel.Message first = model.send(0, 2, "acked");
        model.send(0, 2, "acked");
        model.read(0, 0, 0, first);
        model.position(0, 0, 1);
        model.handOverAll();
        model.ledger.end(0, 1);
        model.ledger.end(1, 1);
        assertCounts(model.ledger.balance(2), "unread 1, lost 0");
    }

    @Test
    void recordsRemovedByRetentionAreExpired() {
        LedgerModel model = new LedgerModel(1, 1);
        List<LedgerModel.Message> sent = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            sent.add(model.send(0, 2, "acked"));
        }
        model.read(0, 0, 0, sent.get(0));
        model.reader(0).expired(0, 4);
        for (int i = 5; i < 9; i++) {
            model.read(0, 0, i, sent.get(i));
        }
        model.position(0, 0, 10);
        model.handOverAll();
        model.ledger.end(0, 10);
        Balance balance = model.ledger.balance(2);
        assertCounts(balance, "expired 4, lost 1, received 5");
    }

    @Test
    void lostAndDuplicatedMessagesAreNamed() {
        LedgerModel model = new LedgerModel(1, 1);
        List<LedgerModel.Message> sent = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            sent.add(model.send(3, i < 10 ? 2 : 3, "acked"));
        }
        int offset = 0;
        for (int i : new int[] {0, 1, 1, 4, 5, 6, 7, 8, 9, 10, 10, 11, 13, 14, 15, 16, 17, 18, 19}) {
            model.read(0, 0, offset++, sent.get(i));
        }
        model.read(0, 0, 17, sent.get(18));
        model.position(0, 0, offset);
        model.handOverAll();
        model.ledger.end(0, offset);
        assertThat(model.ledger.examples(2, ALL, 5))
                .containsExactly(
                        "lost: producer 3, messages 2 to 3",
                        "lost: producer 3, message 12",
                        "duplicated: producer 3, message 1",
                        "duplicated: producer 3, message 10");
        assertThat(model.ledger.examples(3, 3, 5))
                .containsExactly("lost: producer 3, message 12", "duplicated: producer 3, message 10");
        assertThat(model.ledger.examples(2, ALL, 1)).hasSize(2);
    }

    @Test
    void messagesOfOthersAreForeign() {
        LedgerModel model = new LedgerModel(1, 1);
        LedgerModel.Message message = model.send(0, 2, "acked");
        model.reader(0).foreign(0, 0);
        model.read(0, 0, 1, message);
        // Weir's tag, with a producer or a sequence that no sender has.
        model.reader(0).received(0, 2, 7, 0);
        model.reader(0).received(0, 3, 0, 99);
        model.reader(0).received(0, 4, -1, 0);
        model.reader(0).received(0, 5, 0, -1);
        model.reader(0).received(0, 6, 1 << 20, 0);
        model.handOverAll();
        Balance balance = model.ledger.balance(2, ALL);
        assertCounts(balance, "foreign 6, received 1");
        assertThat(balance.balances()).isTrue();
        // The step of these messages is unknown.
        model.send(0, 3, "acked");
        assertThat(model.ledger.balance(2).of(Count.FOREIGN)).isEqualTo(Balance.UNKNOWN);
        assertThat(model.ledger.balance(2, ALL).of(Count.FOREIGN)).isEqualTo(6);
    }

    @Test
    void reusedOffsetIsNoReread() {
        // A leader lost offset 0 and gave the offset to another message: unclean election.
        LedgerModel model = new LedgerModel(1, 1);
        LedgerModel.Message first = model.send(0, 2, "acked");
        LedgerModel.Message second = model.send(0, 2, "acked");
        model.read(0, 0, 0, first);
        model.read(0, 0, 0, second);
        model.handOverAll();
        Balance balance = model.ledger.balance(2);
        assertCounts(balance, "received 2, reread 0, duplicated 0");
    }

    @Test
    void concurrentReadersGiveUnknownRereadsAndDuplicates() {
        LedgerModel model = new LedgerModel(1, 2);
        for (int i = 0; i < 100; i++) {
            LedgerModel.Message message = model.send(0, i < 50 ? 1 : 2, "acked");
            model.read(0, 0, i, message);
            model.read(1, 0, i, message);
        }
        model.position(0, 0, 100);
        model.handOverAll();
        Balance all = model.ledger.balance(0, ALL);
        assertCounts(all, "received 100, reread 100, duplicated 0");
        // Only offsets would show how many of these messages belong to each step.
        assertCounts(model.ledger.balance(2), "reread -1, duplicated -1");
    }

    @Test
    void ledgerEquationsDetectMissingMessages() {
        Ledger ledger = new Ledger(List.of("topic-0"));
        SentLedger sender = ledger.sender(0);
        sender.due(2, 3);
        sender.next(2, 2);
        sender.acked(0, 1);
        assertThat(ledger.balance(2).balances()).isFalse();
        sender.unsent(2, 1);
        assertThat(ledger.balance(2).balances()).isFalse();
        sender.unresolved(1, 1);
        assertThat(ledger.balance(2).balances()).isTrue();
    }

    @Test
    void ledgerEquationsDetectMessagesThatEndedTwice() {
        for (List<String> ends : List.of(
                List.of("acked", "failed"),
                List.of("acked", "acked"),
                List.of("failed", "failed"),
                List.of("acked", "beyond"))) {
            Ledger ledger = new Ledger(List.of("topic-0"));
            SentLedger sender = ledger.sender(0);
            sender.due(2, 2);
            sender.next(2, 2);
            for (String end : ends) {
                switch (end) {
                    case "acked" -> sender.acked(0, 1);
                    case "failed" -> sender.failed(0, 1);
                    default -> sender.aborted(5, 1);
                }
            }
            sender.acked(1, 1);
            assertThat(ledger.balance(2).balances()).as(ends.toString()).isFalse();
            assertThat(ledger.balance(2).resolvedTwice()).as(ends.toString()).isPositive();
        }
    }

    @Test
    void stepsOfAProducerNeverGoBack() {
        SentLedger sender = new Ledger(List.of()).sender(0);
        assertThat(sender.next(2, 5)).isZero();
        assertThat(sender.next(4, 1)).isEqualTo(5);
        assertThatThrownBy(() -> sender.next(3, 1)).hasMessage("step 3 after step 4");
    }

    @Test
    void ledgersOfWorkersAdd() throws IOException {
        List<Ledger> ledgers = new ArrayList<>();
        for (int worker = 0; worker < 3; worker++) {
            Ledger ledger = new Ledger(worker < 2 ? List.of("topic-0", "topic-1") : List.of("topic-1", "other-0"));
            ReadLedger reader = ledger.reader();
            SentLedger sender = ledger.sender(worker);
            sender.due(2, 10);
            sender.next(2, 10);
            sender.acked(0, 10);
            // Each reader reads the messages of the next writer, and one message twice.
            for (int i = 0; i < 10; i++) {
                reader.received(worker % 2, 100L * worker + i, (worker + 1) % 3, i);
            }
            reader.received(worker % 2, 100L * worker, (worker + 1) % 3, 0);
            reader.handOver();
            ledgers.add(ledger);
        }
        Ledger a = ledgers.get(0);
        Ledger b = ledgers.get(1);
        Ledger c = ledgers.get(2);
        Ledger sum = a.plus(b).plus(c);
        Balance balance = sum.balance(2);
        assertCounts(balance, "sent 30, acked 30, received 30, lost 0, reread 3");
        assertThat(bytes(a.plus(b.plus(c))::write)).isEqualTo(bytes(sum::write));
        assertThat(bytes(c.plus(b).plus(a)::write)).isEqualTo(bytes(sum::write));
        assertThatThrownBy(() -> a.plus(a)).hasMessage("producer 0 is already in the ledger");
    }

    @Test
    void sameOffsetReadByTwoWorkersIsReread() {
        Ledger one = new Ledger(List.of("topic-0"));
        SentLedger sender = one.sender(0);
        sender.due(2, 2);
        sender.next(2, 2);
        sender.acked(0, 2);
        Ledger other = new Ledger(List.of("topic-0"));
        ReadLedger reader = one.reader();
        reader.received(0, 0, 0, 0);
        reader.received(0, 1, 0, 1);
        reader.handOver();
        ReadLedger second = other.reader();
        second.received(0, 1, 0, 1);
        second.handOver();
        Balance balance = one.plus(other).balance(0, ALL);
        assertCounts(balance, "received 2, reread 1, duplicated 0");
    }

    @Test
    void finishedLedgerOfManyReadersIsSmall() throws InterruptedException {
        int readers = 4;
        int messages = 40 * 65_536;
        Ledger ledger = new Ledger(List.of("topic-0", "topic-1", "topic-2", "topic-3"));
        SentLedger sender = ledger.sender(0);
        sender.due(2, messages);
        sender.next(2, messages);
        for (int i = 0; i < messages; i += 64) {
            sender.acked(i, 64);
        }
        List<Thread> threads = new ArrayList<>();
        for (int r = 0; r < readers; r++) {
            int partition = r;
            ReadLedger reader = ledger.reader();
            threads.add(new Thread(() -> {
                // Every fourth message: each reader by itself would need a bit for each.
                for (int i = partition; i < messages; i += readers) {
                    reader.received(partition, i / readers, 0, i);
                    if (i % 65_536 < readers) {
                        reader.handOver();
                    }
                }
                reader.position(partition, messages / readers);
                reader.handOver();
            }));
            threads.get(r).start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        for (int partition = 0; partition < 4; partition++) {
            ledger.end(partition, messages / readers);
        }
        assertThat(ledger.balance(2).of(Count.RECEIVED)).isEqualTo(messages);
        assertCounts(ledger.balance(2), "lost 0, unread 0, duplicated 0, reread 0, reordered 0");
        assertThat(bytes(ledger::write)).hasSizeLessThan(200);
    }

    @Test
    void ledgerAllocatesNothingPerMessage() {
        Ledger ledger = new Ledger(List.of("topic-0"));
        SentLedger sender = ledger.sender(0);
        ReadLedger reader = ledger.reader();
        var threads = (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        long before = 0;
        for (int i = 0; i < 500_000; i++) {
            if (i == 100_000) {
                before = threads.getThreadAllocatedBytes(thread);
            }
            sender.due(2, 1);
            long sequence = sender.next(2, 1);
            sender.acked(sequence, 1);
            reader.received(0, sequence, 0, sequence);
        }
        // The reader allocates a new chunk of 8 KiB for every 65,536 messages until it hands over.
        assertThat(threads.getThreadAllocatedBytes(thread) - before).isLessThan(20_000);
    }

    @Test
    void hostileBytesAreRefused() {
        LedgerModel model = new LedgerModel(2, 1);
        for (int i = 0; i < 50; i++) {
            LedgerModel.Message message = model.send(i % 2, 2, OUTCOMES.get(i % 4));
            model.read(0, i % 2, i, message);
        }
        model.handOverAll();
        byte[] good = bytes(model.ledger::write);
        Written.assertCutBytesAreRefused(good, Ledger::read);
        Written.assertChangedBytesDoNoHarm(good, new SplittableRandom(3), 500, 1, good.length, Ledger::read);
    }
}
