package weir.live.metrics;

import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** The format of metrics that a scraper asks for. */
enum Exposition {
    /** The only format in which Prometheus accepts native histograms. */
    PROTOBUF(ProtobufExposition.CONTENT_TYPE),
    OPEN_METRICS(OpenMetricsTextFormatWriter.CONTENT_TYPE),
    TEXT(PrometheusTextFormatWriter.CONTENT_TYPE);

    private static final byte[] EOF = "# EOF\n".getBytes(StandardCharsets.UTF_8);

    private final String type;

    Exposition(String type) {
        this.type = type;
    }

    static Exposition of(String accept) {
        if (accept.contains("application/vnd.google.protobuf")
                && accept.contains("io.prometheus.client.MetricFamily")) {
            return PROTOBUF;
        }
        return accept.contains("application/openmetrics-text") ? OPEN_METRICS : TEXT;
    }

    /** Joins parts that have no series in common. */
    byte[] whole(List<byte[]> parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(
                parts.stream().mapToInt(part -> part.length).sum() + EOF.length);
        parts.forEach(out::writeBytes);
        if (this == OPEN_METRICS) {
            out.writeBytes(EOF);
        }
        return out.toByteArray();
    }

    byte[] part(MetricSnapshots metrics) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(1 << 14);
        try {
            switch (this) {
                case PROTOBUF -> ProtobufExposition.write(metrics, out);
                case OPEN_METRICS -> write(OpenMetricsTextFormatWriter.create(), metrics, out);
                case TEXT -> write(PrometheusTextFormatWriter.create(), metrics, out);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("writing metrics to memory", e);
        }
        byte[] bytes = out.toByteArray();
        return this == OPEN_METRICS ? Arrays.copyOf(bytes, bytes.length - EOF.length) : bytes;
    }

    private static void write(ExpositionFormatWriter writer, MetricSnapshots metrics, ByteArrayOutputStream out)
            throws IOException {
        writer.write(out, metrics, EscapingScheme.DEFAULT);
    }

    String type() {
        return type;
    }
}
