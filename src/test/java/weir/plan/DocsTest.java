package weir.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import weir.feature.NeedsFeature;
import weir.plan.read.Overrides;
import weir.plan.syntax.Glossary;
import weir.plan.syntax.KeyDescription;
import weir.plan.syntax.Keys;
import weir.plan.syntax.ScalarType;

/** Keeps docs/reference/experiment-file.md true. */
class DocsTest {
    private static final String DOCUMENT = "docs/reference/experiment-file.md";
    private static final Pattern EXAMPLE = Pattern.compile("(?s)```yaml\n(.*?)```");
    private static final Pattern TABLE = Pattern.compile("(?s)<!-- keys: ?(\\S*) -->\n.*?<!-- end -->");

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

    @Test
    @NeedsFeature
    void tablesAreThoseOfTheKeys() throws IOException {
        String text = Files.readString(Path.of(DOCUMENT));
        Matcher m = TABLE.matcher(text);
        Golden.assertSame(
                DOCUMENT,
                m.replaceAll(found ->
                        Matcher.quoteReplacement("<!-- keys: " + (found.group(1).isEmpty() ? "" : found.group(1) + " ")
                                + "-->\n" + table(found.group(1)) + "<!-- end -->")));
    }

    @Test
    void everyMetricIsListed() throws IOException {
        String text = Files.readString(Path.of(DOCUMENT));
        for (Metric.Kind kind : List.of(Metric.Kind.LATENCY, Metric.Kind.LAG, Metric.Kind.COUNT)) {
            String names = Glossary.metrics().values().stream()
                    .filter(metric -> metric.kind() == kind)
                    .map(metric -> "`" + metric.name() + "`")
                    .collect(Collectors.joining(" "));
            assertThat(text).contains("| " + names + " | ");
        }
        assertThat(Glossary.metrics().keySet())
                .allSatisfy(metric -> assertThat(text).contains("`" + metric + "`"));
    }

    @Test
    void everyKeyIsInATable() throws IOException {
        String text = Files.readString(Path.of(DOCUMENT));
        assertThat(Keys.all()).allSatisfy(key -> {
            String path = key.path();
            String shown = path.replaceFirst(
                    "^(cluster|topics\\.\\*|load|search|during\\.\\*|bridge|profile|fit|published\\.\\*\\.\\*|variants\\.\\*)\\.",
                    "");
            assertThat(text).as(path).contains("| `" + shown + "` |");
        });
    }

    private static String table(String path) {
        StringBuilder table = new StringBuilder("\n| key | is | default | meaning |\n|---|---|---|---|\n");
        rows(Keys.at(path), "", path.isEmpty(), table);
        return table.append('\n').toString();
    }

    private static void rows(KeyDescription parent, String prefix, boolean flat, StringBuilder table) {
        for (Map.Entry<String, KeyDescription> child : parent.children().entrySet()) {
            KeyDescription key = child.getValue();
            if (key.template()) {
                continue;
            }
            String name = prefix + child.getKey();
            table.append("| `").append(name).append("` | ").append(is(key)).append(" | ");
            table.append(shown(key))
                    .append(" | ")
                    .append(key.meaning().replace("|", "\\|"))
                    .append(" |\n");
            if (!flat
                    || List.of("placed", "kubernetes", "warmup", "measure", "grid")
                            .contains(name)) {
                rows(key, name + ".", false, table);
            } else if (key.names()) {
                rows(
                        new KeyDescription(
                                key.path(),
                                key.facts(),
                                Map.of("*", key.children().getOrDefault("*", key))),
                        name + ".",
                        true,
                        table);
            }
        }
    }

    private static String is(KeyDescription key) {
        List<String> forms = new ArrayList<>();
        if (!key.allowed().isEmpty()) {
            key.allowed().forEach(word -> forms.add("`" + word + "`"));
        } else if (key.type() != ScalarType.NONE) {
            forms.add((key.list() ? "list of " : "") + key.type().called());
        }
        if (key.free()) {
            forms.add("map of "
                    + (key.of() == ScalarType.PROPERTY ? "properties" : key.of().called() + "s"));
        } else if (key.section() && forms.isEmpty()) {
            forms.add((key.list() ? "list of " : "") + "keys");
        }
        return String.join(" · ", forms);
    }

    private static String shown(KeyDescription key) {
        String line = key.fallback().line();
        boolean empty = line.isEmpty() || line.equals("{}") || line.equals("[]");
        return key.required() ? "*required*" : empty ? "" : "`" + line + "`";
    }
}
