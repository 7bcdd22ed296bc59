/** The abilities of Weir, one package each, and the list of them. Read {@link weir.feature.Feature} first. */
@NullMarked
package weir.feature;

import org.jspecify.annotations.NullMarked;
