/**
 * Messages read: the readers' inboxes, what they saw, and how far they are behind. Read {@code Inbox} first.
 * One reading thread owns each inbox; engines hand over what arrived and never count it.
 */
@NullMarked
package weir.load.read;

import org.jspecify.annotations.NullMarked;
