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
import weir.host.SelfSigned;
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
        Object said =
                client.getKubernetesSerialization().unmarshal(text, Map.class).get("gitVersion");
        return said == null ? "" : said.toString();
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
     * A converter of elliptic-curve client keys to PKCS #8. The Kubernetes library reads only PKCS #8 (RFC 5958), but many
     * clusters issue keys in the format of RFC 5915.
     */
    static final class ClientKeys {
        private static final String NOWHERE = "https://kubernetes.default.svc";

        private static final Duration LIMIT = Duration.ofSeconds(10);
        private static final String EC = "EC";
        private static final String OLD_BEGIN = "-----BEGIN EC PRIVATE KEY-----";
        private static final String OLD_END = "-----END EC PRIVATE KEY-----";
        private static final String BEGIN = "-----BEGIN PRIVATE KEY-----";
        private static final String END = "-----END PRIVATE KEY-----";
        /** The object identifier of a public key on an elliptic curve, 1.2.840.10045.2.1. */
        private static final byte[] ELLIPTIC = {6, 7, 0x2A, (byte) 0x86, 0x48, (byte) 0xCE, 0x3D, 2, 1};

        private static final int SEQUENCE = 0x30;
        private static final int OCTETS = 4;
        private static final int PARAMETERS = 0xA0;

        private ClientKeys() {}

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
                throw new HostUnavailable(
                        "the Kubernetes configuration, in the files of KUBECONFIG or in ~/.kube/config,"
                                + " cannot be read; 'kubectl config view' shows the error");
            }
            if (config.getMasterUrl().startsWith(NOWHERE)) {
                throw new HostUnavailable(
                        "no Kubernetes configuration found; set KUBECONFIG, or write ~/.kube/config, and"
                                + " check it with 'kubectl config view'");
            }
            config.setRequestTimeout((int) LIMIT.toMillis());
            config.setConnectionTimeout((int) LIMIT.toMillis());
            // A server that rejects the user closes an HTTP/2 connection, and the JDK's client then never returns.
            config.setHttp2Disable(true);
            String data = config.getClientKeyData();
            if (data == null || data.isEmpty()) {
                return config;
            }
            String pem = new String(Base64.getDecoder().decode(data.strip()), StandardCharsets.US_ASCII);
            if (pem.contains(OLD_BEGIN)) {
                String modern = modern(pem);
                config.setClientKeyData(Base64.getEncoder().encodeToString(modern.getBytes(StandardCharsets.US_ASCII)));
                config.setClientKeyAlgo(EC);
            } else if (pem.contains(BEGIN) && elliptic(content(pem, BEGIN, END))) {
                config.setClientKeyAlgo(EC);
            }
            return config;
        }

        static KubernetesClient client() {
            return new KubernetesClientBuilder().withConfig(configured()).build();
        }

        private static byte[] content(String pem, String begin, String end) {
            String inner = pem.substring(pem.indexOf(begin) + begin.length(), pem.indexOf(end));
            return Base64.getMimeDecoder().decode(inner);
        }

        private static boolean elliptic(byte[] key) {
            try {
                KeyFactory.getInstance(EC).generatePrivate(new PKCS8EncodedKeySpec(key));
                return true;
            } catch (GeneralSecurityException another) {
                return false;
            }
        }

        static String modern(String pem) {
            byte[] key = content(pem, OLD_BEGIN, OLD_END);
            byte[] version = {2, 1, 0};
            byte[] algorithm = SelfSigned.der(SEQUENCE, ELLIPTIC, curve(key));
            return SelfSigned.pem(
                    "PRIVATE KEY", SelfSigned.der(SEQUENCE, version, algorithm, SelfSigned.der(OCTETS, key)));
        }

        private static byte[] curve(byte[] key) {
            int at = key[1] < 0 ? 2 + (key[1] & 0x7F) : 2;
            while (at + 1 < key.length) {
                int length = key[at + 1] & 0xFF;
                if ((key[at] & 0xFF) == PARAMETERS) {
                    byte[] identifier = new byte[length];
                    System.arraycopy(key, at + 2, identifier, 0, length);
                    return identifier;
                }
                at += 2 + length;
            }
            throw new IllegalArgumentException("the user's key in the Kubernetes configuration names no curve");
        }
    }
}
