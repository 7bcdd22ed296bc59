/**
 * The HTTP engine for records and events, with gateways to Kafka, balancers, and the receiver of events. Read {@code
 * HttpFeature} first, then {@code HttpSender} and {@code Gateway}. A server without TLS or token uses loopback only.
 */
@NullMarked
package weir.feature.http;

import org.jspecify.annotations.NullMarked;
