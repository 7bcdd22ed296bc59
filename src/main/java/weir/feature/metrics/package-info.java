/**
 * Metrics for Prometheus of a run and its own brokers, and the metrics of given brokers from their exporters. Read
 * {@link weir.feature.metrics.RunMetrics} and {@link weir.feature.metrics.Scrapes} first. Brokers are read only during
 * a scrape. Each exporter has its own thread, and limits of time and bytes, so a faulty one costs only its figures.
 */
@NullMarked
package weir.feature.metrics;

import org.jspecify.annotations.NullMarked;
