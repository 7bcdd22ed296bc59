/**
 * The metrics of given brokers, read from the exporters beside them. Read {@link weir.probe.scrape.Scrapes} first. Whatever an
 * exporter does, it costs its own figures and nothing else: it is asked on a thread of its own, for so long and for so many
 * bytes at the most.
 */
@NullMarked
package weir.probe.scrape;

import org.jspecify.annotations.NullMarked;
