/** The disturbances of a trial: carried out at their times, watched, and undone. Read {@code Disturbances} first. */
@NullMarked
package weir.run.disturbance;

import org.jspecify.annotations.NullMarked;
