/**
 * The messages that readers receive: the readers' inboxes, positions and lag. Read {@code Inbox} first. One reading
 * thread owns each inbox. Engines pass messages to the inbox and never count them.
 */
@NullMarked
package weir.load.read;

import org.jspecify.annotations.NullMarked;
