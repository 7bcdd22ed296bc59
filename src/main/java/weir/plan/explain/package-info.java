/**
 * The words of experiment files and reports, explained as text for {@code weir explain} and as a schema for editors.
 * Read {@code KeyExplanation} first.
 */
@NullMarked
package weir.plan.explain;

import org.jspecify.annotations.NullMarked;
