/** A user's command in a trial: {@code during: run}. Read {@code CommandFeature} first. Its output is not judged. */
@NullMarked
package weir.feature.command;

import org.jspecify.annotations.NullMarked;
