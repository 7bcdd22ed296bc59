/**
 * The language of the experiment file: its keys, its YAML, its units, and problems with the place where they were found.
 * Read {@code Keys} and {@code Tree} first. Knows nothing of what an experiment means.
 */
@NullMarked
package weir.plan.syntax;

import org.jspecify.annotations.NullMarked;
