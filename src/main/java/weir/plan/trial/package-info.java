/**
 * The trials of an experiment, what they demand, and variants derived from others. Read {@code Trials} first.
 * Pure arithmetic on values, but for files of rates and values, which are read for their size.
 */
@NullMarked
package weir.plan.trial;

import org.jspecify.annotations.NullMarked;
