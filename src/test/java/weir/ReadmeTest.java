package weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.plan.Experiment;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;

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
    void linksOfDocumentsLeadToFilesAndHeadings() throws Exception {
        List<Path> documents = new ArrayList<>(List.of(Path.of("README.md"), Path.of("CONTRIBUTING.md")));
        try (Stream<Path> files = Files.walk(Path.of("docs"))) {
            documents.addAll(
                    files.filter(file -> file.toString().endsWith(".md")).toList());
        }
        for (Path document : documents) {
            Matcher links =
                    Pattern.compile("\\]\\(([^)\\s#]*)(?:#([^)\\s]+))?\\)").matcher(prose(document));
            while (links.find()) {
                Path target = links.group(1).isEmpty() ? document : document.resolveSibling(links.group(1));
                if (!links.group(1).contains("://")) {
                    assertThat(target).as("%s links to it", document).exists();
                    if (links.group(2) != null) {
                        assertThat(headings(target))
                                .as("%s links to %s", document, target)
                                .contains(links.group(2));
                    }
                }
            }
        }
    }

    private static String prose(Path document) throws IOException {
        return Files.readString(document).replaceAll("(?s)```.*?```", "");
    }

    /** The anchors of a document's headings, as GitHub makes them. */
    private static List<String> headings(Path document) throws IOException {
        return Pattern.compile("(?m)^#+ (.*)$")
                .matcher(prose(document))
                .results()
                .map(heading -> heading.group(1)
                        .replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'))
                .toList();
    }
}
