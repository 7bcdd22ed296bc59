/** A user's command during a trial: {@code during: run}. Read {@code CommandFeature} first. Weir judges no output. */
@NullMarked
package weir.feature.command;

import org.jspecify.annotations.NullMarked;
