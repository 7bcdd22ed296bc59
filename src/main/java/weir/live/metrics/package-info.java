/**
 * A run and its brokers as Prometheus reads them. Read {@link weir.live.metrics.RunMetrics} first.
 * The one place that knows Prometheus' library. Numbers are those of the windows and of the ledger, added up; no message is
 * seen here, and brokers are asked only during a scrape.
 */
@NullMarked
package weir.live.metrics;

import org.jspecify.annotations.NullMarked;
