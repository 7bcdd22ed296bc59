/**
 * The course of one experiment: its trials, the phases of each trial, and the times of writing files. Read {@code
 * Runner} first. Only this package conducts a run. The package measures nothing.
 */
@NullMarked
package weir.run;

import org.jspecify.annotations.NullMarked;
