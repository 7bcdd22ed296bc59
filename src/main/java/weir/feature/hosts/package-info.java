/**
 * Hosts other than this machine. {@link weir.feature.hosts.Agent} is the program on a host; the run calls it through
 * {@link weir.feature.hosts.RemoteHost}. The package starts and observes processes. It decides nothing about a trial.
 */
@NullMarked
package weir.feature.hosts;

import org.jspecify.annotations.NullMarked;
