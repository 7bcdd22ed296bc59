/**
 * The explanation of the experiment file's language: for users by {@code weir explain}, for editors as a schema.
 * Read {@code KeyExplanation} first.
 */
@NullMarked
package weir.plan.explain;

import org.jspecify.annotations.NullMarked;
