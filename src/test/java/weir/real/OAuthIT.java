package weir.real;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginCallbackHandler;
import org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule;
import org.apache.kafka.common.security.oauthbearer.OAuthBearerValidatorCallbackHandler;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import weir.KnownToWork;
import weir.cluster.start.EmbeddedCluster;
import weir.plan.ClusterSpec.Security;

/** Logins by signed OAuth tokens, from a file and from an endpoint, at a broker that checks the signature. */
@Timeout(120)
@Tag("long")
class OAuthIT {
    private static final String MODULE = OAuthBearerLoginModule.class.getName() + " required";

    @TempDir
    private Path folder;

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static String token(KeyPair key) throws Exception {
        long now = System.currentTimeMillis() / 1000;
        String said = base64("{\"alg\":\"RS256\",\"kid\":\"k\"}".getBytes(StandardCharsets.UTF_8)) + "."
                + base64("{\"sub\":\"weir\",\"aud\":\"kafka\",\"iss\":\"https://idp\",\"iat\":%d,\"exp\":%d}"
                        .formatted(now, now + 3600)
                        .getBytes(StandardCharsets.UTF_8));
        Signature signature = Signature.getInstance("SHA256withRSA");
        signature.initSign(key.getPrivate());
        signature.update(said.getBytes(StandardCharsets.UTF_8));
        return said + "." + base64(signature.sign());
    }

    private static String number(BigInteger number) {
        byte[] bytes = number.toByteArray();
        int from = bytes[0] == 0 ? 1 : 0;
        return base64(java.util.Arrays.copyOfRange(bytes, from, bytes.length));
    }

    private Path client(String name, String url, String options) throws Exception {
        return Files.writeString(
                folder.resolve(name),
                "security.protocol=SASL_PLAINTEXT\nsasl.mechanism=OAUTHBEARER\nsasl.login.callback.handler.class="
                        + OAuthBearerLoginCallbackHandler.class.getName() + "\nsasl.oauthbearer.token.endpoint.url="
                        + url
                        + "\nsasl.jaas.config=" + MODULE + options + ";\n");
    }

    @Test
    @KnownToWork("security: OAUTHBEARER with a signed token of a file and of an endpoint; client and wire")
    void bothEnginesLogInByATokenOfAFileAndOfAnEndpoint() throws Exception {
        KeyPair key = KeyPairGenerator.getInstance("RSA").generateKeyPair();
        RSAPublicKey open = (RSAPublicKey) key.getPublic();
        Path keys = Files.writeString(
                folder.resolve("keys.json"),
                "{\"keys\":[{\"kty\":\"RSA\",\"use\":\"sig\",\"alg\":\"RS256\",\"kid\":\"k\",\"n\":\"%s\",\"e\":\"%s\"}]}"
                        .formatted(number(open.getModulus()), number(open.getPublicExponent())));
        String prefix = "listener.name.sasl_plaintext.oauthbearer.";
        Kafkas kafkas = Kafkas.of("4.4.0", 1)
                .security(Security.SASL_PLAINTEXT)
                .jvm("-Dorg.apache.kafka.sasl.oauthbearer.allowed.urls=" + keys.toUri())
                .broker(
                        "listener.name.sasl_plaintext.sasl.enabled.mechanisms",
                        "PLAIN,SCRAM-SHA-256,SCRAM-SHA-512,OAUTHBEARER")
                .broker(prefix + "sasl.jaas.config", MODULE + ";")
                .broker(
                        prefix + "sasl.server.callback.handler.class",
                        OAuthBearerValidatorCallbackHandler.class.getName())
                .broker("sasl.oauthbearer.expected.audience", "kafka")
                .broker("sasl.oauthbearer.expected.issuer", "https://idp")
                .broker("sasl.oauthbearer.jwks.endpoint.url", keys.toUri().toString());
        Path token = Files.writeString(folder.resolve("token"), token(key));
        Path foreign = Files.writeString(
                folder.resolve("foreign"),
                token(KeyPairGenerator.getInstance("RSA").generateKeyPair()));
        List<String> asked = new CopyOnWriteArrayList<>();
        HttpServer endpoint = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        endpoint.createContext("/token", exchange -> {
            asked.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
            byte[] answer = ("{\"access_token\":\"" + Files.readString(token) + "\",\"expires_in\":3600}")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        endpoint.start();
        try (OwnKafka kafka = OwnKafka.start(Files.createDirectories(folder.resolve("kafka")), kafkas)) {
            EmbeddedCluster cluster = kafka.cluster();
            Log.write(cluster, "tokens", 1);
            Path file = client("file.properties", token.toUri().toString(), "");
            Path url = client(
                    "endpoint.properties",
                    "http://127.0.0.1:" + endpoint.getAddress().getPort() + "/token",
                    " clientId=\"weir\" clientSecret=\"Open-Sesame\"");
            Door door = new Door(Files.createDirectories(folder.resolve("door")).toRealPath());
            for (String[] each : new String[][] {
                {"client", file.toString()},
                {"client", url.toString()},
                {"wire", file.toString()},
                {"wire", url.toString()}
            }) {
                Door.Ended ended = produced(door, cluster, each[0], each[1]);
                assertThat(ended.exit())
                        .as(String.join(" ", each) + ended.err())
                        .isZero();
                assertThat(ended.out()).contains("20 records sent");
                assertThat(ended.err()).doesNotContain("Open-Sesame");
            }
            assertThat(asked)
                    .isNotEmpty()
                    .allSatisfy(header -> assertThat(header).startsWith("Basic "));
            Door.Ended refused = produced(
                    door,
                    cluster,
                    "wire",
                    client("foreign.properties", foreign.toUri().toString(), "").toString());
            assertThat(refused.exit()).as(refused.err()).isEqualTo(3);
            assertThat(refused.err()).doesNotContain("\tat ").doesNotContain(Files.readString(foreign));
        } finally {
            endpoint.stop(0);
        }
    }

    private static Door.Ended produced(Door door, EmbeddedCluster cluster, String engine, String config)
            throws Exception {
        List<String> words = new ArrayList<>(List.of("perf", "producer", "--topic", "tokens", "--num-records", "20"));
        words.addAll(List.of("--record-size", "100", "--throughput", "-1", "--engine", engine));
        words.addAll(List.of("--bootstrap-server", cluster.bootstrap(), "--command-config", config));
        return door.weir(words.toArray(String[]::new));
    }
}
