package weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import weir.feature.NeedsFeature;
import weir.plan.Golden;

class KnownToWorkTest {
    private static final Path TESTS = Path.of("src/test/java");
    private static final Pattern PROOF = Pattern.compile(
            "@KnownToWork\\(([\\s{},]*(?:\"[^\"]*\"[\\s{},]*)+)\\)\\s+(?:@[^{;]*?\\s)?(?:protected )?void (\\w+)\\(");
    private static final Pattern TEXT = Pattern.compile("\"([^\"]*)\"");

    /** The tables of the page, in its order. */
    private static final Map<String, String> KINDS = new TreeMap<>(Map.of(
            "client file", "Client files",
            "cluster", "Clusters",
            "HTTP client", "HTTP clients and balancers",
            "records", "Records that others wrote",
            "security", "Security"));

    @Test
    @NeedsFeature
    void thePageHasTheRowsThatTestsProve() throws IOException {
        Map<String, TreeSet<String>> rows = new TreeMap<>();
        try (Stream<Path> files = Files.walk(TESTS)) {
            for (Path file : files.filter(each -> each.toString().endsWith("Test.java")
                            || each.toString().endsWith("IT.java")
                            || each.toString().endsWith("Contract.java"))
                    .toList()) {
                String test = file.getFileName().toString().replace(".java", "");
                for (MatchResult proof :
                        PROOF.matcher(Files.readString(file)).results().toList()) {
                    for (String text : texts(proof.group(1))) {
                        String kind = text.substring(0, text.indexOf(':'));
                        assertThat(KINDS).as(text).containsKey(kind);
                        rows.computeIfAbsent(kind, key -> new TreeSet<>())
                                .add("| " + text.substring(kind.length() + 2) + " | `" + test + "." + proof.group(2)
                                        + "` |");
                    }
                }
            }
        }
        String tables = rows.entrySet().stream()
                .map(kind -> "\n## " + KINDS.get(kind.getKey()) + "\n\n| works | test |\n|---|---|\n"
                        + String.join("\n", kind.getValue()) + "\n")
                .collect(Collectors.joining());
        Golden.assertSame(
                "docs/reference/known-to-work.md",
                "# Known to work\n\nWeir's tests check every row of this page, and the page is generated from the"
                        + " tests. The end of a row can name the tested\n[engines](experiment-file.md#engines-and-"
                        + "targets): `; client and wire`, `; client` or `; wire`. Weir may also work with\nsoftware"
                        + " that is not on this page, but no test checks this.\n"
                        + tables);
    }

    private static List<String> texts(String literals) {
        return TEXT.matcher(literals).results().map(found -> found.group(1)).toList();
    }
}
