/**
 * Hosts other than this machine. {@link weir.feature.hosts.Agent} is the program there; the run calls it through
 * {@link weir.feature.hosts.RemoteHost}. It starts and observes processes; it never decides what a trial does.
 */
@NullMarked
package weir.feature.hosts;

import org.jspecify.annotations.NullMarked;
