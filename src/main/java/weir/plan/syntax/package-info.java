/**
 * The language of the experiment file: its keys, its YAML, how values are written, and the places of problems.
 * Read {@code Keys} and {@code Tree} first. Knows nothing of what an experiment means.
 */
@NullMarked
package weir.plan.syntax;

import org.jspecify.annotations.NullMarked;
