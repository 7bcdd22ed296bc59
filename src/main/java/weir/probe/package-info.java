/**
 * Samples hosts, brokers and Weir's own processes once a second and changes nothing. {@link weir.probe.CanaryBenchmarks} use the machine, but never during a load. Read {@link weir.probe.Probe} first, then {@link weir.probe.Probes} and {@link weir.probe.Sampler}.
 * An unknown figure is absent with its reason, never 0. An old kernel, a container or a process that ended must not fail a run.
 */
@NullMarked
package weir.probe;

import org.jspecify.annotations.NullMarked;
