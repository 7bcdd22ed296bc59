/**
 * The Kafka protocol as bytes: connections, requests, answers. Read {@code Connection} first.
 * Knows no load and no other package of ours. Uses kafka-clients only for messages off the hot path, for TLS and SASL
 * settings and for codecs.
 */
@NullMarked
package weir.wire;

import org.jspecify.annotations.NullMarked;
