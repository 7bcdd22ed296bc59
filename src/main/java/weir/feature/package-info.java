/**
 * The abilities of Weir, each in its own package, and {@link weir.feature.Features}, their list. Read {@link
 * weir.feature.Feature} first.
 */
@NullMarked
package weir.feature;

import org.jspecify.annotations.NullMarked;
