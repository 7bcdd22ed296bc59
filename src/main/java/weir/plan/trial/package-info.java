/**
 * The trials of an experiment, what they demand, and variants derived from others. Read {@code Trials} first.
 * Pure arithmetic on values, except that files of rates and values are read for their size.
 */
@NullMarked
package weir.plan.trial;

import org.jspecify.annotations.NullMarked;
