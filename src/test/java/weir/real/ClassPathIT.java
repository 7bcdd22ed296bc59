package weir.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import weir.KnownToWork;
import weir.cli.Shell;
import weir.cluster.start.EmbeddedCluster;

/** Jars of users: commands and workers find them, the report names them, and a missing jar stops the start. */
@Timeout(120)
@ExtendWith(SharedKafka.class)
class ClassPathIT {
    private static final String SOURCE = """
            package com.example;
            import java.nio.file.*;
            import java.util.*;
            import org.apache.kafka.clients.producer.*;
            import org.apache.kafka.common.metrics.*;
            public class Counting implements ProducerInterceptor<byte[], byte[]>, MetricsReporter {
                public void configure(Map<String, ?> configs) {
                    try {
                        Files.writeString(Path.of(String.valueOf(configs.get("counting.file"))), "here");
                    } catch (java.io.IOException e) {
                        throw new java.io.UncheckedIOException(e);
                    }
                }
                public ProducerRecord<byte[], byte[]> onSend(ProducerRecord<byte[], byte[]> record) { return record; }
                public void onAcknowledgement(RecordMetadata metadata, Exception e) {}
                public void init(List<KafkaMetric> metrics) {}
                public void metricChange(KafkaMetric metric) {}
                public void metricRemoval(KafkaMetric metric) {}
                public void close() {}
            }
            """;

    @TempDir
    private Path folder;

    private Path jar() throws Exception {
        Path source = Files.writeString(
                Files.createDirectories(folder.resolve("com/example")).resolve("Counting.java"), SOURCE);
        Path kafka = Path.of(ProducerInterceptor.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, "-cp", kafka.toString(), source.toString()))
                .isZero();
        Path jar = folder.resolve("counting.jar");
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file)) {
            out.putNextEntry(new JarEntry("com/example/Counting.class"));
            out.write(Files.readAllBytes(folder.resolve("com/example/Counting.class")));
        }
        return jar;
    }

    @Test
    @KnownToWork("client file: classes of jars (`cluster.classpath`, `--classpath`, `CLASSPATH`), such as interceptors")
    void userJarIsLoadedReportedAndItsAbsenceIsFoundBeforeStart(SharedKafka.Clusters clusters) throws Exception {
        EmbeddedCluster cluster = clusters.one();
        Log.write(cluster, "jars", 1);
        jar();
        Path made = folder.resolve("made");
        Door door = new Door(Files.createDirectories(folder.resolve("door")).toRealPath());
        List<String> words = List.of(("perf producer --topic jars --num-records 5 --record-size 100 --throughput -1"
                        + " --bootstrap-server " + cluster.bootstrap()
                        + " --command-property interceptor.classes=com.example.Counting counting.file=" + made)
                .split(" ", -1));
        Door.Ended missing = door.weir(words.toArray(String[]::new));
        assertThat(missing.exit()).as(missing.err()).isEqualTo(2);
        assertThat(missing.err())
                .contains("the class path of the client has no class 'com.example.Counting'; add its jar")
                .doesNotContain("\tat ");
        assertThat(made).doesNotExist();
        Door.Ended ended = door.start(List.of("CLASSPATH=/no/such.jar:" + folder + "/*"), words.toArray(String[]::new))
                .end();
        assertThat(ended.exit()).as(ended.err()).isZero();
        assertThat(made).hasContent("here");
        try (Stream<Path> files = Files.walk(door.folder())) {
            Path report = files.filter(path -> path.endsWith("report.html"))
                    .findFirst()
                    .orElseThrow();
            assertThat(Files.readString(report)).contains("sha256 of counting.jar");
        }
    }

    @Test
    void anExperimentNamesJarsAndCheckMissesTheirClasses(SharedKafka.Clusters clusters) throws Exception {
        String file =
                "cluster: { bootstrap: \"%s\", client: { metric.reporters: com.example.Counting, plugin: { counting.file:"
                        + " %s } }%s }\nload: { rate: 1/s }\nmeasure: 1s\n";
        Path made = folder.resolve("made");
        String bootstrap = clusters.one().bootstrap();
        Path without = Files.writeString(folder.resolve("without.yaml"), file.formatted(bootstrap, made, ""));
        Path with = Files.writeString(
                folder.resolve("with.yaml"), file.formatted(bootstrap, made, ", classpath: [" + jar() + "]"));
        Shell missed = Shell.weir("check", without.toString());
        assertThat(missed.exit()).isEqualTo(2);
        assertThat(missed.err())
                .contains(
                        "without.yaml:1",
                        "cluster.client.metric.reporters: the class path of the client has no class"
                                + " 'com.example.Counting'");
        Shell monitor = Shell.weir(
                "monitor",
                "jars",
                "--samples",
                "1",
                "--bootstrap-server",
                bootstrap,
                "-X",
                "metric.reporters=com.example.Counting");
        assertThat(monitor.exit()).isEqualTo(2);
        assertThat(monitor.err())
                .hasLineCount(1)
                .contains("the class path of the client has no class" + " 'com.example.Counting'");
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try {
            Shell found = Shell.weir("check", with.toString());
            assertThat(found.exit()).as(found.err()).isZero();
            assertThat(made).as("the client of the conductor has the class").hasContent("here");
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }
}
