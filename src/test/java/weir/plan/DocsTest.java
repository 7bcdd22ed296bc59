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

/** Keeps docs/reference/experiment-file.md true. */
class DocsTest {
    private static final String DOCUMENT = "docs/reference/experiment-file.md";
    private static final Pattern EXAMPLE = Pattern.compile("(?s)```yaml\n(.*?)```");

    static List<String> examples() throws IOException {
        List<String> examples = new ArrayList<>();
        Matcher m = EXAMPLE.matcher(Files.readString(Path.of(DOCUMENT)));
        while (m.find()) {
            examples.add(m.group(1));
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
