/**
 * The experiment that was asked for, checked. Read {@code Experiment} first.
 * Uses nobody. The only package that knows YAML; nothing invalid gets out of it.
 */
@NullMarked
package weir.plan;

import org.jspecify.annotations.NullMarked;
