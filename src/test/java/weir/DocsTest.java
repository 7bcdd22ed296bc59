package weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import weir.feature.NeedsFeature;
import weir.plan.Plans;
import weir.plan.read.Overrides;

/** The checks of the documents: YAML examples are experiments, links have targets, and the site has every page. */
class DocsTest {
    private static final Path SITE = Path.of("mkdocs.yml");
    /** The pages whose YAML blocks are experiments. */
    private static final List<String> EXPERIMENTS = List.of(
            "README.md",
            "docs/reference/experiment-file.md",
            "docs/start/first-run.md",
            "docs/how-to/compare-settings.md",
            "docs/how-to/find-capacity.md",
            "docs/how-to/schema-values.md",
            "docs/how-to/suspect-run.md");

    private static final Pattern EXAMPLE = Pattern.compile("(?s)```yaml\n(.*?)```");
    private static final Pattern CODE_BLOCK = Pattern.compile("(?s)```.*?```");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");

    static List<String> examples() throws IOException {
        List<String> examples = new ArrayList<>();
        for (String page : EXPERIMENTS) {
            EXAMPLE.matcher(Files.readString(Path.of(page)))
                    .results()
                    .forEach(example -> examples.add(example.group(1)));
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

    @Test
    void everyLinkHasItsFileAndItsHeading() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path page : pages()) {
            String text = CODE_BLOCK.matcher(Files.readString(page)).replaceAll("");
            for (MatchResult link : LINK.matcher(text).results().toList()) {
                String target = link.group(1);
                if (!target.matches("[a-z]+:.*") && !found(page, target)) {
                    broken.add(page + ": " + target);
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    @Test
    void theSiteHasEveryPage() throws IOException {
        String site = Files.readString(SITE);
        assertThat(pages())
                .filteredOn(page -> page.startsWith("docs") && !page.startsWith("docs/decisions"))
                .allSatisfy(
                        page -> assertThat(site).contains(": " + Path.of("docs").relativize(page) + "\n"));
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> root = Files.list(Path.of(""));
                Stream<Path> docs = Files.walk(Path.of("docs"))) {
            return Stream.concat(root, docs)
                    .filter(file -> file.toString().endsWith(".md"))
                    .toList();
        }
    }

    private static boolean found(Path page, String link) throws IOException {
        String[] parts = link.split("#", 2);
        Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
        return Files.exists(target) && (parts.length == 1 || anchors(target).contains(parts[1]));
    }

    /** The anchors of a page's headings, as GitHub makes them. */
    private static List<String> anchors(Path page) throws IOException {
        return HEADING.matcher(CODE_BLOCK.matcher(Files.readString(page)).replaceAll(""))
                .results()
                .map(heading -> heading.group(1)
                        .replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'))
                .toList();
    }
}
