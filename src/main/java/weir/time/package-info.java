/**
 * The clocks of this machine, and time limits. Read {@link weir.time.MachineClock} first.
 * Nothing else reads a clock of the machine: a class receives its clock, or takes this one when it is made.
 */
@NullMarked
package weir.time;

import org.jspecify.annotations.NullMarked;
