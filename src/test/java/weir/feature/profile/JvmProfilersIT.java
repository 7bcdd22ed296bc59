package weir.feature.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Profilers of JVMs that do not answer. */
class JvmProfilersIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(3);

    @TempDir
    Path dir;

    /** A JVM that waits until the test kills it. */
    static final class Waiting {
        private Waiting() {}

        public static void main(String[] arguments) throws IOException {
            System.out.write('\n');
            System.out.flush();
            System.in.transferTo(System.out);
        }
    }

    private Process waiting() throws IOException {
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                                .split(File.pathSeparator, 2)[0],
                        Waiting.class.getName())
                // Attaching to a paused JVM leaves a file in the working folder of that JVM.
                .directory(dir.toFile())
                .start();
        assertThat(jvm.getInputStream().read()).isEqualTo('\n');
        return jvm;
    }

    private static void signal(Process process, String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
    }

    @Test
    void pausedJvmIsSkippedWithANote() throws Exception {
        Process paused = waiting();
        Process answers = waiting();
        signal(paused, "STOP");
        try (JvmProfilers profilers = JvmProfilers.attach(
                new TreeMap<>(Map.of("broker-1", paused.pid(), "broker-2", answers.pid())),
                List.of(ProfileSpec.Event.WALL),
                dir,
                Instant::now,
                TIMEOUT)) {
            assertThat(profilers.notes())
                    .singleElement()
                    .asString()
                    .startsWith("no profile of broker-1: it did not answer");
            profilers.begin();
            profilers.end(Instant.EPOCH, Instant.now());
            assertThat(profilers.profiles()).extracting(ProfileResult::process).containsExactly("broker-2");
        } finally {
            paused.destroyForcibly().waitFor();
            answers.destroyForcibly().waitFor();
        }
    }

    @Test
    void profiledSecondsAreTheRecordedPartOfTheAskedTime() throws Exception {
        Process jvm = waiting();
        try {
            SortedMap<String, Long> jvms = new TreeMap<>(Map.of("worker", jvm.pid()));
            for (boolean late : List.of(false, true)) {
                try (JvmProfilers profilers =
                        JvmProfilers.attach(jvms, List.of(ProfileSpec.Event.WALL), dir, Instant::now, TIMEOUT)) {
                    Instant asked = Instant.now();
                    profilers.begin();
                    Instant from = late ? asked.minusSeconds(100) : Instant.now();
                    Instant to = Instant.now();
                    profilers.end(from, to);
                    double whole = Duration.between(from, to).toNanos() / 1e9;
                    assertThat(profilers.profiles()).singleElement().satisfies(profile -> {
                        if (late) {
                            assertThat(profile.seconds()).isLessThan(whole - 99);
                        } else {
                            assertThat(profile.seconds()).isEqualTo(whole);
                        }
                    });
                }
            }
        } finally {
            jvm.destroyForcibly().waitFor();
        }
    }
}
