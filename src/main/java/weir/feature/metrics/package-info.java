/**
 * Metrics of a run and of its brokers for Prometheus, and readings from exporters of brokers that Weir did not start.
 * Read {@link weir.feature.metrics.RunMetrics} and {@link weir.feature.metrics.Scrapes} first. For Prometheus, Weir
 * reads brokers only during a scrape. A faulty exporter affects only its own figures, because each exporter has its own
 * thread and limits of time and bytes.
 */
@NullMarked
package weir.feature.metrics;

import org.jspecify.annotations.NullMarked;
