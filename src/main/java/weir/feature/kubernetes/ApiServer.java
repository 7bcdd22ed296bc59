package weir.feature.kubernetes;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import weir.host.HostUnavailable;
import weir.time.MachineClock;

/**
 * The answer of the Kubernetes API server about itself.
 *
 * @param version empty if the server does not report its version to this user
 * @param clock time of the server, in whole seconds
 * @param took time from the request to the complete answer
 */
record ApiServer(String address, String version, Instant clock, Duration took) {
    private static final int OK = 200;
    static final int UNAUTHORIZED = 401;
    static final int FORBIDDEN = 403;

    private static final String NO_SERVER = "https://kubernetes.default.svc";

    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final String EC = "EC";
    private static final String EC_BEGIN = "-----BEGIN EC PRIVATE KEY-----";
    private static final String BEGIN = "-----BEGIN PRIVATE KEY-----";
    private static final String END = "-----END PRIVATE KEY-----";

    static ApiServer ask(KubernetesClient client, Duration limit) {
        String address = client.getMasterUrl().toString();
        HttpClient http = client.getHttpClient();
        long asked = MachineClock.STEADY.getAsLong();
        HttpResponse<byte[]> answer;
        try {
            answer = http.sendAsync(
                            http.newHttpRequestBuilder()
                                    .uri(URI.create(address).resolve("version"))
                                    .build(),
                            byte[].class)
                    .get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw unavailable(address, "is unreachable: " + e.getCause());
        } catch (TimeoutException e) {
            throw unavailable(address, "did not answer within " + limit.toSeconds() + " s");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unavailable(address, "did not answer before the interrupt");
        }
        Duration took = Duration.ofNanos(MachineClock.STEADY.getAsLong() - asked);
        if (answer.code() == UNAUTHORIZED) {
            throw unavailable(address, "rejected your credentials (401)");
        }
        if (answer.code() == FORBIDDEN) {
            return new ApiServer(address, "", clock(answer), took);
        }
        String version = answer.code() == OK ? version(client, answer.body()) : "";
        if (version.isEmpty()) {
            throw unavailable(address, "is not a Kubernetes API server (HTTP " + answer.code() + ")");
        }
        return new ApiServer(address, version, clock(answer), took);
    }

    private static HostUnavailable unavailable(String address, String why) {
        return new HostUnavailable("the API server at " + address + " " + why
                + "; check its address and your credentials in the file of KUBECONFIG or in ~/.kube/config");
    }

    private static String version(KubernetesClient client, byte[] body) {
        String text = new String(body, StandardCharsets.UTF_8);
        if (!text.strip().startsWith("{")) {
            return "";
        }
        Object message =
                client.getKubernetesSerialization().unmarshal(text, Map.class).get("gitVersion");
        return message == null ? "" : message.toString();
    }

    private static Instant clock(HttpResponse<byte[]> answer) {
        String date = answer.header("Date");
        try {
            return date == null
                    ? MachineClock.WALL.instant()
                    : ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME)
                            .toInstant();
        } catch (DateTimeParseException e) {
            return MachineClock.WALL.instant();
        }
    }

    static String reason(KubernetesClientException e) {
        if (e.getStatus() != null && e.getStatus().getMessage() != null) {
            return e.getStatus().getMessage();
        }
        return e.getCause() == null ? String.valueOf(e.getMessage()) : e.getMessage() + ": " + e.getCause();
    }

    /**
     * Returns kubectl's configuration, or the configuration of the pod in which Weir runs.
     *
     * @throws HostUnavailable if the configuration is missing or unreadable
     */
    static Config configured() {
        Config config;
        try {
            config = Config.autoConfigure(null);
        } catch (RuntimeException unreadable) {
            // The parser's message may quote a credential.
            throw new HostUnavailable("the Kubernetes configuration, in the files of KUBECONFIG or in ~/.kube/config,"
                    + " cannot be read; 'kubectl config view' shows the error");
        }
        if (config.getMasterUrl().startsWith(NO_SERVER)) {
            throw new HostUnavailable("no Kubernetes configuration found; set KUBECONFIG, or write ~/.kube/config, and"
                    + " check it with 'kubectl config view'");
        }
        config.setRequestTimeout((int) LIMIT.toMillis());
        config.setConnectionTimeout((int) LIMIT.toMillis());
        // A server that rejects the user closes an HTTP/2 connection, and the JDK's client then never returns.
        config.setHttp2Disable(true);
        return readable(config);
    }

    /** Names the algorithm of an elliptic-curve client key, because the library would assume RSA. */
    static Config readable(Config config) {
        String data = config.getClientKeyData();
        if (data == null || data.isEmpty()) {
            return config;
        }
        String pem = new String(Base64.getDecoder().decode(data.strip()), StandardCharsets.US_ASCII);
        int key = pem.indexOf(EC_BEGIN);
        if (key >= 0) {
            // The library reads only the first block, but the parameters of the curve may precede the key.
            byte[] only = pem.substring(key).getBytes(StandardCharsets.US_ASCII);
            config.setClientKeyData(Base64.getEncoder().encodeToString(only));
            config.setClientKeyAlgo(EC);
        } else if (pem.contains(BEGIN) && elliptic(pem)) {
            config.setClientKeyAlgo(EC);
        }
        return config;
    }

    static KubernetesClient client() {
        return new KubernetesClientBuilder().withConfig(configured()).build();
    }

    private static boolean elliptic(String pem) {
        String inner = pem.substring(pem.indexOf(BEGIN) + BEGIN.length(), pem.indexOf(END));
        byte[] key = Base64.getMimeDecoder().decode(inner);
        try {
            KeyFactory.getInstance(EC).generatePrivate(new PKCS8EncodedKeySpec(key));
            return true;
        } catch (GeneralSecurityException another) {
            return false;
        }
    }
}
