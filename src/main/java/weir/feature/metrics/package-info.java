/**
 * Metrics for Prometheus of a run and of brokers started here, and the metrics of given brokers, read from the exporters
 * beside them. Read {@link weir.feature.metrics.RunMetrics} and {@link weir.feature.metrics.Scrapes} first. Numbers of a run
 * are those of the windows and of the ledger, added up; brokers are asked only during a scrape. A faulty exporter costs only
 * its own figures: it is read on a thread of its own, with a limit of time and of bytes.
 */
@NullMarked
package weir.feature.metrics;

import org.jspecify.annotations.NullMarked;
