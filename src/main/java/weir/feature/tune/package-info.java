/**
 * The client settings that no others beat in everything: {@code weir tune}. Read {@link weir.feature.tune.TuneSearch}
 * first. Figures come only from trials made after the points were chosen: the trials that chose them would favour lucky
 * points.
 */
@NullMarked
package weir.feature.tune;

import org.jspecify.annotations.NullMarked;
