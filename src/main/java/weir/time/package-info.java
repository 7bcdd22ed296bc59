/**
 * The clocks of this machine, time limits, and threads that end with the JVM. Read {@link weir.time.MachineClock} first.
 * Nothing else reads a clock of the machine: a class receives its clock, or takes this one when it is made.
 */
@NullMarked
package weir.time;

import org.jspecify.annotations.NullMarked;
