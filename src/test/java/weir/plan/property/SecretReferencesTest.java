package weir.plan.property;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.plan.Problems;

class SecretReferencesTest {
    private static final String ALLOWED = "org.apache.kafka.sasl.oauthbearer.allowed.";

    @Test
    void referencesAreReplacedByWhatTheyPointTo(@TempDir Path folder) throws IOException {
        Path whole = Files.writeString(folder.resolve("token"), "t$1\n");
        Path keyed = Files.writeString(folder.resolve("client.properties"), "a=x\\\nb ${env:USER_NAME}\n");
        assertThat(SecretReferences.resolve(
                        new TreeMap<>(Map.of(
                                "one",
                                "user=${env:USER_NAME} password=${env:PASS}",
                                "two",
                                "${file:" + whole + "}",
                                "three",
                                "${file:" + keyed + ":a}",
                                "four",
                                "plain")),
                        Map.of("USER_NAME", "bob", "PASS", "a\\b$c")))
                .containsEntry("one", "user=bob password=a\\b$c")
                .containsEntry("two", "t$1")
                .containsEntry("three", "xb bob")
                .containsEntry("four", "plain");
    }

    @Test
    void aFileOfPropertiesMayBeginWithAByteOrderMarkOrBeInLatin1(@TempDir Path folder) throws IOException {
        Path marked = Files.writeString(folder.resolve("marked"), "\uFEFFa=x \r\nb=y\\\r\n  z\r\n");
        Path latin = Files.write(folder.resolve("latin"), "# Schl\u00FCssel\na=\u00E9\n".getBytes(ISO_8859_1));
        Path password = Files.writeString(folder.resolve("password"), "\uFEFFsecret\r\n");
        assertThat(ClientFile.read(latin)).containsOnlyKeys("a");
        assertThat(ClientFile.read(marked)).containsOnlyKeys("a", "b");
        assertThat(SecretReferences.resolve(new TreeMap<>(Map.of(
                        "one",
                        SecretReferences.toEntry(marked, "a"),
                        "two",
                        SecretReferences.toEntry(marked, "b"),
                        "three",
                        "${file:" + latin + ":a}",
                        "four",
                        "${file:" + password + "}"))))
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of("one", "x ", "two", "yz", "three", "\u00E9", "four", "secret"));
    }

    @Test
    void everyReferenceThatLeadsNowhereIsNamed(@TempDir Path folder) throws IOException {
        Path keyed = Files.writeString(folder.resolve("client.properties"), "a=x\n");
        assertThatThrownBy(() -> SecretReferences.resolve(
                        new TreeMap<>(
                                Map.of("p", "${env:NONE}", "q", "${file:/nowhere:x}", "r", "${file:" + keyed + ":b}")),
                        Map.of()))
                .isInstanceOf(Problems.class)
                .hasMessageContaining("p: the environment variable 'NONE' is not set")
                .hasMessageContaining("q: the file '/nowhere' is not there")
                .hasMessageContaining("has no 'b'");
    }

    @Test
    void anEntryOfASecretIsThereInAPodOnly() {
        assertThatThrownBy(() -> SecretReferences.resolve(
                        new TreeMap<>(Map.of("p", "${secret:kafka/key}", "q", "${secret:kafka/../key}")), Map.of()))
                .isInstanceOf(Problems.class)
                .hasMessageContaining("p: the Secret 'kafka/key' is there only in a pod of Kubernetes")
                .hasMessageContaining("q: 'kafka/../key' names no entry of a Secret; write ${secret:NAME/KEY}");
        assertThat(SecretReferences.mounted(
                        List.of("${secret:a/x} ${secret:b.c/y}", "${secret:a/z}", "${env:a/b}", "${secret:../a}")))
                .isEqualTo(Map.of("a", Set.of("x", "z"), "b.c", Set.of("y")));
    }

    @Test
    void referencesOfKafkasOwnProvidersStay() {
        Map<String, String> properties = Map.of("config.providers", "env, vault", "a", "${env:X}", "b", "${vault:y}");
        assertThat(SecretReferences.resolve(new TreeMap<>(properties), Map.of()))
                .containsAllEntriesOf(properties);
    }

    @Test
    void aFileWhoseUrlCannotBeReadIsAMistakeInTheProperties() {
        assertThatThrownBy(
                        () -> TokenSources.allow(Map.of("sasl.oauthbearer.token.endpoint.url", "file:///run/a token")))
                .isInstanceOf(Problems.class)
                .hasMessageContaining("'file:///run/a token' is no URL")
                .hasMessageContaining("a space is written %20");
    }

    @Test
    void sourcesThatPropertiesNameAreAllowedBesideThoseOfTheJvm() {
        System.setProperty(ALLOWED + "urls", "https://first/");
        try {
            TokenSources.allow(Map.of("sasl.oauthbearer.token.endpoint.url", " file:///run/a%20token "));
            TokenSources.allow(Map.of("sasl.oauthbearer.token.endpoint.url", "https://idp/token", "linger.ms", "5"));
            assertThat(System.getProperty(ALLOWED + "urls"))
                    .isEqualTo("https://first/,file:///run/a%20token,https://idp/token");
            assertThat(System.getProperty(ALLOWED + "files")).isEqualTo("/run/a token");
        } finally {
            System.clearProperty(ALLOWED + "urls");
            System.clearProperty(ALLOWED + "files");
        }
    }
}
