package weir.feature.schema;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A schema registry on loopback that records its requests, and answers with the ids 7, 8, … */
final class RegistryServer implements AutoCloseable {
    private final HttpServer server;
    final List<String> requests = new ArrayList<>();
    final List<String> schemas = new ArrayList<>();
    /** The status and the body of all answers about compatibility. */
    int status = 404;

    /** The status of answers about new schemas. */
    int registered = 200;

    String body = "{\"error_code\":40401,\"message\":\"Subject not found.\"}";

    RegistryServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private synchronized void answer(HttpExchange exchange) throws IOException {
        String asked = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String path = exchange.getRequestURI().getRawPath();
        requests.add(exchange.getRequestMethod() + " " + path);
        if (path.startsWith("/compatibility")) {
            answer(exchange, status, body);
        } else if (path.equals("/subjects")) {
            answer(exchange, 200, "[]");
        } else if (path.startsWith("/subjects")) {
            if (!schemas.contains(asked)) {
                schemas.add(asked);
            }
            String id = "{\"id\":" + (7 + schemas.indexOf(asked)) + "}";
            answer(exchange, registered, registered == 200 ? id : body);
        } else {
            int id = Integer.parseInt(path.substring(path.lastIndexOf('/') + 1));
            answer(exchange, 200, schemas.get(id - 7));
        }
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
