/**
 * The program that starts processes on a host, and its counterpart where the run is conducted. Read {@code Agent}, then
 * {@code RemoteHost}. It knows what a process is, and nothing of what it does.
 */
@NullMarked
package weir.worker.agent;

import org.jspecify.annotations.NullMarked;
