/** The search for mistakes in an experiment as a whole, before anything runs. Read {@code Checks} first. */
@NullMarked
package weir.plan.check;

import org.jspecify.annotations.NullMarked;
