/**
 * {@code weir runs}: the runs there are, one experiment over many of them, and what a run leaves for that. Read
 * {@link weir.cli.runs.RunsCommand} first.
 */
@NullMarked
package weir.cli.runs;

import org.jspecify.annotations.NullMarked;
