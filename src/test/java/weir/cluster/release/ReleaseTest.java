package weir.cluster.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.cluster.start.BrokerLauncherJar;

class ReleaseTest {
    @TempDir
    Path cache;

    @Test
    void aReleaseInTheCacheNeedsNoResolver() throws Exception {
        Path jar = Files.createFile(cache.resolve("kafka_2.13-4.3.1.jar"));
        Path list = cache.resolve("kafka/4.3.1/classpath");
        Files.createDirectories(list.resolveSibling(""));
        Files.writeString(list, jar + "\n");
        Release release = Release.fetch("4.3.1", false, cache, what -> {
            throw new AssertionError(what);
        });
        assertThat(release.classpath()).isEqualTo(List.of(jar));
    }

    @Test
    void theLauncherIsAJarThatHoldsNothingElse() throws Exception {
        Path jar = BrokerLauncherJar.jar(cache);
        try (var files = new java.util.jar.JarFile(jar.toFile())) {
            assertThat(files.stream().map(java.util.zip.ZipEntry::getName))
                    .containsExactlyInAnyOrder(
                            "weir/cluster/broker/BrokerMain.class", "weir/cluster/broker/BrokerMain$Formatted.class");
        }
        assertThat(BrokerLauncherJar.jar(cache)).isEqualTo(jar);
        try (var files = Files.list(cache)) {
            assertThat(files).containsExactly(jar);
        }
    }
}
