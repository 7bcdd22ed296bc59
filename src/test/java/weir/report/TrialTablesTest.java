package weir.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.report.block.HtmlBlocks;
import weir.results.RunFolder;

class TrialTablesTest {
    @TempDir
    Path dir;

    private String ledger(int trials) throws IOException {
        RunFolder folder = new SyntheticRun(dir, List.of("a", "b"), 1, new double[] {10_000}, 3).write();
        for (int trial = 0; trial < trials; trial++) {
            Files.writeString(
                    folder.trials().get(trial).path().resolve("events.csv"),
                    "3,note,\"the gateway answers early, so acked means taken by the gateway\"\n",
                    StandardOpenOption.APPEND);
        }
        return HtmlBlocks.of(TrialTables.ledger(RunView.of(folder))).toString();
    }

    @Test
    void ackedHasTheMeaningThatTheEngineGivesIt() throws IOException {
        assertThat(ledger(2)).contains(">taken by the gateway<").doesNotContain("acknowledged by Kafka");
    }

    @Test
    void aMeaningOfOneTrialNamesIt() throws IOException {
        assertThat(ledger(1)).contains(">taken by the gateway (a 1), acknowledged by Kafka<");
    }
}
