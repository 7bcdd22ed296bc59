/**
 * The experiment that was asked for, checked, as values. Read {@code Experiment} first.
 * Uses nobody; {@code plan.read} makes these values, and nothing invalid gets out of it.
 */
@NullMarked
package weir.plan;

import org.jspecify.annotations.NullMarked;
