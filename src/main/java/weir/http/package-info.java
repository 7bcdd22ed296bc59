/**
 * The HTTP server, its rules for clients and requests, and the connections of HTTP clients. Read {@code HttpServer},
 * {@code RequestService} and {@code ConnectionPool} first. The package does not depend on Kafka or on request contents.
 */
@NullMarked
package weir.http;

import org.jspecify.annotations.NullMarked;
