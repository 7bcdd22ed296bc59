/**
 * Hosts other than this machine. {@link weir.feature.hosts.Agent} is the program on such a host; the run calls it
 * through {@link weir.feature.hosts.RemoteHost}. An agent starts and observes processes; the conductor alone decides
 * what a trial does.
 */
@NullMarked
package weir.feature.hosts;

import org.jspecify.annotations.NullMarked;
