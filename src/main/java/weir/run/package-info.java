/**
 * Conducts one experiment: trials, their phases, and what is written when. Read {@code Runner} first.
 * The only package that conducts; it measures nothing itself.
 */
@NullMarked
package weir.run;

import org.jspecify.annotations.NullMarked;
