/**
 * The sampling of hosts, brokers and Weir's own processes once a second, without changing them. Only {@link
 * weir.probe.CanaryBenchmarks} put load on the machine, and never during a trial. Read {@link weir.probe.Probe} first,
 * then {@link weir.probe.Probes} and {@link weir.probe.Sampler}. An unknown figure is absent with its reason, never 0.
 * An old kernel, a container or a process that ended must not fail a run.
 */
@NullMarked
package weir.probe;

import org.jspecify.annotations.NullMarked;
