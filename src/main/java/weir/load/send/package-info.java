/**
 * Messages to send: their due times, batches, transactions and outcomes. Read {@code Outbox} and {@code DueQueue}
 * first. Engines ask this package for the next messages; it never calls an engine for a single message.
 */
@NullMarked
package weir.load.send;

import org.jspecify.annotations.NullMarked;
