package weir.cluster.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.cluster.ClusterUnavailable;
import weir.cluster.start.BrokerLauncherJar;

class ReleaseTest {
    @TempDir
    Path cache;

    /** Fetches from a cache whose only jar has these classes. */
    private Release cached(String version, String... classes) throws IOException {
        Path jar = cache.resolve("kafka_2.13-" + version + ".jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (String name : classes) {
                out.putNextEntry(new JarEntry(name + ".class"));
            }
        }
        new Release(version, List.of(jar)).keep(cache);
        return Release.fetch(version, false, cache, what -> {
            throw new AssertionError(what);
        });
    }

    @Test
    void aReleaseInTheCacheNeedsNoResolver() throws IOException {
        assertThat(cached("4.4.0", "kafka/Kafka", "org/apache/kafka/common/utils/internals/Exit")
                        .classpath())
                .containsExactly(cache.resolve("kafka_2.13-4.4.0.jar"));
    }

    @Test
    void theClassThatEndsABrokersJvmIsTheOneThatTheJarsHave() throws IOException {
        assertThat(cached("4.4.0", "kafka/Kafka", "org/apache/kafka/common/utils/internals/Exit")
                        .exit())
                .isEqualTo("org.apache.kafka.common.utils.internals.Exit");
        assertThat(cached("4.3.1", "kafka/Kafka", "org/apache/kafka/common/utils/Exit")
                        .exit())
                .isEqualTo("org.apache.kafka.common.utils.Exit");
    }

    @Test
    void aReleaseThatMovedAClassAgainIsRefusedWhenItIsFetched() {
        assertThatThrownBy(() -> cached("4.9.0", "kafka/Kafka", "org/apache/kafka/runtime/Exit"))
                .isInstanceOf(ClusterUnavailable.class)
                .hasMessage("cluster.kafka: Weir cannot start Kafka 4.9.0, whose jars have no class"
                        + " org.apache.kafka.common.utils.internals.Exit or org.apache.kafka.common.utils.Exit; the"
                        + " newest release that it starts is 4.4.0");
    }

    @Test
    void aReleaseThatWasTriedNeedsNoRemark() {
        assertThat(Release.remarks("4.4.0")).isEmpty();
    }

    @Test
    void theLauncherIsAJarThatHoldsNothingElse() throws Exception {
        Path jar = BrokerLauncherJar.jar(cache);
        try (var files = new java.util.jar.JarFile(jar.toFile())) {
            assertThat(files.stream().map(java.util.zip.ZipEntry::getName))
                    .containsExactlyInAnyOrder(
                            "weir/cluster/broker/BrokerMain.class",
                            "weir/cluster/broker/BrokerMain$Formatted.class",
                            "weir/host/mbean/LocalMBeans.class");
        }
        assertThat(BrokerLauncherJar.jar(cache)).isEqualTo(jar);
        try (var files = Files.list(cache)) {
            assertThat(files).containsExactly(jar);
        }
    }
}
