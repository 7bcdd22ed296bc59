package weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import weir.feature.NeedsFeature;
import weir.plan.Golden;
import weir.plan.syntax.CaveatType;
import weir.plan.syntax.Glossary;
import weir.plan.syntax.KeyDescription;
import weir.plan.syntax.Keys;
import weir.plan.syntax.ScalarType;

/** The pages of docs/reference that are made from rows and from the command line. */
@NeedsFeature
class ReferencePagesTest {
    private static final String MADE = "\n<!-- made from the rows of the code by `make golden`; edit the rows -->\n\n";
    private static final Map<String, String> FIGURES = Map.of(
            "latency", "Latencies",
            "lag", "Lag",
            "count", "Counts",
            "rate", "Rates",
            "share", "Shares",
            "span", "Durations",
            "search", "Results of searches");

    @Test
    void keysPageHasEveryKey() {
        StringBuilder page = page(
                "Keys of the experiment file",
                "`weir explain KEY` prints the same, with allowed values and examples. The [experiment"
                        + " file](experiment-file.md) explains how the keys work together.");
        page.append("## Top level\n");
        List<KeyDescription> sections = keys(page, Keys.ROOT);
        while (!sections.isEmpty()) {
            KeyDescription section = sections.remove(0);
            page.append("\n## ").append(section.path()).append("\n\n").append(cell(section.meaning()));
            page.append(".\n");
            sections.addAll(0, keys(page, section));
        }
        String text = page.toString();
        assertThat(Keys.all())
                .filteredOn(key -> !key.template() && !key.path().endsWith("*"))
                .allSatisfy(key -> assertThat(text).contains("| `" + key.path() + "` | "));
        Golden.assertSame("docs/reference/keys.md", text);
    }

    /** Appends the table of the keys below a section. Returns the keys that are themselves sections. */
    private static List<KeyDescription> keys(StringBuilder page, KeyDescription parent) {
        List<KeyDescription> sections = new ArrayList<>();
        StringBuilder rows = new StringBuilder();
        for (KeyDescription key : parent.children().values()) {
            if (key.template()) {
                continue;
            }
            rows.append(row("`" + key.path() + "`", is(key), fallback(key), key.meaning()));
            if (!key.children().isEmpty()) {
                sections.add(key);
            }
        }
        page.append("\n| key | value | default | meaning |\n|---|---|---|---|\n")
                .append(rows);
        return sections;
    }

    @Test
    void metricsPageHasEveryMetric() {
        StringBuilder page = page(
                "Metrics",
                "An expectation, a limit or a comparison names one of these. `weir explain METRIC` prints the same.");
        FIGURES.entrySet().stream().sorted(Map.Entry.comparingByValue()).forEach(kind -> {
            page.append("\n## ").append(kind.getValue()).append('\n');
            Glossary.words().stream()
                    .filter(word -> word.kind().equals(kind.getKey()))
                    .findFirst()
                    .filter(word -> !word.takes().isEmpty())
                    .ifPresent(word -> page.append("\nEach takes a statistic: ")
                            .append(word.takes())
                            .append(".\n"));
            page.append("\n| metric | unit | meaning | measured |\n|---|---|---|---|\n");
            words(kind.getKey())
                    .forEach(word ->
                            page.append(row("`" + word.name() + "`", word.unit(), word.meaning(), word.measured())));
        });
        Golden.assertSame("docs/reference/metrics.md", page.toString());
    }

    @Test
    void caveatsPageHasEveryCaveat() {
        StringBuilder page = page(
                "Caveats",
                "A caveat is a named reason to doubt a figure. Weir shows it beside the figure that it weakens. An *invalid*"
                        + " caveat makes the trial invalid (exit code 4). `accept: { shared-cores: reason }` lowers a"
                        + " caveat by one level.");
        page.append("| caveat | level | raised when | weakens | what to do |\n|---|---|---|---|---|\n");
        CaveatType.ALL.forEach(type -> page.append(row(
                "`" + type.word() + "`",
                type.level().name().toLowerCase(Locale.ROOT),
                type.when(),
                type.weakens(),
                type.advice())));
        Golden.assertSame("docs/reference/caveats.md", page.toString());
    }

    @Test
    void exitCodesPageHasEveryExitCode() {
        StringBuilder page = page(
                "Exit codes",
                "The exit code says how a command ended. If several apply, the first of 1, 5, 4, 99, 98 wins. [Suspect"
                        + " runs](../how-to/suspect-run.md#the-run-has-exit-code-4-but-no-caveat-is-invalid) lists the"
                        + " causes of exit code 4. Exit code 3 has one exception: if a run in pods [loses its"
                        + " conductor](../how-to/kubernetes.md#when-something-breaks), Weir has measured, but the"
                        + " results are lost.");
        page.append("| exit code | meaning |\n|---|---|\n");
        words("exit").forEach(word -> page.append(row(word.name().replace("exit ", ""), word.meaning())));
        Golden.assertSame("docs/reference/exit-codes.md", page.toString());
    }

    @Test
    void glossaryHasEveryWordOfReports() {
        StringBuilder page = page(
                "Glossary",
                "The words of reports and of the terminal. [Metrics](metrics.md), [caveats](caveats.md) and"
                        + " [exit codes](exit-codes.md) have pages of their own. For example, `response`, `service`,"
                        + " `e2e` and `late` are [metrics](metrics.md#latencies). `weir explain WORD` prints the"
                        + " same.");
        Map.of("column", "", "state", "", "verdict", "", "word", "").keySet().stream()
                .sorted()
                .forEach(kind -> {
                    page.append("\n## ").append(kind).append("s\n\n| word | meaning | measured |\n|---|---|---|\n");
                    words(kind)
                            .forEach(word -> page.append(row(
                                    word.name(),
                                    word.meaning() + (word.unit().isEmpty() ? "" : " (" + word.unit() + ")"),
                                    word.measured())));
                });
        Golden.assertSame("docs/reference/glossary.md", page.toString());
    }

    @Test
    void commandsPageHasTheHelpOfEveryCommand() {
        StringBuilder page = page("Commands", "Each command with its `--help`.");
        help(page, "weir");
        CommandLine weir = Main.commandLine();
        weir.getSubcommands().forEach((name, command) -> {
            help(page, "weir " + name, name);
            command.getSubcommands().keySet().stream()
                    .filter(sub -> !sub.equals("help"))
                    .forEach(sub -> help(page, "weir " + name + " " + sub, name, sub));
        });
        Golden.assertSame("docs/reference/commands.md", page.toString());
    }

    private static void help(StringBuilder page, String heading, String... command) {
        List<String> line = new ArrayList<>(List.of(command));
        line.add("--help");
        page.append("\n## ").append(heading).append("\n\n```text\n");
        page.append(Shell.weir(line.toArray(String[]::new)).out().strip()).append("\n```\n");
    }

    private static StringBuilder page(String title, String introduction) {
        return new StringBuilder("# " + title + "\n" + MADE + introduction + "\n\n");
    }

    private static List<Glossary.Word> words(String kind) {
        return Glossary.words().stream()
                .filter(word -> word.kind().equals(kind))
                .toList();
    }

    private static String row(String... cells) {
        return List.of(cells).stream().map(ReferencePagesTest::cell).collect(Collectors.joining(" | ", "| ", " |"))
                + "\n";
    }

    private static String cell(String text) {
        return text.replace("|", "\\|");
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

    private static String fallback(KeyDescription key) {
        String line = key.fallback().line();
        boolean empty = line.isEmpty() || line.equals("{}") || line.equals("[]");
        return key.required() ? "*required*" : empty ? "" : "`" + line + "`";
    }
}
