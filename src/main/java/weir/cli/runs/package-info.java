/**
 * {@code weir runs}: a list of runs, one experiment over many runs, and the history for that. Read
 * {@link weir.cli.runs.RunsCommand} first.
 */
@NullMarked
package weir.cli.runs;

import org.jspecify.annotations.NullMarked;
