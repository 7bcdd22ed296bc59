/**
 * The engine that sends by HTTP, each request a record, a batch of them or an event, and that receives events. Read {@code
 * HttpEngine} and {@code HttpSender} first, then {@code HttpReceiving}: the thread of each producer and of the receiver drives
 * its own event loop, so that it can keep to its schedule.
 */
@NullMarked
package weir.load.http;

import org.jspecify.annotations.NullMarked;
