package weir.feature.metrics;

import java.util.List;
import weir.cli.cluster.ClusterExtension;
import weir.feature.Feature;
import weir.run.lab.GivenMetrics;

/** Metrics for Prometheus of a run and of brokers started here, and the metrics of given brokers. */
public final class MetricsFeature implements Feature {
    @Override
    public List<ClusterExtension> clusterExtensions() {
        return List.of(new ClusterMetricsOptions());
    }

    @Override
    public List<GivenMetrics> givenMetrics() {
        return List.of(new Scrapes());
    }
}
