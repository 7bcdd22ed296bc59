package weir.feature.schema;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import weir.feature.schema.FieldDraws.Unsupported;
import weir.load.engine.LoadRefused;

/** A schema registry, which gives each schema an id. Any thread may ask. */
interface Registry {
    /** Returns the schema's id. Repeated calls with the same schema return the same id. */
    int register(String subject, SchemaValues.Schema schema);

    String schema(int id);

    /** Asks without a change why the registry would refuse the schema; empty if it accepts the schema. */
    Optional<String> refused(String subject, SchemaValues.Schema schema);

    /** A registry for the senders and readers of one worker. Workers with the same schema use the same id. */
    final class InMemory implements Registry {
        private final List<String> schemas = new ArrayList<>();

        @Override
        public synchronized int register(String subject, SchemaValues.Schema schema) {
            if (!schemas.contains(schema.text())) {
                schemas.add(schema.text());
            }
            return schemas.indexOf(schema.text()) + 1;
        }

        @Override
        public synchronized String schema(int id) {
            return schemas.get(id - 1);
        }

        @Override
        public Optional<String> refused(String subject, SchemaValues.Schema schema) {
            return Optional.empty();
        }
    }

    /** A registry with the REST API of Confluent's, which Karapace and Apicurio have too. */
    record Http(String url) implements Registry {
        private static final ObjectMapper JSON = new ObjectMapper();
        private static final String TYPE = "application/vnd.schemaregistry.v1+json";
        private static final Duration LIMIT = Duration.ofSeconds(10);
        private static final int OK = 200;
        private static final int NOT_FOUND = 404;

        /** An answer of the registry; the status is 0 without an answer, or with an answer of another server. */
        private record Answer(int status, JsonNode body, String why) {}

        public Http {
            url = url.replaceAll("/+$", "");
        }

        @Override
        public int register(String subject, SchemaValues.Schema schema) {
            return answer("/subjects/" + subject + "/versions", body(schema))
                    .path("id")
                    .asInt();
        }

        @Override
        public String schema(int id) {
            return answer("/schemas/ids/" + id, HttpRequest.newBuilder().GET())
                    .path("schema")
                    .asText();
        }

        @Override
        public Optional<String> refused(String subject, SchemaValues.Schema schema) {
            Answer answer = ask("/compatibility/subjects/" + subject + "/versions/latest", body(schema));
            // A new subject has no version to compare with.
            if (answer.status == NOT_FOUND) {
                answer = ask("/subjects", HttpRequest.newBuilder().GET());
            }
            if (answer.status == OK && answer.body.path("is_compatible").asBoolean(true)) {
                return Optional.empty();
            }
            return Optional.of(
                    answer.status == OK
                            ? "the schema is not compatible with the latest version of subject '" + subject + "' at "
                                    + url + "; change the schema, or the compatibility of the subject"
                            : answer.why);
        }

        private JsonNode answer(String path, HttpRequest.Builder request) {
            Answer answer = ask(path, request);
            if (answer.status != OK) {
                throw LoadRefused.unfit(
                        "load.value.registry: " + answer.why, new IOException("status " + answer.status));
            }
            return answer.body;
        }

        private Answer ask(String path, HttpRequest.Builder request) {
            try {
                // A load asks a few times, so no client stays open.
                HttpClient client = HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(LIMIT)
                        .build();
                HttpResponse<String> response = client.send(
                        request.uri(URI.create(url + path))
                                .timeout(LIMIT)
                                .header("Accept", TYPE)
                                .header("Content-Type", TYPE)
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
                JsonNode body = json(response.body());
                int status = response.statusCode();
                if (status == OK ? !body.isContainerNode() : !body.has("error_code")) {
                    return new Answer(
                            0,
                            body,
                            url + " does not answer like a schema registry (status " + status + "); correct the URL");
                }
                String message = Unsupported.line(body.path("message").asText("no message"));
                return new Answer(status, body, url + " refuses the schema: " + message + " (status " + status + ")");
            } catch (IOException | IllegalArgumentException e) {
                String why = " does not answer: " + e + "; start the registry, or correct the URL";
                return new Answer(0, JSON.nullNode(), url + why);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            }
        }

        private static JsonNode json(String text) {
            try {
                return JSON.readTree(text);
            } catch (JsonProcessingException e) {
                // A proxy or another server may answer with a page.
                return JSON.nullNode();
            }
        }

        private static HttpRequest.Builder body(SchemaValues.Schema schema) {
            String json = JSON.createObjectNode()
                    .put("schema", schema.text())
                    .put("schemaType", schema.type())
                    .toString();
            return HttpRequest.newBuilder().POST(HttpRequest.BodyPublishers.ofString(json));
        }
    }
}
