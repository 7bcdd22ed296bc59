/**
 * The engine that sends by HTTP, each request a record or a batch of them. Read {@code HttpEngine} first, then
 * {@code HttpSender}: one thread of each producer drives its own event loop, so that it can keep to its schedule.
 */
@NullMarked
package weir.load.http;

import org.jspecify.annotations.NullMarked;
