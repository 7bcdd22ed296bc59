/** The disturbances of a trial, from their start to their end. Read {@code Disturbances} first. */
@NullMarked
package weir.run.disturbance;

import org.jspecify.annotations.NullMarked;
