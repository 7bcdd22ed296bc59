package weir.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weir.plan.Plans;
import weir.plan.Problems;
import weir.plan.property.ClientFile;
import weir.plan.read.Overrides;

class ClientJarsTest {
    private static final String FILES = "org.apache.kafka.common.config.provider.FileConfigProvider";

    private static final String LOGIN =
            "org.apache.kafka.common.security.plain.PlainLoginModule required" + " username=\"bob\" password=\"%s\";";

    @TempDir
    private Path folder;

    @Test
    void classPathStarExpandsToTheJarsOfAFolder(@TempDir Path folder) throws IOException {
        Path b = Files.createFile(folder.resolve("b.jar"));
        Path a = Files.createFile(folder.resolve("a.jar"));
        Files.createFile(folder.resolve("notes.txt"));
        assertThat(ClientJars.read("x.jar::" + folder + "/*")).containsExactly(Path.of("x.jar"), a, b);
        assertThat(ClientJars.read("")).isEmpty();
    }

    @Test
    void aJarThatWasAddedBeforeOthersIsNotAddedAgain() {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try {
            ClientJars.use(List.of(Path.of("a.jar")));
            ClientJars.use(List.of(Path.of("b.jar")));
            ClassLoader both = thread.getContextClassLoader();
            ClientJars.use(List.of(Path.of("a.jar")));
            assertThat(thread.getContextClassLoader()).isSameAs(both);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Test
    void eachClassThatIsNotThereIsOneLine() {
        assertThat(ClientJars.missing(Map.of(
                        "interceptor.classes", "java.lang.String, com.example.A",
                        "sasl.jaas.config", "com.example.Login required password=\"${a:b}\";",
                        "sasl.login.callback.handler.class", "${env:X}",
                        "partitioner.class", "com.example.B",
                        "client.id", "com.example.C")))
                .hasSize(3)
                .allSatisfy(line ->
                        assertThat(line).contains("the class path of the client has no class" + " 'com.example."));
        assertThat(ClientJars.missing(Map.of(
                        "sasl.jaas.config",
                        " org.apache.kafka.common.security.plain.PlainLoginModule required x=\"y\";")))
                .isEmpty();
    }

    /** Aliases that are also words in Weir's own references. */
    @ParameterizedTest
    @ValueSource(strings = {"file", "env", "secret", "vault"})
    void aProvidersReferenceInsideALoginOfAClientFileIsResolved(String alias) throws IOException {
        Path secret = Files.writeString(folder.resolve("secret.properties"), "password=Open-Sesame\n");
        Path file = Files.writeString(
                folder.resolve("client.properties"),
                "config.providers=" + alias + "\nconfig.providers." + alias + ".class=" + FILES + "\nsasl.jaas.config="
                        + LOGIN.formatted("${" + alias + ":" + secret + ":password}") + "\n");
        SortedMap<String, String> planned = Plans.read(
                        "{}", new Overrides(List.of(), List.of(), "kafka:9092", file.toString(), List.of(), false))
                .variants()
                .get(0)
                .cluster()
                .client();
        assertThat(planned.toString()).doesNotContain("bob", "Open-Sesame");
        ClientReferences resolved = ClientReferences.of(planned);
        assertThat(resolved.properties()).isEqualTo(Map.of("sasl.jaas.config", LOGIN.formatted("Open-Sesame")));
        assertThat(resolved.secrets().text("no entry for Open-Sesame")).isEqualTo("no entry for ***");
    }

    @Test
    void aProviderNamedForAllClientsIsThereForEachOfThem() throws IOException {
        Files.writeString(folder.resolve("id"), "Open-Sesame");
        SortedMap<String, String> client = new TreeMap<>(Map.of(
                "config.providers", "file",
                "config.providers.file.class", "org.apache.kafka.common.config.provider.DirectoryConfigProvider"));
        SortedMap<String, String> own = new TreeMap<>(Map.of("client.id", "x-${file:" + folder + ":id}"));
        ClientReferences resolved = ClientReferences.of(own, client);
        assertThat(resolved.properties()).isEqualTo(Map.of("client.id", "x-Open-Sesame"));
        assertThat(resolved.secrets().text("x-Open-Sesame, Open-Sesame")).isEqualTo("***, ***");
    }

    @Test
    void referenceWithoutAProviderIsKept() {
        SortedMap<String, String> client =
                new TreeMap<>(Map.of("config.providers", "a", "config.providers.a.class", FILES, "x", "${b:c}"));
        assertThat(ClientReferences.of(client).properties()).isEqualTo(Map.of("x", "${b:c}"));
    }

    @Test
    void unresolvedProviderReferenceIsReportedOnlyForKnownClientProperties() {
        SortedMap<String, String> client = new TreeMap<>(Map.of(
                "config.providers", "dir",
                "config.providers.dir.class", "org.apache.kafka.common.config.provider.DirectoryConfigProvider",
                "registry.key", "${dir:" + folder + ":none}"));
        assertThat(ClientReferences.of(client).properties()).containsOnlyKeys("registry.key");
        client.put("sasl.jaas.config", LOGIN.formatted("${dir:" + folder + ":none}"));
        assertThatThrownBy(() -> ClientReferences.of(client))
                .isInstanceOf(Problems.class)
                .hasMessage("sasl.jaas.config: the config provider has no value for '${dir:" + folder + ":none}'");
    }

    @Test
    void aProviderThatIsMissingOrFailsIsOneProblem() {
        SortedMap<String, String> missing =
                new TreeMap<>(Map.of("config.providers", "a", "config.providers.a.class", "com.example.Vault"));
        assertThatThrownBy(() -> ClientReferences.of(missing))
                .isInstanceOf(Problems.class)
                .hasMessageContaining("config.providers: ")
                .hasMessageContaining("com.example.Vault");
        SortedMap<String, String> fails = new TreeMap<>(
                Map.of("config.providers", "a", "config.providers.a.class", FILES, "x", "${a:/nowhere:b}"));
        assertThatThrownBy(() -> ClientReferences.of(fails))
                .isInstanceOf(Problems.class)
                .hasMessageContaining("/nowhere");
    }

    @Test
    void unreadableClientFileIsReported() {
        assertThatThrownBy(() -> ClientFile.read(folder))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("' cannot be read as a properties file (");
    }
}
