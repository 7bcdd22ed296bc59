/** The search for mistakes in a whole experiment before it runs. Read {@code Checks} first. */
@NullMarked
package weir.plan.check;

import org.jspecify.annotations.NullMarked;
