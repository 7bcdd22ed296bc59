/**
 * The search for the best client settings: {@code weir tune}. Read {@link weir.feature.tune.TuneSearch} first. All
 * figures come from trials after the choice of the finalists: the trials before it chose the points with the best
 * results, which are partly luck.
 */
@NullMarked
package weir.feature.tune;

import org.jspecify.annotations.NullMarked;
