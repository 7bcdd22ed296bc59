/**
 * The settings to try next: a space of settings, a model of their effects, and the points that could add most to the
 * front. Read {@link weir.search.tune.TuneSearch} first. Pure arithmetic except {@code TuneSearch}: no file, no broker.
 */
@NullMarked
package weir.search.tune;

import org.jspecify.annotations.NullMarked;
