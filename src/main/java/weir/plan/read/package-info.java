/** The reading of an {@link weir.plan.Experiment} from a file and a command line. Read {@code PlanReader} first. */
@NullMarked
package weir.plan.read;

import org.jspecify.annotations.NullMarked;
