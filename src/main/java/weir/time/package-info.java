/**
 * The clocks of this machine, time limits, and threads that end with the JVM. Read {@link weir.time.MachineClock}
 * first. Classes of other packages receive a clock or use this package; they never read the machine's clock.
 */
@NullMarked
package weir.time;

import org.jspecify.annotations.NullMarked;
