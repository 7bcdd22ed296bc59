/**
 * The Kafka protocol as bytes: connections, requests, answers. Read {@code Connection} first. The package depends on
 * no other package of Weir. It uses kafka-clients only for rare messages, for TLS and SASL settings and for codecs.
 */
@NullMarked
package weir.wire;

import org.jspecify.annotations.NullMarked;
