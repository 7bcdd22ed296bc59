/**
 * Maintenance operations during a load: {@code during: restart}, {@code upgrade}, {@code reassign}, {@code drain} and
 * {@code elect}. Read {@link weir.feature.rehearsal.OperationRun} first: an operation is a sequence of steps, each of
 * which acts and then waits for a state of the cluster. {@link weir.feature.rehearsal.SecondLoad} adds a load.
 */
@NullMarked
package weir.feature.rehearsal;

import org.jspecify.annotations.NullMarked;
