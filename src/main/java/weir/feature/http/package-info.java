/**
 * An engine that sends records and events by HTTP, its gateways to Kafka, and balancers before them. Read {@code
 * HttpFeature} first, then {@code HttpSender} and {@code Gateway}. The receiver of events is here, too.
 */
@NullMarked
package weir.feature.http;

import org.jspecify.annotations.NullMarked;
