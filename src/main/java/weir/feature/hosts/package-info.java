/**
 * Hosts other than this machine. {@link weir.feature.hosts.Agent} is the program there; the run calls the agent through
 * {@link weir.feature.hosts.RemoteHost}. Agents start and observe processes and never decide what a trial does.
 */
@NullMarked
package weir.feature.hosts;

import org.jspecify.annotations.NullMarked;
