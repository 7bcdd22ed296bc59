package weir.feature.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.X509KeyManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import weir.feature.kubernetes.ConductorApi.LeaseRenewal;
import weir.feature.kubernetes.KubernetesCheck.UserCall;
import weir.host.SelfSigned;

@Timeout(30)
class ClientKeysTest {
    private static final String SHORT_MODERN = """
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgA/FiNTLyArwEAmBE
            sNyfh1clNPXVG/2LP16Bo9jMeOehRANCAAQEQBAvDeP/VK7mrROSnzgrYky6REc8
            i2X5QTYGFya0r9q7skTpinjz+GZKcC+8DPt57ZHtBRGPhU2GubzQlond
            -----END PRIVATE KEY-----
            """;

    private static final String LONG = """
            -----BEGIN EC PRIVATE KEY-----
            MIHcAgEBBEIBrHHQvQsMZ//eVML+3wun8wi5zc5CEdymhbnGFyEaCjWApItvFsbT
            aI2cEfn+Bgxde/YSdbqk1fgfxVHh+suMgmSgBwYFK4EEACOhgYkDgYYABAFw8dAM
            8rxqbSpagO3SZ/rLdAdeqWET+ZMbk8qeUgsJoS0ORgUAqBfXk3kkGC9QQO4vU5Wh
            3ce0dRU72Pt4CFYaKwF/OX0kzWaPrQEf6HUshOTSqf/i9fCYa+rSr7/djYzf8vTV
            uLkZ8pWX30vmDFLmd2O4RDRWmSsFyAiOfPJIBNmH/Q==
            -----END EC PRIVATE KEY-----
            """;

    private static final String LONG_MODERN = """
            -----BEGIN PRIVATE KEY-----
            MIHuAgEAMBAGByqGSM49AgEGBSuBBAAjBIHWMIHTAgEBBEIBrHHQvQsMZ//eVML+
            3wun8wi5zc5CEdymhbnGFyEaCjWApItvFsbTaI2cEfn+Bgxde/YSdbqk1fgfxVHh
            +suMgmShgYkDgYYABAFw8dAM8rxqbSpagO3SZ/rLdAdeqWET+ZMbk8qeUgsJoS0O
            RgUAqBfXk3kkGC9QQO4vU5Wh3ce0dRU72Pt4CFYaKwF/OX0kzWaPrQEf6HUshOTS
            qf/i9fCYa+rSr7/djYzf8vTVuLkZ8pWX30vmDFLmd2O4RDRWmSsFyAiOfPJIBNmH
            /Q==
            -----END PRIVATE KEY-----
            """;

    private static final Pattern ROLE = Pattern.compile("(?s)```yaml\n(apiVersion: rbac\\S+\nkind: Role.*?)```");
    private static final RunIdentity RUN = RunIdentity.of("x", "load-tests");

    // Made for this test by openssl ecparam and converted by openssl pkcs8 -topk8. The second key has lengths of two
    // bytes.
    private static final String SHORT = """
            -----BEGIN EC PRIVATE KEY-----
            MHcCAQEEIAPxYjUy8gK8BAJgRLDcn4dXJTT11Rv9iz9egaPYzHjnoAoGCCqGSM49
            AwEHoUQDQgAEBEAQLw3j/1Su5q0Tkp84K2JMukRHPItl+UE2BhcmtK/au7JE6Yp4
            8/hmSnAvvAz7ee2R7QURj4VNhrm80JaJ3Q==
            -----END EC PRIVATE KEY-----
            """;

    private final List<String> notes = Collections.synchronizedList(new ArrayList<>());

    @Test
    void libraryReadsLegacyKeyLikeItsConversionByOpenssl() throws Exception {
        assertThat(number(used(SHORT))).isEqualTo(number(SHORT_MODERN));
        assertThat(number(used(LONG))).isEqualTo(number(LONG_MODERN));
    }

    @Test
    void libraryReadsLegacyKeyAfterTheParametersOfItsCurve() throws Exception {
        String parameters = "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n";
        assertThat(number(used(parameters + SHORT))).isEqualTo(number(SHORT_MODERN));
    }

    @Test
    void libraryReadsModernKey() throws Exception {
        assertThat(number(used(SHORT_MODERN))).isEqualTo(number(SHORT_MODERN));
        assertThat(number(used(LONG_MODERN))).isEqualTo(number(LONG_MODERN));
    }

    /** Returns the client key that the Kubernetes library presents to the API server. */
    private static PrivateKey used(String pem) throws Exception {
        Instant now = Instant.now();
        SelfSigned any = SelfSigned.make(now, now.plusSeconds(60), Set.of());
        Config config = ApiServer.readable(new ConfigBuilder(Config.empty())
                .withClientCertData(data(any.certificatePem()))
                .withClientKeyData(data(pem))
                .build());
        X509KeyManager keys = (X509KeyManager) SSLUtils.keyManagers(config)[0];
        return keys.getPrivateKey(keys.getClientAliases("EC", null)[0]);
    }

    private static String data(String pem) {
        return Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII));
    }

    private static BigInteger number(PrivateKey key) {
        return ((ECPrivateKey) key).getS();
    }

    private static BigInteger number(String pem) throws GeneralSecurityException {
        byte[] key = Base64.getMimeDecoder().decode(pem.replaceAll("-----(BEGIN|END) PRIVATE KEY-----", ""));
        return number(KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(key)));
    }

    private static List<PolicyRule> documented() throws IOException {
        Matcher role = ROLE.matcher(Files.readString(Path.of("docs/how-to/kubernetes.md")));
        assertThat(role.find()).isTrue();
        return Serialization.unmarshal("---\n" + role.group(1), Role.class).getRules();
    }

    @Test
    void documentedRoleAllowsAllCheckedCalls() throws IOException {
        List<PolicyRule> rules = documented();
        List<UserCall> calls = Stream.concat(UserCall.ofRuns().stream(), UserCall.ofFinding().stream())
                .toList();
        assertThat(calls).allSatisfy(call -> {
            String resource = call.resource() + (call.subresource().isEmpty() ? "" : "/" + call.subresource());
            assertThat(rules)
                    .as(call.text())
                    .anyMatch(rule -> rule.getApiGroups().contains(call.group())
                            && rule.getResources().contains(resource)
                            && rule.getVerbs().contains(call.verb())
                            && rule.getResourceNames().isEmpty());
        });
        assertThat(rules).allSatisfy(rule -> {
            assertThat(rule.getVerbs()).doesNotContain("*");
            assertThat(rule.getResources()).doesNotContain("*");
        });
    }

    private LeaseRenewal begin(FakeApiServer server) {
        return new LeaseRenewal(new ConductorApi(server.client(), RUN), notes::add);
    }

    @Test
    void theLeaseIsRenewedFromTheBeginning() throws IOException {
        try (FakeApiServer server = new FakeApiServer()) {
            LeaseRenewal renewal = begin(server);
            while (server.asked("PATCH leases/weir-x").isEmpty()) {
                LockSupport.parkNanos(1_000_000);
            }
            renewal.close();
        }
    }

    @Test
    void failedLeaseRenewalDoesNotEndTheRun() throws IOException {
        try (FakeApiServer server = new FakeApiServer()) {
            server.fail(403);
            LeaseRenewal renewal = begin(server);
            while (notes.isEmpty()) {
                LockSupport.parkNanos(1_000_000);
            }
            renewal.close();
        }
        assertThat(notes.get(0))
                .startsWith("the lease of the run was not renewed: ")
                .contains("nothing at ");
    }
}
