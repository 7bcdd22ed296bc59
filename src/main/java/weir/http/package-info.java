/**
 * The HTTP server, which reads a request only when there is room for it, its rules for clients and requests, and the connections
 * of clients. Read {@code HttpServer}, {@code RequestService} and {@code ConnectionPool} first. Knows nothing of Kafka, nor of
 * the content of requests.
 */
@NullMarked
package weir.http;

import org.jspecify.annotations.NullMarked;
