/** The disturbance {@code run}: a user's command, whose output is not judged. Read {@code CommandFeature} first. */
@NullMarked
package weir.feature.command;

import org.jspecify.annotations.NullMarked;
