package weir.feature.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.plan.syntax.CaveatType;
import weir.results.RunResult;
import weir.results.value.Caveat;
import weir.run.FakeLab;

class UnseenBrokersTest {
    private static final String PACED = """
            load: { rate: 1000/s, producers: 1 }
            warmup: 2s
            measure: 6s
            """;

    @TempDir
    Path dir;

    @Test
    void deadExporterIsANoteAndTheRunContinues() throws IOException {
        FakeLab lab = new FakeLab(dir.resolve("state"));
        lab.unseen = "broker-2";
        RunResult result = lab.run(dir, PACED, new ArrayList<>());
        assertThat(result.caveats())
                .filteredOn(caveat -> caveat.is(CaveatType.named("brokers-unseen")))
                .singleElement()
                .extracting(Caveat::evidence)
                .asString()
                .matches("broker-2 unseen at [0-9.]+ s: http://exporter/metrics: it answered with HTTP 503");
        assertThat(result.exit()).isZero();
    }
}
