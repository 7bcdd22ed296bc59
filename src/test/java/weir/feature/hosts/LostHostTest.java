package weir.feature.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.plan.syntax.CaveatType;
import weir.results.RunResult;
import weir.run.Exit;
import weir.run.FakeLab;

class LostHostTest {
    private static final String PACED = """
            load: { rate: 1000/s, producers: 1 }
            warmup: 2s
            measure: 6s
            """;

    @TempDir
    Path dir;

    @Test
    void lostHostInvalidatesTheTrialWithoutABrokenPromise() throws IOException {
        FakeLab lab = new FakeLab(dir.resolve("state"));
        lab.in(1, 4, () -> lab.loses("pod-0", "Evicted: The node was low on resource: memory."));
        List<String> notes = new ArrayList<>();
        RunResult result = lab.run(dir, PACED, notes);
        assertThat(result.exit()).isEqualTo(Exit.INVALID.code());
        assertThat(result.caveats())
                .filteredOn(caveat -> caveat.is(CaveatType.named("host-lost")))
                .singleElement()
                .satisfies(caveat -> assertThat(caveat.evidence())
                        .matches("pod-0 lost at 4\\.\\d s: Evicted: The node was low on resource: memory\\."));
        assertThat(notes)
                .anyMatch(note -> note.startsWith("pod-0 is lost: Evicted: "))
                .anyMatch(note -> note.contains("broker-1 died: it was lost with its host after 5 s"));
    }
}
