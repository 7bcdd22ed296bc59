/** The features of Weir, one package each, and their list. Read {@link weir.feature.Feature} first. */
@NullMarked
package weir.feature;

import org.jspecify.annotations.NullMarked;
