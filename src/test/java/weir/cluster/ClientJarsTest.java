package weir.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClientJarsTest {
    @Test
    void aStarStandsForTheJarsOfAFolder(@TempDir Path folder) throws IOException {
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
                .allSatisfy(line -> assertThat(line).contains("there is no class 'com.example."));
        assertThat(ClientJars.missing(Map.of(
                        "sasl.jaas.config",
                        " org.apache.kafka.common.security.plain.PlainLoginModule required x=\"y\";")))
                .isEmpty();
    }
}
