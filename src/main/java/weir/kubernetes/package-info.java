/**
 * A run in Kubernetes: the objects that it is made of, as functions of its experiment, and the calls of its conductor.
 * Read {@link weir.kubernetes.RunObjects} first. Each pod is a host of the run: it holds an agent that dials the conductor.
 */
@NullMarked
package weir.kubernetes;

import org.jspecify.annotations.NullMarked;
