/**
 * The HTTP engine for records and events, with gateways to Kafka, balancers, and the receiver of events. Read {@code
 * HttpFeature} first, then {@code HttpSender} and {@code Gateway}. Servers without TLS or token stay on loopback.
 */
@NullMarked
package weir.feature.http;

import org.jspecify.annotations.NullMarked;
