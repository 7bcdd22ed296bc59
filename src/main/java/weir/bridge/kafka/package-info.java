/** Records on their way to the brokers, and their outcomes as HTTP statuses. Read {@code Forwarder} first. */
@NullMarked
package weir.bridge.kafka;

import org.jspecify.annotations.NullMarked;
