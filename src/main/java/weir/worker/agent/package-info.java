/**
 * The program that starts processes on a host, and its counterpart at the conductor. Read {@code Agent}, then
 * {@code RemoteHost}. It knows processes, but not their tasks.
 */
@NullMarked
package weir.worker.agent;

import org.jspecify.annotations.NullMarked;
