/**
 * The search for the best client settings: {@code weir tune}. Read {@link weir.feature.tune.TuneSearch} first. Figures
 * come only from trials after the choice of the finalists, because luck in the earlier trials influenced this choice.
 */
@NullMarked
package weir.feature.tune;

import org.jspecify.annotations.NullMarked;
