/**
 * The HTTP engine for records and events, gateways to Kafka, balancers, and the receiver of events. Read {@code
 * HttpFeature} first, then {@code HttpSender} and {@code Gateway}. A server without TLS and without a token listens
 * only on loopback.
 */
@NullMarked
package weir.feature.http;

import org.jspecify.annotations.NullMarked;
