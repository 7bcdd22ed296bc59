/**
 * The conduct of one experiment: its trials, their phases, and the moments at which files are written. Read {@code
 * Runner} first. No other package conducts a run, and this package measures nothing itself.
 */
@NullMarked
package weir.run;

import org.jspecify.annotations.NullMarked;
