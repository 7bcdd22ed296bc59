/**
 * Messages to send: when each is due, in which batch or transaction, and what became of it. Read {@code Outbox} first.
 * Engines pull from here; nothing is pushed per message.
 */
@NullMarked
package weir.load.send;

import org.jspecify.annotations.NullMarked;
