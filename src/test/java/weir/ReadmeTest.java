package weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.plan.Experiment;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.run.Exit;

class ReadmeTest {
    @Test
    void theExperimentInItIsAnExperiment(@TempDir Path dir) throws Exception {
        Matcher block = Pattern.compile("(?s)```yaml\n(.*?)```").matcher(Files.readString(Path.of("README.md")));
        assertThat(block.find()).isTrue();
        Path file = Files.writeString(dir.resolve("readme.yaml"), block.group(1));
        Overrides nothing = new Overrides(List.of(), List.of(), "", "", List.of(), false);
        Experiment experiment = PlanReader.read(file, nothing);
        assertThat(experiment.variants()).hasSize(2);
    }

    @Test
    void itsExitCodesAreThoseOfTheProgram() throws Exception {
        String readme = Files.readString(Path.of("README.md"));
        for (Exit exit : Exit.values()) {
            assertThat(readme).contains("| " + exit.code() + " | " + exit.meaning() + " |");
        }
    }

    @Test
    void itsLinksLeadSomewhere() throws Exception {
        Matcher links = Pattern.compile("\\]\\(([^)#]+)\\)").matcher(Files.readString(Path.of("README.md")));
        while (links.find()) {
            assertThat(Path.of(links.group(1))).exists();
        }
    }
}
