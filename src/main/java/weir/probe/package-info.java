/**
 * Samples of hosts, brokers and Weir's own processes, once a second. Read {@link weir.probe.Probe} first. Probes change
 * nothing; {@link weir.probe.CanaryBenchmarks} use the machine, but never during a load. An unknown figure is absent
 * with its reason, never 0. An old kernel, a container or an ended process must not fail a run.
 */
@NullMarked
package weir.probe;

import org.jspecify.annotations.NullMarked;
