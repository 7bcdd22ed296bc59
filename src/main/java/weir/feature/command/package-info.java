/** A command of the user's that runs while a trial does: {@code during: run}. */
@NullMarked
package weir.feature.command;

import org.jspecify.annotations.NullMarked;
