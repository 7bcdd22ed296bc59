package weir.live.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import weir.measure.Latency;

/** Reads the wire format back by its rules; a real Prometheus reads it in MetricsIT. */
class ProtobufExpositionTest {
    private static final ByteBuffer NONE = ByteBuffer.allocate(0);

    /** A field: its number, and its value or bytes. */
    private record Field(int number, long value, ByteBuffer bytes) {
        double real() {
            return Double.longBitsToDouble(value);
        }

        String text() {
            return UTF_8.decode(bytes.duplicate()).toString();
        }

        List<Field> message() {
            return fields(bytes.duplicate());
        }
    }

    private static long varint(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            long next = in.get();
            value |= (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
    }

    private static ByteBuffer bytes(ByteBuffer in) {
        int length = (int) varint(in);
        ByteBuffer bytes = in.slice(in.position(), length);
        in.position(in.position() + length);
        return bytes;
    }

    private static List<Field> fields(ByteBuffer in) {
        in.order(ByteOrder.LITTLE_ENDIAN);
        List<Field> fields = new ArrayList<>();
        while (in.hasRemaining()) {
            long tag = varint(in);
            int number = (int) (tag >>> 3);
            switch ((int) (tag & 7)) {
                case 0 -> fields.add(new Field(number, varint(in), NONE));
                case 1 -> fields.add(new Field(number, in.getLong(), NONE));
                case 2 -> fields.add(new Field(number, 0, bytes(in)));
                default -> throw new AssertionError("wire type of " + tag);
            }
        }
        return fields;
    }

    private static List<List<Field>> families(MetricSnapshot... metrics) {
        ByteBuffer in = ByteBuffer.wrap(Exposition.PROTOBUF.part(new MetricSnapshots(metrics)));
        List<List<Field>> families = new ArrayList<>();
        while (in.hasRemaining()) {
            families.add(fields(bytes(in)));
        }
        return families;
    }

    private static List<Field> of(List<Field> message, int number) {
        return message.stream().filter(field -> field.number() == number).toList();
    }

    private static Field the(List<Field> message, int number) {
        assertThat(of(message, number)).hasSize(1);
        return of(message, number).get(0);
    }

    private static long signed(Field field) {
        return (field.value() >>> 1) ^ -(field.value() & 1);
    }

    @Test
    void aCounterHasItsNameTypeLabelsAndValue() {
        List<Field> family = families(CounterSnapshot.builder()
                        .name("weir_records_acked")
                        .help("Records.")
                        .dataPoint(CounterSnapshot.CounterDataPointSnapshot.builder()
                                .labels(Labels.of("variant", "grün"))
                                .value(300)
                                .build())
                        .build())
                .get(0);
        assertThat(the(family, 1).text()).isEqualTo("weir_records_acked_total");
        assertThat(the(family, 2).text()).isEqualTo("Records.");
        assertThat(the(family, 3).value()).isZero();
        List<Field> metric = the(family, 4).message();
        List<Field> label = the(metric, 1).message();
        assertThat(the(label, 1).text()).isEqualTo("variant");
        assertThat(the(label, 2).text()).isEqualTo("grün");
        assertThat(the(the(metric, 3).message(), 1).real()).isEqualTo(300);
    }

    @Test
    void oneFamilyFollowsTheOther() {
        MetricSnapshot gauge = GaugeSnapshot.builder()
                .name("b")
                .dataPoint(GaugeSnapshot.GaugeDataPointSnapshot.builder()
                        .value(-1.5)
                        .build())
                .build();
        MetricSnapshot other = GaugeSnapshot.builder().name("a").build();
        List<List<Field>> families = families(gauge, other);
        assertThat(families).extracting(family -> the(family, 1).text()).containsExactly("a", "b");
        assertThat(the(families.get(1), 3).value()).isOne();
        assertThat(the(the(the(families.get(1), 4).message(), 2).message(), 1).real())
                .isEqualTo(-1.5);
    }

    @Test
    void aHistogramHasBothFormsAndItsRunsOfBucketsAreDifferences() {
        Latency latency = new Latency();
        latency.record(1_000_000_000, 5);
        latency.record(1_050_000_000, 2);
        latency.record(4_000_000_000L, 1);
        MessageTotals.LatencyBuckets buckets = new MessageTotals.LatencyBuckets();
        buckets.add(latency);
        List<Field> family = families(HistogramSnapshot.builder()
                        .name("weir_response_seconds")
                        .dataPoint(buckets.point(Labels.EMPTY))
                        .build())
                .get(0);
        assertThat(the(family, 3).value()).isEqualTo(4);
        List<Field> histogram = the(the(family, 4).message(), 7).message();
        assertThat(the(histogram, 1).value()).isEqualTo(8);
        assertThat(signed(the(histogram, 5))).isEqualTo(MessageTotals.LatencyBuckets.SCHEMA);
        List<Field> classic = of(histogram, 3);
        assertThat(the(classic.get(classic.size() - 1).message(), 1).value())
                .as("cumulative")
                .isEqualTo(8);
        // Buckets 0 and 1, then 16: 2^(0/8) s, 2^(1/8) s, 4 s.
        List<Field> spans = of(histogram, 12);
        assertThat(spans).hasSize(2);
        assertThat(spans).extracting(span -> signed(the(span.message(), 1))).containsExactly(0L, 14L);
        assertThat(spans).extracting(span -> the(span.message(), 2).value()).containsExactly(2L, 1L);
        ByteBuffer deltas = the(histogram, 13).bytes();
        List<Long> counts = new ArrayList<>();
        while (deltas.hasRemaining()) {
            counts.add(signed(new Field(13, varint(deltas), NONE)));
        }
        assertThat(counts).containsExactly(5L, -3L, -1L);
    }
}
