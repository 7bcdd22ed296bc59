/**
 * Messages read: the readers' inboxes, positions and lag. Read {@code Inbox} first. One reading thread owns each
 * inbox; engines pass each message to the inbox and never count messages.
 */
@NullMarked
package weir.load.read;

import org.jspecify.annotations.NullMarked;
