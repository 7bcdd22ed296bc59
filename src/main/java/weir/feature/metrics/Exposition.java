package weir.feature.metrics;

import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusProtobufWriter;
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
    PROTOBUF(new PrometheusProtobufWriter()),
    OPEN_METRICS(OpenMetricsTextFormatWriter.create()),
    TEXT(PrometheusTextFormatWriter.create());

    private static final byte[] EOF = "# EOF\n".getBytes(StandardCharsets.UTF_8);

    @SuppressWarnings("ImmutableEnumChecker") // It has no state but its configuration.
    private final ExpositionFormatWriter writer;

    Exposition(ExpositionFormatWriter writer) {
        this.writer = writer;
    }

    static Exposition of(String accept) {
        return PROTOBUF.writer.accepts(accept) ? PROTOBUF : OPEN_METRICS.writer.accepts(accept) ? OPEN_METRICS : TEXT;
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
            writer.write(out, metrics, EscapingScheme.DEFAULT);
        } catch (IOException e) {
            throw new UncheckedIOException("writing metrics to memory", e);
        }
        byte[] bytes = out.toByteArray();
        return this == OPEN_METRICS ? Arrays.copyOf(bytes, bytes.length - EOF.length) : bytes;
    }

    String type() {
        return writer.getContentType();
    }
}
