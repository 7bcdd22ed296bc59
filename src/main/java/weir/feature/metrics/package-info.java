/**
 * Metrics for Prometheus: of a run, of its own brokers, and of external brokers from their exporters. Read {@link
 * weir.feature.metrics.RunMetrics} and {@link weir.feature.metrics.Scrapes} first. Brokers are read only during a
 * scrape. A faulty exporter spoils only its own figures: each exporter has a thread with limits of time and bytes.
 */
@NullMarked
package weir.feature.metrics;

import org.jspecify.annotations.NullMarked;
