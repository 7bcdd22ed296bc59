package weir.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import weir.feature.NeedsFeature;
import weir.plan.read.Overrides;

/** Keeps the pages true whose YAML blocks are experiments. */
class DocsTest {
    private static final List<String> DOCUMENTS = List.of(
            "reference/experiment-file",
            "start/first-run",
            "how-to/compare-settings",
            "how-to/find-capacity",
            "how-to/suspect-run");
    private static final Pattern EXAMPLE = Pattern.compile("(?s)```yaml\n(.*?)```");

    static List<String> examples() throws IOException {
        List<String> examples = new ArrayList<>();
        for (String document : DOCUMENTS) {
            Matcher m = EXAMPLE.matcher(Files.readString(Path.of("docs", document + ".md")));
            while (m.find()) {
                examples.add(m.group(1));
            }
        }
        return examples;
    }

    @ParameterizedTest
    @MethodSource("examples")
    @NeedsFeature
    void exampleIsAnExperimentInFullAndInShort(String yaml) {
        for (Overrides overrides : List.of(Overrides.NONE, Overrides.SHORT)) {
            assertThat(Plans.read(yaml, overrides).variants()).isNotEmpty();
        }
    }
}
