/**
 * The names that the Prometheus JMX exporter gives to a broker's MBeans: its rules, run once for each name and never for a
 * value. Read {@link weir.probe.exporter.ExporterDialect} first. It knows names only and reads no broker.
 */
@NullMarked
package weir.probe.exporter;

import org.jspecify.annotations.NullMarked;
