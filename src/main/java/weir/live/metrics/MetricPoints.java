package weir.live.metrics;

import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.List;

/** Points and families of one point, in the library's form. */
final class MetricPoints {
    private MetricPoints() {}

    static InfoSnapshot info(String name, String help, Labels labels) {
        return InfoSnapshot.builder()
                .name(name)
                .help(help)
                .dataPoint(new InfoSnapshot.InfoDataPointSnapshot(labels))
                .build();
    }

    static GaugeSnapshot gauge(String name, String help, double value) {
        return GaugeSnapshot.builder()
                .name(name)
                .help(help)
                .dataPoint(level(value, Labels.EMPTY))
                .build();
    }

    /** A gauge of one value, left out where that is not known: it is never 0. */
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
