package weir.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import weir.cluster.release.Release;

/** Kafka's own command-line tools, each in a process of its own. */
public final class KafkaTool {
    private static final String KAFKA = "4.4.0";

    private KafkaTool() {}

    /** Starts a tool of {@code org.apache.kafka.tools}, which writes its output and its errors to files. */
    public static Process start(String tool, Path out, Path errors, List<String> arguments) throws IOException {
        Release release = Release.fetchWithTools(KAFKA, text -> {});
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                release.classpath().stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)),
                "org.apache.kafka.tools." + tool));
        command.addAll(arguments);
        return new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(errors.toFile())
                .start();
    }

    /** Runs a tool; returns its output and its errors. */
    static String run(Path folder, String tool, String... arguments) throws IOException, InterruptedException {
        Path out = folder.resolve(tool + ".txt");
        Path errors = folder.resolve(tool + ".errors");
        Process process = start(tool, out, errors, List.of(arguments));
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        String text = new String(Files.readAllBytes(out), StandardCharsets.ISO_8859_1)
                + new String(Files.readAllBytes(errors), StandardCharsets.ISO_8859_1);
        assertThat(process.exitValue()).as(text).isZero();
        return text;
    }
}
