/**
 * The conduct of one experiment: its trials, their phases, and the times of writing files. Read {@code Runner} first.
 * Only this package conducts a run, and it measures nothing.
 */
@NullMarked
package weir.run;

import org.jspecify.annotations.NullMarked;
