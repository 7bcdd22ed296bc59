/**
 * The clocks of this machine, time limits, and threads that end with the JVM. Read {@link weir.time.MachineClock}
 * first. Other packages read no clock of the machine: a class receives its clock, or takes one of these.
 */
@NullMarked
package weir.time;

import org.jspecify.annotations.NullMarked;
