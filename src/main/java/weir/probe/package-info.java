/**
 * Looks at hosts, brokers and ourselves once a second, and never touches; {@link weir.probe.CanaryBenchmarks} work, but never
 * beside a load. Read {@link weir.probe.Probe} first, then {@link weir.probe.Probes} and {@link weir.probe.Sampler}.
 * A figure that cannot be known is absent, with its reason, and never 0: an old kernel, a container or a vanished process
 * must not fail a run, nor look like an idle one.
 */
@NullMarked
package weir.probe;

import org.jspecify.annotations.NullMarked;
