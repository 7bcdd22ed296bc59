/**
 * The HTTP engine, gateways to Kafka, balancers, and the receiver of events. Read {@code HttpFeature} first, then
 * {@code HttpSender} and {@code Gateway}. Servers with neither TLS nor a token listen only on loopback.
 */
@NullMarked
package weir.feature.http;

import org.jspecify.annotations.NullMarked;
