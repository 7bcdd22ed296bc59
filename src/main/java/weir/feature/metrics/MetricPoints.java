package weir.feature.metrics;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.List;
import java.util.stream.Stream;

/** Points, and families of one point, in the form of Prometheus' library. */
final class MetricPoints {
    private MetricPoints() {}

    static InfoSnapshot info(String name, String help, Labels labels) {
        return new InfoSnapshot(
                new MetricMetadata(name, help), List.of(new InfoSnapshot.InfoDataPointSnapshot(labels)));
    }

    static GaugeSnapshot gauge(String name, String help, Stream<GaugeDataPointSnapshot> points) {
        return new GaugeSnapshot(new MetricMetadata(name, help), points.toList());
    }

    static CounterSnapshot counter(String name, String help, Stream<CounterDataPointSnapshot> points) {
        return new CounterSnapshot(new MetricMetadata(name, help), points.toList());
    }

    static GaugeSnapshot gauge(String name, String help, double value) {
        return gauge(name, help, Stream.of(level(value, Labels.EMPTY)));
    }

    /** Adds a gauge of one value, unless it is unknown: an unknown value is never 0. */
    static void known(List<MetricSnapshot> all, String name, String help, double value) {
        if (!Double.isNaN(value)) {
            all.add(gauge(name, help, value));
        }
    }

    static GaugeDataPointSnapshot level(double value, Labels labels) {
        return new GaugeDataPointSnapshot(value, labels, null);
    }

    static CounterDataPointSnapshot count(double value, Labels labels) {
        return new CounterDataPointSnapshot(value, labels, null, 0);
    }
}
