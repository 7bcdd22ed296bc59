/**
 * The language of the experiment file: its keys, its YAML, the notation of values, and source positions of problems.
 * Read {@code Keys} and {@code Tree} first. The package must not depend on the meaning of an experiment.
 */
@NullMarked
package weir.plan.syntax;

import org.jspecify.annotations.NullMarked;
