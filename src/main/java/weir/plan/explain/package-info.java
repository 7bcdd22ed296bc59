/**
 * The language of the experiment file, told: to people by {@code weir explain}, to editors as a schema.
 * Read {@code KeyExplanation} first.
 */
@NullMarked
package weir.plan.explain;

import org.jspecify.annotations.NullMarked;
