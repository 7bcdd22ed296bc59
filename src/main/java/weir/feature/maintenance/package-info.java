/**
 * Maintenance during a load: operations such as {@code during: restart} and {@code upgrade}, observed restarts, and
 * second loads. Read {@link weir.feature.maintenance.OperationRun} first: an operation is a sequence of steps, each of
 * which acts and then waits for a state of the cluster.
 */
@NullMarked
package weir.feature.maintenance;

import org.jspecify.annotations.NullMarked;
