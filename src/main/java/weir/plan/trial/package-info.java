/**
 * The trials of an experiment, their demands, and variants derived from other variants. Read {@code Trials} first. The
 * package only calculates. It opens files of rates and values only to find their size.
 */
@NullMarked
package weir.plan.trial;

import org.jspecify.annotations.NullMarked;
