/**
 * The trials of an experiment, their demands, and variants derived from other variants. Read {@code Trials} first. The
 * package is arithmetic on values. It reads files of rates and values only for their size.
 */
@NullMarked
package weir.plan.trial;

import org.jspecify.annotations.NullMarked;
