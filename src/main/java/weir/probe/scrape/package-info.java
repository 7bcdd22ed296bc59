/**
 * The metrics of given brokers, read from the exporters beside them. Read {@link weir.probe.scrape.Scrapes} first.
 * A faulty exporter costs only its own figures: it is read on a thread of its own, with a limit of time and of bytes.
 */
@NullMarked
package weir.probe.scrape;

import org.jspecify.annotations.NullMarked;
