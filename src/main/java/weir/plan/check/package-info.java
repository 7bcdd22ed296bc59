/**
 * Finds what is wrong with an experiment as a whole, before anything runs. Read {@code Checks} first.
 */
@NullMarked
package weir.plan.check;

import org.jspecify.annotations.NullMarked;
