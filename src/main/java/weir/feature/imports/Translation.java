package weir.feature.imports;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.cli.FlagPlan;
import weir.feature.imports.ImportRow.ValueForm;
import weir.plan.Problem;
import weir.plan.Problems;
import weir.plan.property.Properties;
import weir.plan.property.Redact;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.plan.syntax.Keys;
import weir.plan.syntax.Origin;
import weir.plan.syntax.Tree;

/** An experiment file that the rows of a table make from the keys of a source. */
final class Translation {
    private static final String OWN_HOST = "(localhost|127\\.0\\.0\\.1|\\[::1])(:[0-9]+)?";
    private static final String PLAIN = "[A-Za-z0-9][A-Za-z0-9 ./%+_-]*";
    private static final String SWITCH = "(?i)on|off|yes|no|null|true|false";
    private static final Set<String> CLIENT_MAPS = Set.of("load.producer", "load.consumer", "cluster.client");

    private final String heading;
    private final Tree.Section table;
    private final SourceKeys source;
    private final Map<String, String> values;
    private final Map<List<String>, Line> lines = new LinkedHashMap<>();
    private final Set<String> mapped = new HashSet<>();
    private final Map<String, String> conflicts = new LinkedHashMap<>();
    private final Map<String, String> unmapped = new LinkedHashMap<>();

    private record Line(String value, String comment, String note, String key) {}

    private Translation(String heading, Tree.Section table, SourceKeys source) {
        this.heading = heading;
        this.table = table;
        this.source = source;
        values = new LinkedHashMap<>(source.values());
        table.section("defaults").entries().forEach((key, value) -> {
            if (!source.unread().containsKey(key)) {
                values.putIfAbsent(key, value.line());
            }
        });
        String servers = table.texts("bootstrap").stream()
                .map(key -> values.getOrDefault(key, ""))
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse("");
        values.put(
                "cluster",
                Stream.of(servers.split(",", -1)).allMatch(s -> s.matches("|" + OWN_HOST)) ? "own" : "given");
    }

    static Tree.Section table(String format) {
        return Keys.rows("/weir/feature/imports/" + format + ".yaml");
    }

    /** The commented experiment file, which {@link PlanReader} reads without problems. */
    static String of(String heading, Tree.Section table, SourceKeys source) {
        Translation translation = new Translation(heading, table, source);
        translation.map();
        while (translation.dropsRefused()) {
            // A value without its neighbours may break another rule.
        }
        return translation.text(new ArrayList<>());
    }

    private void map() {
        List<ImportRow> rows =
                table.sections("rows").stream().map(ImportRow::new).toList();
        for (ImportRow row : rows) {
            if (row.texts("from").isEmpty() && row.holds(values)) {
                put("", row, List.of(), "");
            }
            for (String key : List.copyOf(values.keySet())) {
                row.stars(key, values).ifPresent(stars -> put(key, row, stars, values.getOrDefault(key, "")));
            }
        }
        source.unread().forEach(unmapped::putIfAbsent);
        conflicts.forEach(this::refuse);
        source.values().keySet().forEach(key -> {
            boolean known = rows.stream().anyMatch(row -> row.names(key));
            refuse(key, known ? "this value has no equivalent" : "unknown key");
        });
    }

    private void put(String key, ImportRow row, List<String> stars, String value) {
        if (unmapped.containsKey(key) || (row.rest() && mapped.contains(key))) {
            return;
        }
        if (!row.text("why-not").isEmpty()) {
            refuse(key, row.text("why-not"));
            return;
        }
        try {
            List<String> path = row.path(stars, value, values);
            Optional<List<String>> taken = lines.keySet().stream()
                    .filter(other -> begins(other, path) || begins(path, other))
                    .findFirst();
            boolean larger = row.text("largest").equals("true") && larger(value, lines.get(path));
            if (taken.isPresent() && !larger) {
                conflicts.putIfAbsent(key, "the line of another key sets " + String.join(".", taken.get()));
                return;
            }
            line(key, row, path, row.value(value, values));
            mapped.add(key);
            others(row).forEach(mapped::add);
        } catch (IllegalArgumentException e) {
            refuse(key, String.valueOf(e.getMessage()));
        }
    }

    private static boolean larger(String value, @Nullable Line line) {
        return line != null && ValueForm.number(value).compareTo(ValueForm.number(line.value())) > 0;
    }

    private Stream<String> others(ImportRow row) {
        return Stream.of("times", "per", "minus", "also")
                .flatMap(field -> row.texts(field).stream())
                .filter(source.values()::containsKey);
    }

    /** Notes why a key of the source has no line. A default of the tool is no key of the source. */
    private void refuse(String key, String reason) {
        if (source.values().containsKey(key) && !mapped.contains(key)) {
            unmapped.putIfAbsent(key, reason);
        }
    }

    private void line(String key, ImportRow row, List<String> path, String value) {
        String map = String.join(".", path.subList(0, Math.min(2, path.size())));
        if (!CLIENT_MAPS.contains(map) || path.size() < 3) {
            boolean config = path.size() > 3 && path.get(2).equals("config");
            List<String> at = config ? property(path, 3) : path;
            lines.put(at, new Line(value, comment(key, row, value), row.text("note"), key));
            return;
        }
        List<String> at = property(path, 2);
        String name = at.get(2);
        String written = value;
        String note = row.text("note");
        if (Redact.hides(name, value) && !value.contains("${")) {
            written = "${env:" + name.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_") + "}";
            note = "the value may be a secret: set this environment variable";
        }
        String doubt = Properties.doubt(name);
        if (doubt.isEmpty()) {
            Properties.check(map, name, new Tree.Text(written, true, Origin.unwritten("")));
        } else {
            at.add(2, "plugin");
            note += (note.isEmpty() ? "" : "; ") + name + " " + doubt;
        }
        lines.put(at, new Line(written, comment(key, row, written), note, key));
    }

    /** A path in which the last segment is the whole name of a property. */
    private static List<String> property(List<String> path, int from) {
        List<String> at = new ArrayList<>(path.subList(0, from));
        at.add(String.join(".", path.subList(from, path.size())));
        return at;
    }

    private String comment(String key, ImportRow row, String written) {
        if (key.isEmpty()) {
            return "";
        }
        String value = values.getOrDefault(key, "");
        List<String> others = others(row).filter(other -> !other.equals(key)).toList();
        String visible = written.startsWith("${env:") ? Redact.HIDDEN : shown(key, value);
        String more = others.isEmpty() ? "" : ", with " + String.join(", ", others);
        String from = source.values().containsKey(key) ? "" : "default of ";
        return from + key + (written.contains(value) ? "" : ": " + visible) + more;
    }

    private static String shown(String key, String value) {
        String name = key.substring(key.indexOf('.') + 1);
        return (Redact.secret(name) ? Redact.HIDDEN : Redact.text(value)).replaceAll("\\p{Cntrl}+", " ");
    }

    private static boolean begins(List<String> path, List<String> prefix) {
        return path.size() >= prefix.size() && path.subList(0, prefix.size()).equals(prefix);
    }

    /** Removes one line that the reader refuses, and returns true; false if the file has no problem. */
    private boolean dropsRefused() {
        List<List<String>> written = new ArrayList<>();
        String text = text(written);
        try {
            PlanReader.read(Path.of("imported.yaml"), text, Overrides.NONE);
            return false;
        } catch (Problems problems) {
            for (Problem problem : problems.list()) {
                List<String> at = problem.line() > 0 ? written.get(problem.line() - 1) : List.of("");
                Optional<List<String>> line =
                        lines.keySet().stream().filter(path -> begins(path, at)).reduce((first, last) -> last);
                if (line.isPresent()) {
                    Line dropped = lines.remove(line.get());
                    unmapped.put(
                            dropped == null || dropped.key().isEmpty() ? String.join(".", line.get()) : dropped.key(),
                            problem.message());
                    return true;
                }
            }
            throw problems;
        }
    }

    /** The text of the file. {@code written} receives the path of each line of the text. */
    private String text(List<List<String>> written) {
        StringBuilder text = new StringBuilder();
        comment(text, written, heading);
        comment(text, written, "The comment of a line names the key of the source.");
        if (!unmapped.isEmpty()) {
            comment(text, written, "");
            comment(text, written, "Not in this file:");
        }
        Map<String, List<String>> reasons = new LinkedHashMap<>();
        unmapped.forEach((key, reason) ->
                reasons.computeIfAbsent(reason, none -> new ArrayList<>()).add(key));
        reasons.forEach((reason, keys) -> {
            String value = keys.size() > 1 ? "" : values.getOrDefault(keys.get(0), "");
            comment(
                    text,
                    written,
                    "  " + String.join(", ", keys) + (value.isEmpty() ? "" : ": " + shown(keys.get(0), value)) + " - "
                            + reason);
        });
        text.append('\n');
        written.add(List.of(""));
        section(text, written, List.of());
        return text.toString();
    }

    private static void comment(StringBuilder text, List<List<String>> written, String comment) {
        text.append(("# " + comment).stripTrailing().replaceAll("\\p{Cntrl}", " "))
                .append('\n');
        written.add(List.of(""));
    }

    private void section(StringBuilder text, List<List<String>> written, List<String> above) {
        Set<String> names = new LinkedHashSet<>();
        lines.keySet().stream().filter(path -> begins(path, above)).forEach(path -> names.add(path.get(above.size())));
        String indent = "  ".repeat(above.size());
        for (String name : names) {
            List<String> path = new ArrayList<>(above);
            path.add(name);
            Line line = lines.get(path);
            if (above.isEmpty() && (line == null || name.equals("warmup"))) {
                text.append('\n');
                written.add(List.of(""));
            }
            if (line != null && !line.note().isEmpty()) {
                text.append(indent);
                comment(text, written, line.note());
            }
            String key = name.matches("[A-Za-z0-9._-]+") && !name.matches(SWITCH) ? name : FlagPlan.quoted(name);
            text.append(indent).append(key).append(':');
            written.add(path);
            if (line == null) {
                text.append('\n');
                section(text, written, path);
            } else {
                boolean plain = line.value().matches(PLAIN) && !line.value().matches("(?i)on|off|yes|no|null");
                text.append(' ').append(plain ? line.value() : FlagPlan.quoted(line.value()));
                text.append(line.comment().isEmpty() ? "" : "  # " + line.comment())
                        .append('\n');
            }
        }
    }
}
