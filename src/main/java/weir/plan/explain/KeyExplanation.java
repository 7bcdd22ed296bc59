package weir.plan.explain;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import weir.feature.Feature;
import weir.feature.Features;
import weir.plan.EnumNames;
import weir.plan.NearestWord;
import weir.plan.Problems;
import weir.plan.property.Properties;
import weir.plan.property.WireProperties;
import weir.plan.syntax.CaveatType;
import weir.plan.syntax.Glossary;
import weir.plan.syntax.KeyDescription;
import weir.plan.syntax.Keys;
import weir.plan.syntax.Paths;
import weir.plan.syntax.Requirement;
import weir.plan.syntax.ScalarType;
import weir.plan.syntax.Tree;

/** The explanation of a key, preset, client property, caveat or report word as text. */
public final class KeyExplanation {
    private static final int COLUMN = 10;
    private static final String NEXT = "\n" + " ".repeat(COLUMN + 2);
    private static final List<Explanation> FURTHER = Features.each(Explanation.class);
    private static final String EXIT = "exit";

    private final StringBuilder text = new StringBuilder();

    private KeyExplanation() {}

    /**
     * Explains everything with this name: a word of the report such as a metric, an exit code, a path or its last word,
     * a preset, a caveat, a client property. A name with two meanings gets two explanations.
     *
     * @throws Problems with the nearest name if the name is unknown
     */
    public static String of(String name) {
        KeyExplanation explanation = new KeyExplanation();
        List<String> path = Paths.split(name, Tree.Section.empty(Keys.TABLE.origin()));
        String figure = name.replaceFirst(" of .*", "");
        Optional<Glossary.Word> word = Stream.of(name, figure, figure.replaceFirst("s$", ""))
                .flatMap(each -> Glossary.find(each).stream())
                .findFirst();
        word.ifPresent(explanation::word);
        if (name.isEmpty()) {
            explanation.top();
        } else if (name.equals(EXIT)) {
            Glossary.words().stream().filter(Glossary.Word::exit).forEach(explanation::word);
        } else if (further(name).isPresent()) {
            further(name).ifPresent(further -> explanation.separated().append(further.text(name)));
        } else if (CaveatType.words().contains(name)) {
            explanation.caveat(CaveatType.named(name));
        } else if (!path.isEmpty()) {
            explanation.path(path);
        } else if (word.isEmpty()
                || !named(name).isEmpty()
                || Properties.known().containsKey(name)) {
            explanation.lastWord(name);
        }
        return explanation.text.toString();
    }

    private void word(Glossary.Word word) {
        heading(word.name()).append("  ").append(word.meaning()).append("\n\n");
        boolean plain = word.takes().isEmpty() && Glossary.metrics().containsKey(word.name());
        rowIfSet("kind", word.kind());
        rowIfSet("measured", word.measured());
        rowIfSet("unit", word.unit());
        rowIfSet("takes", plain ? "no statistic, because the metric is one number" : word.takes());
    }

    private static Optional<Explanation> further(String name) {
        return FURTHER.stream().filter(each -> each.words().contains(name)).findFirst();
    }

    private StringBuilder separated() {
        return text.append(text.isEmpty() ? "" : "\n");
    }

    private StringBuilder heading(String name) {
        return separated().append(name).append('\n');
    }

    private void rowIfSet(String label, String value) {
        if (!value.isEmpty()) {
            row(label, value);
        }
    }

    private void top() {
        text.append("""
                An experiment file has these keys. weir explain KEY explains one of them. It also explains metrics (response),
                caveats (shared-cores), words of a report (degraded) and exit codes (weir explain exit).

                """);
        keys(Keys.ROOT);
    }

    private void path(List<String> path) {
        KeyDescription parent = Paths.key(path.subList(0, path.size() - 1));
        String last = path.get(path.size() - 1);
        if (parent.free() && !Keys.below(parent, last).known()) {
            property(last, parent);
        } else {
            key(Paths.key(path), String.join(".", path));
        }
    }

    private static List<KeyDescription> named(String name) {
        return Keys.all().stream()
                .filter(key -> key.path().endsWith("." + name))
                .toList();
    }

    private void lastWord(String name) {
        List<KeyDescription> named = named(name);
        if (named.isEmpty()) {
            named = Keys.all().stream()
                    .filter(key -> key.allowed().contains(name))
                    .toList();
        }
        if (!named.isEmpty()) {
            named.forEach(key -> key(key, key.path()));
        } else if (Properties.known().containsKey(name)) {
            property(name, Keys.at("cluster.client"));
        } else if (!name.equals(name.toLowerCase(Locale.ROOT))) {
            text.append(of(name.toLowerCase(Locale.ROOT)));
        } else {
            List<String> known = new ArrayList<>(Paths.known());
            known.addAll(Properties.known().keySet());
            FURTHER.forEach(further -> known.addAll(further.words()));
            known.addAll(CaveatType.words());
            known.addAll(Glossary.names());
            boolean near = !NearestWord.to(name, known).isEmpty();
            String hint =
                    NearestWord.hint(name, near ? known : Keys.below(Keys.ROOT).keySet());
            throw Problems.of("explain", "'" + name + "' is not a key and not a word of a report" + hint);
        }
    }

    private void key(KeyDescription key, String path) {
        heading(path).append("  ").append(key.meaning()).append("\n\n");
        if (key.type() != ScalarType.NONE || key.list()) {
            row("type", (key.list() ? "list of " : "") + key.type().called());
        }
        String fallback = key.hasDefault() ? key.fallback().line() : "";
        row("default", !fallback.isEmpty() ? fallback : key.required() ? "none, required" : "none");
        if (!key.allowed().isEmpty() && key.texts("write").isEmpty()) {
            row("allowed", String.join(" · ", key.allowed()));
        }
        rowIfSet("write", String.join(NEXT, key.texts("write")));
        rowIfSet(
                "range",
                key.bounds().entrySet().stream()
                        .map(bound -> bound.getKey() + " " + bound.getValue())
                        .collect(Collectors.joining(", ")));
        if (!key.with().isEmpty()) {
            row("only", "beside " + key.with());
        }
        if (!key.without().isEmpty()) {
            row("not", "beside " + String.join(" or ", key.without()));
        }
        rowIfSet("requires", key.requires().stream().map(Requirement::line).collect(Collectors.joining(NEXT)));
        if (!key.example().isEmpty() && !key.example().equals(key.fallback().line())) {
            row("example", path.substring(path.lastIndexOf('.') + 1) + ": " + key.example());
        }
        if (key.section() && !Keys.below(key).isEmpty()) {
            text.append('\n');
            keys(key);
        }
    }

    private void keys(KeyDescription key) {
        Map<String, KeyDescription> below = Keys.below(key);
        int width = below.keySet().stream().mapToInt(String::length).max().orElse(0) + 2;
        below.forEach((name, child) -> {
            if (!child.template()) {
                String called = name.equals(Keys.ANY_NAME) ? "NAME" : name;
                String gap = " ".repeat(Math.max(2, width - called.length()));
                text.append("  " + called + gap + child.meaning() + "\n");
            }
        });
    }

    private void property(String name, KeyDescription map) {
        heading(name);
        Properties.Known known = Properties.known().get(name);
        if (known == null) {
            text.append("  one of: ").append(map.meaning()).append("; Weir passes it on\n");
            return;
        }
        List<String> clients = known.clients().stream().sorted().toList();
        text.append("  a property of Kafka's " + String.join(", ", clients) + "\n\n");
        List<String> maps = new ArrayList<>(clients.stream()
                .filter(client -> !client.equals("admin"))
                .map(client -> "load." + client)
                .toList());
        maps.add("cluster.client");
        row("under", String.join(", ", maps));
        row("engines", WireProperties.known().containsKey(name) ? "client, wire" : "client");
        row("type", known.type());
        row("default", known.fallback().isEmpty() ? "none" : known.fallback());
    }

    private void caveat(CaveatType type) {
        heading("caveat " + type.word()).append("  ").append(type.when()).append("\n\n");
        row("level", EnumNames.of(type.level()));
        row("weakens", type.weakens());
        row("do", type.advice());
        row("lower it", "accept: { " + type.word() + ": why }");
    }

    private void row(String label, String value) {
        text.append("  " + label + " ".repeat(COLUMN - label.length()) + value + "\n");
    }

    /** A feature's explanation of words, such as the names of presets. */
    public interface Explanation extends Feature.Part {
        List<String> words();

        String text(String word);
    }
}
