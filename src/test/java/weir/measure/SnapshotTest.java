package weir.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static weir.measure.Written.bytes;
import static weir.measure.Written.read;

import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import weir.measure.Steps.Part;

class SnapshotTest {
    private static final Set<Count> SUMS = EnumSet.copyOf(Count.OF_STEPS);
    private static final long SECOND = 1_000_000_000L;

    /** Two steps with a rest between them. */
    private static final List<Part> STEPS = List.of(part(2, 0, 0, 10), part(3, 0, 12, 20));

    private final Series series = new Series();

    static {
        SUMS.remove(Count.ENDED_NANOS);
    }

    static Snapshot random(long seed, long index) {
        SplittableRandom random = new SplittableRandom(seed);
        Snapshot snapshot = new Snapshot(index);
        for (int i = 0; i < 60; i++) {
            Numbers numbers = snapshot.at(random.nextInt(5));
            SUMS.forEach(sum -> numbers.add(sum, random.nextLong(1L << 40)));
            LatencyKind metric = List.of(LatencyKind.values()).get(random.nextInt(6));
            numbers.recorded(metric).record(random.nextLong(1L << 34), random.nextInt(1, 9));
            numbers.recorded(metric).recordAtLeast(random.nextLong(1L << 34), random.nextInt(1, 9));
        }
        return snapshot;
    }

    @Test
    void singleDurationsAreKeptFromTheRequestedStep() throws IOException {
        Snapshot recorded = new Snapshot(0);
        Recorder recorder = new Recorder(0, 1_000, 2, recorded::add);
        recorder.acked(1, 1, 1, 0, 0, 11, 0);
        recorder.acked(2, 1, 1, 0, 0, 22, 0);
        recorder.acked(2, 3, 3, 10, 10, 43, 0);
        recorder.failed(2, 1, 1, 0, 0, 44, 900);
        recorder.unresolved(2, 1, 1, 0, 0, 950);
        recorder.unsent(2, 1, 1, 100, 950, 0);
        recorder.close();
        Snapshot together = read(bytes(recorded::write), Snapshot::read);
        assertThat(together.numbers(1).singles().values()).isEmpty();
        assertThat(together.numbers(2).singles().values()).containsExactly(22, 33, 33, 33, 900, 950, 850);
        assertThat(together.numbers(2).latency(LatencyKind.RESPONSE).count()).isEqualTo(7);
    }

    @Test
    void plusIsAssociativeAndCommutative() {
        Snapshot a = random(1, 9);
        Snapshot b = random(2, 9);
        Snapshot c = random(3, 9);
        byte[] sum = bytes(a.plus(b).plus(c)::write);
        assertThat(bytes(a.plus(b.plus(c))::write)).isEqualTo(sum);
        assertThat(bytes(c.plus(b).plus(a)::write)).isEqualTo(sum);
        assertThat(bytes(a.plus(new Snapshot(9))::write)).isEqualTo(bytes(a::write));
    }

    @Test
    void plusLeavesBothSidesAsTheyWere() {
        Snapshot a = random(1, 9);
        Snapshot b = random(2, 9);
        byte[] before = bytes(a::write);
        a.plus(b).at(3).add(Count.DUE, 1);
        assertThat(bytes(a::write)).isEqualTo(before);
    }

    @Test
    void differentWindowsAreNotAdded() {
        assertThatThrownBy(() -> random(1, 8).plus(random(2, 9))).hasMessage("windows 8 and 9 are not the same");
    }

    @Test
    void everyCountAndLatencyIsAdded() {
        Numbers once = random(1, 9).all();
        Numbers twice = once.plus(once);
        assertThat(counts(twice))
                .isEqualTo(counts(once).stream().map(count -> 2 * count).toList());
        assertThat(counts(once)).doesNotContain(0L);
    }

    private static List<Long> counts(Numbers n) {
        return LongStream.concat(
                        SUMS.stream().mapToLong(n::count),
                        LongStream.of(
                                n.latency(LatencyKind.RESPONSE).count(),
                                n.latency(LatencyKind.SERVICE).count(),
                                n.latency(LatencyKind.BACKPRESSURE).count(),
                                n.latency(LatencyKind.LATE).count(),
                                n.latency(LatencyKind.BLOCKED).count(),
                                n.latency(LatencyKind.E2E).count(),
                                n.latency(LatencyKind.E2E).censored()))
                .boxed()
                .toList();
    }

    @Test
    void writtenValueIsReadUnchanged() throws IOException {
        for (Snapshot snapshot : List.of(new Snapshot(0), random(1, 1L << 50))) {
            Snapshot read = read(bytes(snapshot::write), Snapshot::read);
            assertThat(bytes(read::write)).isEqualTo(bytes(snapshot::write));
            assertThat(read.index()).isEqualTo(snapshot.index());
            assertThat(counts(read.all())).isEqualTo(counts(snapshot.all()));
        }
    }

    @Test
    void hostileBytesAreRefusedBeforeTheyCostMemory() {
        byte[] good = bytes(random(4, 5)::write);
        assertThatThrownBy(() -> read(new byte[] {9}, Snapshot::read))
                .hasMessage("the snapshot has format 9; only 4 is supported");
        assertThatThrownBy(() -> read(new byte[] {4, 0, (byte) 0xff, (byte) 0xff, 0x7f}, Snapshot::read))
                .hasMessage("2097151 steps; must be at most 256");
        SplittableRandom random = new SplittableRandom(8);
        for (int i = 0; i < 60; i++) {
            byte[] bytes = Arrays.copyOf(good, random.nextInt(good.length));
            for (int change = 0; change < 4 && bytes.length > 1; change++) {
                bytes[random.nextInt(1, Math.min(bytes.length, 200))] = (byte) random.nextInt(256);
            }
            try {
                read(bytes, Snapshot::read);
            } catch (IOException e) {
                assertThat(e).isNotNull();
            }
        }
    }

    private static Snapshot window(long index, int step, int due) {
        Snapshot snapshot = new Snapshot(index);
        snapshot.at(step).add(Count.DUE, due);
        return snapshot;
    }

    private List<String> take(long index) {
        return series.take(index).stream()
                .map(window -> window.index() + ": " + window.all().due())
                .toList();
    }

    @Test
    void partsOfAWindowAreOneAndComeInOrder() {
        series.add(window(2, 2, 1));
        series.add(window(0, 1, 2));
        series.add(window(2, 2, 4));
        series.add(window(2, 3, 8));
        assertThat(take(Long.MAX_VALUE)).containsExactly("0: 2", "2: 13");
    }

    @Test
    void onlyWindowsThatAreOverAreTakenAndOnlyOnce() {
        series.add(window(0, 2, 1));
        series.add(window(1, 2, 2));
        assertThat(take(1)).containsExactly("0: 1");
        assertThat(take(1)).isEmpty();
        assertThat(take(2)).containsExactly("1: 2");
    }

    @Test
    void lateWindowIsTakenByTheNextCall() {
        series.add(window(0, 2, 1));
        assertThat(take(5)).containsExactly("0: 1");
        series.add(window(0, 2, 7));
        assertThat(take(5)).containsExactly("0: 7");
        assertThat(series.total(2).due()).isEqualTo(8);
    }

    @Test
    void totalsAreByStep() {
        series.add(window(0, 0, 1));
        series.add(window(1, 1, 2));
        series.add(window(2, 2, 4));
        series.add(window(3, 3, 8));
        take(2);
        assertThat(series.total(2).due()).isEqualTo(4);
        assertThat(series.total(Steps.MEASURE, Integer.MAX_VALUE).due()).isEqualTo(12);
        assertThat(series.total(9).due()).isZero();
    }

    @Test
    void aSnapshotThatIsUsedAgainDoesNotChangeTheSeries() {
        Snapshot reused = window(0, 2, 1);
        series.add(reused);
        reused.clear(1);
        reused.at(2).add(Count.DUE, 50);
        assertThat(series.total(2).due()).isEqualTo(1);
    }

    private static Part part(int step, double since, double start, double end) {
        return new Part(step, (long) (since * SECOND), (long) (start * SECOND), (long) (end * SECOND));
    }

    private static Steps cut(List<Part> steps, double... cuts) {
        TreeSet<Long> nanos = new TreeSet<>();
        for (double cut : cuts) {
            nanos.add((long) (cut * SECOND));
        }
        return Steps.cut(steps, nanos);
    }

    @Test
    void stepsAreSplitAtDisturbances() {
        assertThat(cut(STEPS, 6.5, 14).parts())
                .containsExactly(part(2, 0, 0, 6.5), part(2, 6.5, 6.5, 10), part(3, 6.5, 12, 14), part(3, 14, 14, 20));
    }

    @Test
    void cutOutsideTheStepsAddsNoPart() {
        assertThat(cut(STEPS, 0, 11, 20, 30).parts()).containsExactly(part(2, 0, 0, 10), part(3, 11, 12, 20));
        assertThat(cut(STEPS).parts()).isEqualTo(STEPS);
    }

    @Test
    void aPartIsNamedByItsStepAndTheCutBeforeIt() {
        Steps parts = cut(STEPS, 6.5, 14);
        assertThat(List.of(parts.name(1), parts.name(2), parts.name(3), parts.name(4), parts.name(5)))
                .containsExactly("1", "2", "2+6.5", "3+6.5", "3+14");
        assertThat(List.of(parts.step(0), parts.step(1), parts.step(3), parts.step(4)))
                .containsExactly(0, 1, 2, 3);
        assertThat(Steps.WHOLE.name(7)).isEqualTo("7");
    }

    @Test
    void histogramTagHoldsTheDueSecondsOfItsMessages() {
        HistogramLog.LatencyTag tag = HistogramLog.LatencyTag.of("response@3+6.5");
        assertThat(tag)
                .isEqualTo(new HistogramLog.LatencyTag("response", 3, 6.5))
                .hasToString("response@3+6.5");
        assertThat(tag.due(6.5, 14)).isTrue();
        assertThat(tag.due(7, 14) || tag.due(0, 6.5)).isFalse();
        assertThat(HistogramLog.LatencyTag.of("response@1").due(0, 14))
                .as("warm-up")
                .isFalse();
    }

    @Test
    void theAccountOfADisturbanceIsThatOfWhatWasDueInIt() {
        Steps parts = cut(STEPS, 6.5, 14);
        Ledger ledger = new Ledger(List.of("t-0"));
        SentLedger sender = ledger.sender(0);
        for (int part = 2; part < 6; part++) {
            sender.due(part, 10 * part);
            sender.acked(sender.next(part, 10 * part), 10 * part - part);
        }
        assertThat(parts.balance(ledger, (long) (6.5 * SECOND), 14 * SECOND))
                .isNotNull()
                .extracting(balance -> List.of(balance.of(Count.DUE), balance.of(Count.ACKED)))
                .isEqualTo(List.of(70L, 63L));
        assertThat(parts.balance(ledger, 3).of(Count.DUE)).isEqualTo(90);
        assertThat(parts.balance(ledger, 30 * SECOND, 40 * SECOND)).isNull();
    }
}
