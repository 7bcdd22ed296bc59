package weir.feature.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.plan.ProfileSpec;
import weir.results.UnreadableRunException;

class ProfiledTrialTest {
    private static final ProfileResult CPU = new ProfileResult(
            "broker-1", ProfileSpec.Event.CPU, "async-profiler 4.5", "perf events", true, false, 3, 3, 1, 0.002, 1);

    @TempDir
    Path folder;

    private Map<String, Long> stacks() {
        Map<String, Long> read = new TreeMap<>();
        new ProfiledTrial(folder, new ProfiledTrial.Contents(1, 1, List.of("broker-1"), List.of(CPU), List.of()))
                .stacks(CPU, read::put);
        return read;
    }

    private void write(String text) throws IOException {
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(folder.resolve(CPU.file())))) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void stacksAreReadAsTheyWereWritten() {
        Map<String, Long> stacks = Map.of("[GC Thread#];a b;c", 5L, "[t];x", Long.MAX_VALUE);
        ProfiledTrial.write(folder, CPU, stacks);
        assertThat(stacks()).isEqualTo(stacks);
    }

    @Test
    void whatIsNoStackIsSaidWithItsLine() throws IOException {
        write("[t];a 1\n[t];b\n");
        assertThatThrownBy(this::stacks)
                .isInstanceOf(UnreadableRunException.class)
                .hasMessageContaining("broker-1-cpu.collapsed.gz (line 2): ");
        write("[t];a -1\n");
        assertThatThrownBy(this::stacks).hasMessageEndingWith("'-1' is no weight");
    }

    @Test
    void aFileThatIsNotCompressedOrALinkIsRefused() throws IOException {
        Path file = folder.resolve(CPU.file());
        Files.writeString(file, "[t];a 1\n");
        assertThatThrownBy(this::stacks)
                .isInstanceOf(UnreadableRunException.class)
                .hasMessageContaining("cannot be read");
        Files.delete(file);
        // JUnit warns of a link that leaves the folder which it deletes.
        Files.createSymbolicLink(file, Files.writeString(folder.resolve("elsewhere"), "x"));
        assertThatThrownBy(this::stacks).hasMessageContaining("is a link");
    }

    @Test
    void aLineThatNeverEndsIsNotTaken() throws IOException {
        write("a".repeat(1 << 20));
        assertThatThrownBy(this::stacks)
                .isInstanceOf(UnreadableRunException.class)
                .hasMessageContaining("longer than");
    }

    @Test
    void aProcessIsNoPath() {
        assertThatThrownBy(() -> new ProfileResult("../x", ProfileSpec.Event.CPU, "", "", true, false, 1, 1, 1, 1, 1))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
