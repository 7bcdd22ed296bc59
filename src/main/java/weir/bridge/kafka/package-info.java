/** Records on their way to the brokers, and what became of them in words of HTTP. Read {@code Forwarder} first. */
@NullMarked
package weir.bridge.kafka;

import org.jspecify.annotations.NullMarked;
