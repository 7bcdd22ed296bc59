package weir.plan.property;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import weir.plan.Problems;

/**
 * The URLs and files from which clients read OAuth tokens. Since Kafka 4.0, a JVM property must allow each source, to
 * protect servers that accept client properties from other people. Users of Weir start the JVM themselves, so Weir
 * allows the sources in their properties.
 */
public final class TokenSources {
    private static final String ALLOWED = "org.apache.kafka.sasl.oauthbearer.allowed.";
    private static final List<String> URLS =
            List.of("sasl.oauthbearer.token.endpoint.url", "sasl.oauthbearer.jwks.endpoint.url");
    private static final List<String> FILES = List.of(
            "sasl.oauthbearer.assertion.file",
            "sasl.oauthbearer.assertion.private.key.file",
            "sasl.oauthbearer.assertion.template.file");

    private TokenSources() {}

    /** Allows the sources of a client's properties in this JVM, in addition to those of the JVM's start. */
    public static synchronized void allow(Map<String, String> client) {
        List<String> urls = values(client, URLS);
        List<String> files = values(client, FILES);
        for (String url : urls) {
            if (url.startsWith("file:")) {
                files.add(path(url));
            }
        }
        allow("urls", urls);
        allow("files", files);
    }

    private static String path(String url) {
        try {
            return new URI(url).getPath();
        } catch (URISyntaxException e) {
            throw Problems.of(
                    "", URLS.get(0) + ": '" + url + "' is not a URL: " + e.getReason() + "; write a space as %20");
        }
    }

    private static List<String> values(Map<String, String> client, List<String> names) {
        List<String> values = new ArrayList<>();
        names.forEach(name -> values.add(client.getOrDefault(name, "").strip()));
        values.removeIf(String::isEmpty);
        return values;
    }

    private static void allow(String kind, List<String> more) {
        if (!more.isEmpty()) {
            Set<String> all = new LinkedHashSet<>(
                    List.of(System.getProperty(ALLOWED + kind, "").split(",")));
            all.addAll(more);
            all.remove("");
            System.setProperty(ALLOWED + kind, String.join(",", all));
        }
    }
}
