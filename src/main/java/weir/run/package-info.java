/**
 * The conduct of one experiment: its trials, their phases, and the times of all writes. Read {@code Runner} first.
 * The only package that conducts; it measures nothing itself.
 */
@NullMarked
package weir.run;

import org.jspecify.annotations.NullMarked;
