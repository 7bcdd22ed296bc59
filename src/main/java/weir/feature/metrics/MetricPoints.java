package weir.feature.metrics;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.UnknownSnapshot;
import io.prometheus.metrics.model.snapshots.UnknownSnapshot.UnknownDataPointSnapshot;
import java.util.List;
import java.util.Map;

/** Factory methods for data points and metric families of Prometheus' library. */
final class MetricPoints {
    private MetricPoints() {}

    static InfoSnapshot info(String name, String help, Labels labels) {
        return new InfoSnapshot(
                new MetricMetadata(name, help), List.of(new InfoSnapshot.InfoDataPointSnapshot(labels)));
    }

    static GaugeSnapshot gauge(String name, String help, Map<Labels, ? extends Number> values) {
        return new GaugeSnapshot(
                new MetricMetadata(name, help),
                values.entrySet().stream()
                        .map(one -> new GaugeDataPointSnapshot(one.getValue().doubleValue(), one.getKey(), null))
                        .toList());
    }

    static CounterSnapshot counter(String name, String help, Map<Labels, ? extends Number> values) {
        return new CounterSnapshot(
                new MetricMetadata(name, help),
                values.entrySet().stream()
                        .map(one -> new CounterDataPointSnapshot(one.getValue().doubleValue(), one.getKey(), null, 0))
                        .toList());
    }

    static UnknownSnapshot untyped(String name, String help, Map<Labels, ? extends Number> values) {
        return new UnknownSnapshot(
                new MetricMetadata(name, help),
                values.entrySet().stream()
                        .map(one -> new UnknownDataPointSnapshot(one.getValue().doubleValue(), one.getKey(), null))
                        .toList());
    }

    /** Adds a gauge with one value. An unknown value is omitted instead of shown as 0. */
    static void known(List<MetricSnapshot> all, String name, String help, double value) {
        if (!Double.isNaN(value)) {
            all.add(gauge(name, help, Map.of(Labels.EMPTY, value)));
        }
    }
}
