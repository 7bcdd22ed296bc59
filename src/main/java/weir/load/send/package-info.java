/**
 * Messages to send: their due times, batches, transactions and outcomes. Read {@code Outbox} and {@code DueQueue} first.
 * Engines pull from here; nothing is pushed per message.
 */
@NullMarked
package weir.load.send;

import org.jspecify.annotations.NullMarked;
