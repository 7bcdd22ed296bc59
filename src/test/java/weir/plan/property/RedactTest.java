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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import weir.plan.Problems;

class RedactTest {
    private static final String ALLOWED = "org.apache.kafka.sasl.oauthbearer.allowed.";

    @Test
    void passwordsInExceptionsAreRedacted() {
        assertThat(Redact.text("LoginModule required username=\"bob\" password=\"hunter2\"; at x"))
                .isEqualTo("LoginModule required username=\"bob\" password=***; at x");
        assertThat(Redact.text("ssl.keystore.password: hunter2, ssl.keystore.type: PEM"))
                .isEqualTo("ssl.keystore.password: ***, ssl.keystore.type: PEM");
        assertThat(Redact.text("{\"client_secret\": \"hunter2\"}")).doesNotContain("hunter2");
        assertThat(Redact.text("Invalid value Login x=hunter2 y for configuration sasl.jaas.config: no semicolon"))
                .doesNotContain("hunter2")
                .contains("semicolon");
    }

    /** Texts of logs, exceptions and other programs' files. The secret is hunter2-2b in each. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Authorization: Bearer hunter2-2b",
                "authorization=Basic hunter2-2b",
                "got 401 for Bearer hunter2-2b",
                "{\"Authorization\": \"Bearer hunter2-2b\"}",
                "http://bob:hunter2-2b@proxy:8080/x",
                "redirected to https://hunter2-2b@registry",
                "PlainLoginModule required username=\"bob\" password=\"a\\\"hunter2-2b\";",
                "OAuthBearerLoginModule required clientId=\"x\" clientSecret='hunter2-2b';",
                "basic.auth.user.info=KEY:hunter2-2b",
                "sasl.jaas.config = hunter2-2b",
                "ssl.key.passphrase: hunter2-2b",
                "db_passwd=hunter2-2b",
                "AWS_SECRET_ACCESS_KEY=hunter2-2b",
                "aws.access.key=hunter2-2b",
                "x-api-key: hunter2-2b",
                "ApiKey=hunter2-2b",
                "azure.account.key=hunter2-2b",
                "{\"client_secret\":\"hunter2-2b\"}",
                "{\\\"access_token\\\": \\\"hunter2-2b\\\"}",
                "Invalid value hunter2-2b for configuration my.credentials: none",
                "key -----BEGIN PRIVATE KEY-----hunter2-2b-----END PRIVATE KEY----- is short",
                "-----BEGIN ENCRYPTED PRIVATE KEY-----\nhunter2-2b",
            })
    void aSecretInATextOfOthersIsHidden(String text) {
        assertThat(Redact.text(text)).contains("***").doesNotContain("hunter2-2b");
    }

    @ParameterizedTest
    @CsvSource({
        "basic.auth.user.info, KEY:SECRET",
        "my.setting, 1",
        "com.example.thing, x",
        "config.providers.vault.param.address, x",
        "ssl.keystore.key, x",
        "sasl.jaas.config, x",
        "schema.registry.url, https://me:pw@registry",
        "sasl.oauthbearer.token.endpoint.url, https://me:pw@idp/token",
        "client.id, password=x",
    })
    void aValueOfAClientThatMayBeASecretIsHidden(String name, String value) {
        assertThat(Redact.hides(name, value)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "linger.ms, 5",
        "schema.registry.url, https://registry",
        "basic.auth.credentials.source, USER_INFO",
        "sasl.oauthbearer.token.endpoint.url, https://idp/token",
        "ssl.keystore.location, /etc/kafka/secret.jks",
        "client.id, ${file:/etc/token:name}",
        "config.providers.vault.class, com.example.Vault",
    })
    void aValueThatIsNoSecretIsShown(String name, String value) {
        assertThat(Redact.hides(name, value)).isFalse();
    }

    @Test
    void aValueOfAPlanIsHiddenByThePathOfItsProperty() {
        assertThat(Redact.atPath("load.producer.plugin.my.own", "x")).isEqualTo("***");
        assertThat(Redact.atPath("bridge.gateway.producer.my.own", "x")).isEqualTo("***");
        assertThat(Redact.atPath("cluster.client.my.own", "${env:X}")).isEqualTo("${env:X}");
        assertThat(Redact.atPath("load.producer.linger.ms", "5")).isEqualTo("5");
        assertThat(Redact.atPath("topics.client.partitions", "5")).isEqualTo("5");
        assertThat(Redact.atPath("during.x.run", "curl http://me:pw@host/")).isEqualTo("curl http://***@host/");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ScramLoginModule required username=\"${env:ID}\" password=\"${env:HMAC}\" tokenauth=\"true\";",
                "ScramLoginModule required username=\"${env:ID}\" password=\"${env:HMAC}\" tokenauth=true;",
                "OAuthBearerLoginModule required oauth.client.id=\"x\" oauth.client.secret=\"${env:S}\""
                        + " oauth.token.endpoint.uri=\"https://idp/token\" oauth.access.token.is.jwt=\"false\";",
                "OAuthBearerLoginModule required oauth.password.grant.username='bob' oauth.password.grant.password='${env:S}';",
            })
    void aValueWhoseSecretsAreReferencesIsTakenAndNothingBesideThemIsASecret(String value) {
        Properties.checkSecret("sasl.jaas.config", value);
        assertThat(Redact.markedSecrets(value)).allMatch(said -> said.startsWith("${"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X required password=\"hunter2\" tokenauth=\"true\" username=\"${env:ID}\";",
                "X required oauth.token.endpoint.uri=\"https://me:pw@idp/token\" oauth.client.secret=\"${env:S}\";",
                "X required oauth.token.endpoint.uri=\"https://idp\" oauth.access.token=\"abc\" password=\"${env:S}\";",
            })
    void aSecretBesideReferencesIsRefused(String value) {
        assertThatThrownBy(() -> Properties.checkSecret("sasl.jaas.config", value))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void secretValueIsRedactedUnlessItIsACommonWord() {
        ResolvedSecrets secrets = ResolvedSecrets.named(Map.of("my.flag", "true", "my.login", "KEY:SECRET"));
        assertThat(secrets.text("true for KEY:SECRET, SECRET, {my.flag=true}"))
                .isEqualTo("true for ***, ***, {my.flag=***}");
    }

    @Test
    void aPlanIsShownWithoutWhatItSpellsOutAndWithItsReferences() {
        String yaml = "client: { plugin: { my.login: \"KEY:SECRET\", my.flag: on }, ssl.key.password: \"${env:P}\" }";
        ResolvedSecrets spelledOut = ResolvedSecrets.spelledOut(
                Map.of("my.login", "KEY:SECRET", "my.flag", "on", "ssl.key.password", "${env:P}"));
        assertThat(spelledOut.plan(yaml))
                .isEqualTo("client: { plugin: { my.login: ***, my.flag: *** }, ssl.key.password: \"${env:P}\" }");
    }

    @Test
    void textWithoutSecretsIsUnchanged() {
        String text =
                "java.lang.IllegalStateException: topic orders: 3 of 4 partitions\n\tat weir.plan.property.SecretReferences.resolve(Secrets.java:35)";
        assertThat(Redact.text(text)).isEqualTo(text);
    }

    @Test
    void knownSecretIsRedactedInAnyText() {
        Map<String, String> properties =
                Map.of("ssl.key.password", "hunter2", "client.id", "bobby", "sasl.mechanism", "PLAIN");
        assertThat(ResolvedSecrets.named(properties).text("cannot open with hunter2 as bobby by PLAIN"))
                .isEqualTo("cannot open with *** as bobby by PLAIN");
    }

    private static ResolvedSecrets of(String name, String value, Map<String, String> environment) {
        return SecretReferences.in(new TreeMap<>(Map.of(name, value)), environment);
    }

    private static Property property(String name, String value) {
        return new Property("producer", name, value, value, "", Property.Source.YOURS, "");
    }

    @Test
    void propertyFromASecretReferenceIsAlwaysHidden() {
        ResolvedSecrets secrets = of("my.credential", "prefix ${env:S}", Map.of("S", "a"));
        Property shown = secrets.shown(property("my.credential", "prefix a"));
        assertThat(shown.requested()).isEqualTo(Property.HIDDEN);
        assertThat(shown.effective()).isEqualTo(Property.HIDDEN);
        assertThat(secrets.shown(property("linger.ms", "a"))).isEqualTo(property("linger.ms", "a"));
    }

    @Test
    void anotherPropertyThatRepeatsASecretHidesThatPart() {
        ResolvedSecrets secrets = of("my.credential", "${env:S}", Map.of("S", "Open-Sesame"));
        assertThat(secrets.shown(property("derived", "x=Open-Sesame;")).effective())
                .isEqualTo("x=***;");
    }

    @Test
    void textsOfOthersHideTheSecretThePartAndTheWhole(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("token"), "Open-Sesame\n");
        ResolvedSecrets secrets = of("my.credential", "prefix ${file:" + file + "}", Map.of());
        assertThat(secrets.text("no such user Open-Sesame, as [prefix Open-Sesame] says"))
                .isEqualTo("no such user ***, as [***] says");
    }

    @Test
    void aShortSecretIsHiddenOnlyAsTheValueOfItsProperty() {
        ResolvedSecrets secrets = of("my.setting", "${env:S}", Map.of("S", "a"));
        assertThat(secrets.text("a broker said my.setting=a, {\"my.setting\": \"a\"}, my.setting.id=a;"
                        + " Invalid value a for configuration my.setting (a bad one)"))
                .isEqualTo("a broker said my.setting=***, {\"my.setting\": ***}, my.setting.id=a;"
                        + " Invalid value *** for configuration my.setting (a bad one)");
        assertThat(secrets.remark())
                .hasValueSatisfying(remark -> assertThat(remark).contains("fewer than 4"));
        assertThat(of("my.setting", "${env:S}", Map.of("S", "long enough")).remark())
                .isEmpty();
    }

    @Test
    void eachLineAndEachNamedSecretOfALongerOneIsHiddenAlone() {
        ResolvedSecrets key = of("ssl.key", "${env:S}", Map.of("S", "BEGIN\nMIIEvQIBADAN\nEND"));
        assertThat(key.text("bad base64: MIIEvQIBADAN")).isEqualTo("bad base64: ***");
        ResolvedSecrets login =
                of("login", "${env:S}", Map.of("S", "Module required username=\"bobby\" password=\"hunter2\";"));
        assertThat(login.text("bobby may not log in with hunter2")).isEqualTo("bobby may not log in with ***");
    }

    @Test
    void namesOfMetricsHideAClientsId() {
        ResolvedSecrets secrets = of("client.id", "${env:S}", Map.of("S", "Open-Sesame"));
        assertThat(secrets.shown(new TreeMap<>(Map.of("batch-size:{client-id=Open-Sesame}", 1))))
                .containsOnlyKeys("batch-size:{client-id=***}");
    }

    @Test
    void textOfResolvedSecretsHidesThem() {
        assertThat(of("my.credential", "${env:S}", Map.of("S", "Open-Sesame")).toString())
                .doesNotContain("Open-Sesame");
    }

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
    void propertiesFileMayHaveAByteOrderMarkOrLatin1(@TempDir Path folder) throws IOException {
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
                .hasMessageContaining("q: the file '/nowhere' does not exist")
                .hasMessageContaining("has no 'b'");
    }

    @Test
    void anEntryOfASecretIsThereInAPodOnly() {
        assertThatThrownBy(() -> SecretReferences.resolve(
                        new TreeMap<>(Map.of("p", "${secret:kafka/key}", "q", "${secret:kafka/../key}")), Map.of()))
                .isInstanceOf(Problems.class)
                .hasMessageContaining("p: the Secret 'kafka/key' exists only in a pod of Kubernetes")
                .hasMessageContaining(
                        "q: 'kafka/../key' is not a reference to an entry of a Secret; write ${secret:NAME/KEY}");
        assertThat(SecretReferences.mounted(
                        List.of("${secret:a/x} ${secret:b.c/y}", "${secret:a/z}", "${env:a/b}", "${secret:../a}")))
                .isEqualTo(Map.of("a", Set.of("x", "z"), "b.c", Set.of("y")));
    }

    @Test
    void referencesOfKafkaProvidersAreKept() {
        Map<String, String> properties = Map.of("config.providers", "env, vault", "a", "${env:X}", "b", "${vault:y}");
        assertThat(SecretReferences.resolve(new TreeMap<>(properties), Map.of()))
                .containsAllEntriesOf(properties);
    }

    @Test
    void unreadableFileUrlIsAPropertyProblem() {
        assertThatThrownBy(
                        () -> TokenSources.allow(Map.of("sasl.oauthbearer.token.endpoint.url", "file:///run/a token")))
                .isInstanceOf(Problems.class)
                .hasMessageContaining("'file:///run/a token' is not a URL")
                .hasMessageContaining("write a space as %20");
    }

    @Test
    void tokenSourcesOfPropertiesAreAddedToThoseOfTheJvm() {
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
