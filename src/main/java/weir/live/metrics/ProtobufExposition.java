package weir.live.metrics;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.NativeHistogramBuckets;
import io.prometheus.metrics.model.snapshots.UnknownSnapshot;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * Prometheus' protobuf format: each {@code io.prometheus.client.MetricFamily} with its length before it. Field numbers
 * are those of metrics.proto of prometheus/client_model. The library's own writer brings 2 MiB of protobuf for these
 * few fields.
 */
final class ProtobufExposition {
    static final String CONTENT_TYPE =
            "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited";

    private static final int COUNTER = 0;
    private static final int GAUGE = 1;
    private static final int UNTYPED = 3;
    private static final int HISTOGRAM = 4;

    private ProtobufExposition() {}

    static void write(MetricSnapshots metrics, OutputStream out) throws IOException {
        for (MetricSnapshot metric : metrics) {
            Message family = family(metric);
            Message length = new Message();
            length.varint(family.size());
            length.writeTo(out);
            family.writeTo(out);
        }
    }

    private static Message family(MetricSnapshot metric) {
        String name = metric.getMetadata().getPrometheusName();
        Message family = new Message();
        family.text(
                1,
                name + (metric instanceof CounterSnapshot ? "_total" : metric instanceof InfoSnapshot ? "_info" : ""));
        String help = metric.getMetadata().getHelp();
        if (help != null) {
            family.text(2, help);
        }
        family.number(3, type(metric));
        for (DataPointSnapshot point : metric.getDataPoints()) {
            family.message(4, point(point));
        }
        return family;
    }

    private static int type(MetricSnapshot metric) {
        if (metric instanceof CounterSnapshot) {
            return COUNTER;
        }
        if (metric instanceof GaugeSnapshot || metric instanceof InfoSnapshot) {
            return GAUGE;
        }
        if (metric instanceof UnknownSnapshot) {
            return UNTYPED;
        }
        if (metric instanceof HistogramSnapshot) {
            return HISTOGRAM;
        }
        throw new AssertionError("no metric here is a " + metric.getClass());
    }

    private static Message point(DataPointSnapshot point) {
        Message metric = new Message();
        for (int i = 0; i < point.getLabels().size(); i++) {
            Message label = new Message();
            label.text(1, point.getLabels().getPrometheusName(i));
            label.text(2, point.getLabels().getValue(i));
            metric.message(1, label);
        }
        if (point instanceof GaugeSnapshot.GaugeDataPointSnapshot gauge) {
            metric.message(2, value(gauge.getValue()));
        } else if (point instanceof InfoSnapshot.InfoDataPointSnapshot) {
            metric.message(2, value(1));
        } else if (point instanceof CounterSnapshot.CounterDataPointSnapshot counter) {
            metric.message(3, value(counter.getValue()));
        } else if (point instanceof UnknownSnapshot.UnknownDataPointSnapshot unknown) {
            metric.message(5, value(unknown.getValue()));
        } else if (point instanceof HistogramDataPointSnapshot histogram) {
            metric.message(7, histogram(histogram));
        } else {
            throw new AssertionError("no point here is a " + point.getClass());
        }
        return metric;
    }

    private static Message value(double value) {
        Message message = new Message();
        message.real(1, value);
        return message;
    }

    private static Message histogram(HistogramDataPointSnapshot point) {
        Message histogram = new Message();
        histogram.number(1, point.getCount());
        histogram.real(2, point.getSum());
        ClassicHistogramBuckets classic = point.getClassicBuckets();
        long cumulative = 0;
        for (int i = 0; i < classic.size(); i++) {
            cumulative += classic.getCount(i);
            Message bucket = new Message();
            bucket.number(1, cumulative);
            bucket.real(2, classic.getUpperBound(i));
            histogram.message(3, bucket);
        }
        histogram.signed(5, point.getNativeSchema());
        histogram.real(6, point.getNativeZeroThreshold());
        histogram.number(7, point.getNativeZeroCount());
        buckets(point.getNativeBucketsForPositiveValues(), histogram);
        return histogram;
    }

    private static void buckets(NativeHistogramBuckets buckets, Message histogram) {
        Message deltas = new Message();
        long before = 0;
        int next = 0;
        int at = 0;
        while (at < buckets.size()) {
            int first = at;
            while (at < buckets.size() && buckets.getBucketIndex(at) == buckets.getBucketIndex(first) + (at - first)) {
                deltas.zigzag(buckets.getCount(at) - before);
                before = buckets.getCount(at);
                at++;
            }
            Message span = new Message();
            span.signed(1, buckets.getBucketIndex(first) - next);
            span.number(2, at - first);
            histogram.message(12, span);
            next = buckets.getBucketIndex(first) + (at - first);
        }
        if (buckets.size() == 0) {
            // An empty span tells Prometheus that the histogram is a native one all the same.
            Message span = new Message();
            span.signed(1, 0);
            span.number(2, 0);
            histogram.message(12, span);
        }
        histogram.message(13, deltas);
    }

    private static final class Message {
        private static final int VARINT = 0;
        private static final int FIXED64 = 1;
        private static final int BYTES = 2;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        int size() {
            return bytes.size();
        }

        void writeTo(OutputStream out) throws IOException {
            bytes.writeTo(out);
        }

        void varint(long value) {
            long left = value;
            while ((left & ~0x7fL) != 0) {
                bytes.write((int) (left & 0x7f) | 0x80);
                left >>>= 7;
            }
            bytes.write((int) left);
        }

        void zigzag(long value) {
            varint((value << 1) ^ (value >> 63));
        }

        private void field(int number, int form) {
            varint((long) number << 3 | form);
        }

        void number(int field, long value) {
            field(field, VARINT);
            varint(value);
        }

        void signed(int field, long value) {
            field(field, VARINT);
            zigzag(value);
        }

        void real(int field, double value) {
            field(field, FIXED64);
            long bits = Double.doubleToRawLongBits(value);
            for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
                bytes.write((int) (bits >>> shift) & 0xff);
            }
        }

        void text(int field, String text) {
            byte[] encoded = Objects.requireNonNull(text).getBytes(StandardCharsets.UTF_8);
            field(field, BYTES);
            varint(encoded.length);
            bytes.writeBytes(encoded);
        }

        void message(int field, Message message) {
            field(field, BYTES);
            varint(message.size());
            bytes.writeBytes(message.bytes.toByteArray());
        }
    }
}
