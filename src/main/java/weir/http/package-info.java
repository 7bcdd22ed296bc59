/**
 * The HTTP server, its rules for clients and requests, and the connections of HTTP clients. The server reads a request
 * only while memory is free. Read {@code HttpServer}, {@code RequestService} and {@code ConnectionPool} first. The
 * package depends neither on Kafka nor on the content of requests.
 */
@NullMarked
package weir.http;

import org.jspecify.annotations.NullMarked;
