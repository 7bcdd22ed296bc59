/**
 * The settings to try next: a space of settings, a model of their effects, and the points that could add most to the front. Read {@link weir.search.tune.TuneSearch} first.
 * Arithmetic but for {@code TuneSearch}: nothing here knows a file or a broker.
 */
@NullMarked
package weir.search.tune;

import org.jspecify.annotations.NullMarked;
