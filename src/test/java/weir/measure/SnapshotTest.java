package weir.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SnapshotTest {
    private static final Set<Count> SUMS = EnumSet.copyOf(Count.OF_STEPS);

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

    static byte[] bytes(Snapshot snapshot) {
        try {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            snapshot.write(new DataOutputStream(out));
            return out.toByteArray();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Snapshot read(byte[] bytes) throws IOException {
        return Snapshot.read(new DataInputStream(new ByteArrayInputStream(bytes)));
    }

    @Test
    void singleDurationsAreKeptOneByOneFromTheStepOnThatIsAskedFor() throws IOException {
        Snapshot recorded = new Snapshot(0);
        Recorder recorder = new Recorder(0, 1_000, 2, recorded::add);
        recorder.acked(1, 1, 1, 0, 0, 11, 0);
        recorder.acked(2, 1, 1, 0, 0, 22, 0);
        recorder.acked(2, 3, 3, 10, 10, 43, 0);
        recorder.failed(2, 1, 1, 0, 0, 44, 900);
        recorder.unresolved(2, 1, 1, 0, 0, 950);
        recorder.unsent(2, 1, 1, 100, 950, 0);
        recorder.close();
        Snapshot together = read(bytes(recorded));
        assertThat(together.numbers(1).singles().values()).isEmpty();
        assertThat(together.numbers(2).singles().values()).containsExactly(22, 33, 33, 33, 900, 950, 850);
        assertThat(together.numbers(2).latency(LatencyKind.RESPONSE).count()).isEqualTo(7);
    }

    @Test
    void plusIsAssociativeAndCommutative() {
        Snapshot a = random(1, 9);
        Snapshot b = random(2, 9);
        Snapshot c = random(3, 9);
        byte[] sum = bytes(a.plus(b).plus(c));
        assertThat(bytes(a.plus(b.plus(c)))).isEqualTo(sum);
        assertThat(bytes(c.plus(b).plus(a))).isEqualTo(sum);
        assertThat(bytes(a.plus(new Snapshot(9)))).isEqualTo(bytes(a));
    }

    @Test
    void plusLeavesBothSidesAsTheyWere() {
        Snapshot a = random(1, 9);
        Snapshot b = random(2, 9);
        byte[] before = bytes(a);
        a.plus(b).at(3).add(Count.DUE, 1);
        assertThat(bytes(a)).isEqualTo(before);
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
    void whatIsWrittenIsReadTheSame() throws IOException {
        for (Snapshot snapshot : List.of(new Snapshot(0), random(1, 1L << 50))) {
            Snapshot read = read(bytes(snapshot));
            assertThat(bytes(read)).isEqualTo(bytes(snapshot));
            assertThat(read.index()).isEqualTo(snapshot.index());
            assertThat(counts(read.all())).isEqualTo(counts(snapshot.all()));
        }
    }

    @Test
    void hostileBytesAreRefusedBeforeTheyCostMemory() {
        byte[] good = bytes(random(4, 5));
        assertThatThrownBy(() -> read(new byte[] {9})).hasMessage("a snapshot of form 9, where 4 is understood");
        assertThatThrownBy(() -> read(new byte[] {4, 0, (byte) 0xff, (byte) 0xff, 0x7f}))
                .hasMessage("2097151 steps, where at most 256 are allowed");
        SplittableRandom random = new SplittableRandom(8);
        for (int i = 0; i < 60; i++) {
            byte[] bytes = Arrays.copyOf(good, random.nextInt(good.length));
            for (int change = 0; change < 4 && bytes.length > 1; change++) {
                bytes[random.nextInt(1, Math.min(bytes.length, 200))] = (byte) random.nextInt(256);
            }
            try {
                read(bytes);
            } catch (IOException e) {
                assertThat(e).isNotNull();
            }
        }
    }
}
