package weir.cluster.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import eu.maveniverse.maven.mima.context.ContextOverrides;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import weir.cluster.ClusterUnavailable;
import weir.cluster.start.BrokerLauncherJar;

class ReleaseTest {
    private static final String OPTIONS = "-Xmx1g -Dmaven.repo.local=/jvm";

    @TempDir
    Path cache;

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
    void exitClassIsTakenFromTheJarsOfTheRelease() throws IOException {
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
                .hasMessage("cluster.kafka: Weir cannot start Kafka 4.9.0, because its jars have no class"
                        + " org.apache.kafka.common.utils.internals.Exit or"
                        + " org.apache.kafka.common.utils.Exit; Weir starts releases up to 4.4.0");
    }

    @Test
    void aReleaseThatWasTriedNeedsNoRemark() {
        assertThat(Release.remarks("4.4.0")).isEmpty();
    }

    @Test
    void launcherJarHoldsOnlyLauncherClasses() throws Exception {
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

    @ParameterizedTest
    @ValueSource(strings = {"4.3", "4.3.1-rc1", "latest", "", "v4.3.1", "4.3.1111"})
    void whatIsNoReleaseIsRefusedWithAnExample(String text) {
        assertThatThrownBy(() -> KafkaVersion.of(text))
                .isInstanceOf(ClusterUnavailable.class)
                .hasMessage("cluster.kafka: '" + text + "' is not a release of Kafka; write three numbers, like 4.4.0");
    }

    @Test
    void releasesBefore27AreRefused() {
        assertThatThrownBy(() -> KafkaVersion.of("2.6.3"))
                .hasMessage("cluster.kafka: must be 2.7.0 or later, found '2.6.3'; start a cluster of this release"
                        + " yourself, and write its addresses in cluster.bootstrap");
    }

    @Test
    void releasesBefore33KeepTheirMetadataInZooKeeper() {
        assertThat(KafkaVersion.of("3.2.3").zooKeeper()).isTrue();
        assertThat(KafkaVersion.of("3.3.0").zooKeeper()).isFalse();
    }

    @Test
    void versionsAreComparedAsNumbers() {
        assertThat(KafkaVersion.of("3.10.0")).isGreaterThan(KafkaVersion.of("3.9.2"));
        assertThat(KafkaVersion.of("3.9.2").since(3, 5)).isTrue();
        assertThat(KafkaVersion.of("3.4.1").since(3, 5)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"3, older than 3.3", "7, 3.3", "21, 3.9", "25, 4.0", "29, 4.2", "30, 4.3", "33, 4.4", "34, 4.4 or newer"
    })
    void theHighestMetadataVersionTellsTheRelease(int level, String release) {
        assertThat(KafkaVersion.ofMetadata(level)).isEqualTo(release);
    }

    private static ContextOverrides overrides(String local, Map<String, String> environment) {
        return MavenRepository.overrides(local, environment).build();
    }

    @Test
    void jarsGoToTheRepositoryOfTheEnvironment() {
        assertThat(overrides("", Map.of("MAVEN_OPTS", OPTIONS)).getLocalRepositoryOverride())
                .isEqualTo(Path.of("/jvm"));
        Map<String, String> both =
                Map.of("MAVEN_OPTS", OPTIONS, "MAVEN_ARGS", " -B -s /a/settings.xml -Dmaven.repo.local=/line");
        assertThat(overrides("", both).getLocalRepositoryOverride()).isEqualTo(Path.of("/line"));
        assertThat(overrides("", both).getUserSettingsXmlOverride()).isEqualTo(Path.of("/a/settings.xml"));
        assertThat(overrides("/given", both).getLocalRepositoryOverride()).isEqualTo(Path.of("/given"));
    }

    @Test
    void mavenUserSettingsApplyUnlessARepositoryIsNamed() {
        ContextOverrides none = overrides("", Map.of("MAVEN_ARGS", "-ntp"));
        assertThat(none.getLocalRepositoryOverride()).isNull();
        assertThat(none.isWithUserSettings()).isTrue();
    }
}
