/**
 * A server of HTTP/1.1 and HTTP/2 that reads a request only when there is room for it. Read {@code BridgeServer} and {@code
 * RequestService} first. Knows nothing of Kafka, nor of what requests are about.
 */
@NullMarked
package weir.bridge.http;

import org.jspecify.annotations.NullMarked;
