/**
 * The checked experiment as values. Read {@code Experiment} first. The package depends on no other package. {@code
 * plan.read} makes these values and returns only valid ones.
 */
@NullMarked
package weir.plan;

import org.jspecify.annotations.NullMarked;
