package weir.plan.check;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import weir.plan.PlacedSpec;
import weir.plan.RateSpec;
import weir.plan.Setting;
import weir.plan.TopicSpec;
import weir.plan.Variant;
import weir.plan.syntax.KeyDescription;
import weir.plan.syntax.Keys;
import weir.plan.syntax.ProblemSpot;
import weir.plan.syntax.Requirement;

/** The check of a variant's values against the rules that {@code keys.yaml} lists below {@code requires:}. */
public record Requirements(ProblemSpot spot, Variant variant, VariantWords words) {
    private static final String PLACED = ".placed";
    private static final List<Row> ROWS = Keys.all().stream()
            .filter(key -> !Keys.ONCE.contains(key.path().replaceFirst("\\..*", "")))
            .flatMap(key -> key.requires().stream().map(row -> new Row(key, row)))
            .toList();

    private record Row(KeyDescription key, Requirement requires) {}

    Requirements(ProblemSpot spot, Variant variant) {
        this(spot, variant, new VariantWords(variant));
    }

    public static String lacking(String key, String value, Variant variant) {
        VariantWords words = new VariantWords(variant);
        return Keys.at(key).requires().stream()
                .filter(row -> value.isEmpty() || row.when().matches(value))
                .map(row -> row.lacking(
                        value, other -> other.replace(Keys.ANY_NAME, "NAME"), other -> words.word(other, other)))
                .filter(lacks -> !lacks.isEmpty())
                .findFirst()
                .orElse("");
    }

    void check() {
        ROWS.forEach(
                row -> paths(row.key().path(), row.requires()).forEach(path -> check(row.key(), row.requires(), path)));
    }

    private void check(KeyDescription key, Requirement row, String path) {
        // The shortcut saves time: a grid may have a thousand variants with mostly default values.
        boolean written = words.written(path);
        if (!written && (row.aboutWritten() || (key.hasDefault() && row.aboutAny()))) {
            return;
        }
        String value = words.word(key.path(), path);
        String lacks = row.aboutWritten() || row.about(value, key.fallback().line())
                ? row.lacking(
                        value,
                        other -> beside(key.path(), path, other),
                        other -> words.word(other, beside(key.path(), path, other)))
                : "";
        if (!lacks.isEmpty() && sound(row)) {
            boolean placed = path.endsWith(PLACED);
            spot.wrong(placed ? variant.placedAt(path.substring(0, path.length() - PLACED.length())) : path, lacks);
        }
    }

    private boolean sound(Requirement row) {
        return Stream.of(row.given(), row.conditions())
                .flatMap(each -> each.keySet().stream())
                .allMatch(spot::sound);
    }

    private List<String> paths(String key, Requirement row) {
        if (!row.of().isEmpty()) {
            return List.of(key + "." + row.of());
        }
        if (!row.except().isEmpty()) {
            return variant.settingsAt(key)
                    .map(setting -> setting.path().substring(key.length() + 1).replaceFirst("\\..*", ""))
                    .filter(child -> !row.except().equals(child))
                    .distinct()
                    .map(child -> key + "." + child)
                    .toList();
        }
        if (!key.contains(Keys.ANY_NAME)) {
            return List.of(key);
        }
        Set<String> names = (key.startsWith("topics.") ? variant.topics() : variant.during()).keySet();
        return names.stream()
                .map(name -> key.replace(Keys.ANY_NAME, name))
                .filter(variant::hasSettings)
                .toList();
    }

    private static String beside(String key, String path, String other) {
        int any = key.indexOf(Keys.ANY_NAME);
        if (any >= 0 && other.startsWith(key.substring(0, any + 1))) {
            return other.replace(Keys.ANY_NAME, path.substring(any, path.length() - (key.length() - any - 1)));
        }
        return other;
    }

    record VariantWords(Variant variant) {
        private static final String PLACED = ".placed";
        private static final Map<String, List<String>> FORMS =
                Keys.all().stream().collect(Collectors.toMap(KeyDescription::path, KeyDescription::forms));
        private static final List<String> READING = List.of("consume", "deliver", "stream");

        /**
         * The word of a value: the first of a list, the form of a section, {@code none} without a value.
         *
         * @param key its path in {@code keys.yaml}
         * @param path its path in the variant
         */
        String word(String key, String path) {
            if (key.equals("load.rate")) {
                RateSpec rate = variant.load().rate();
                return rate instanceof RateSpec.Steps ? "steps" : rate instanceof RateSpec.Replay ? "replay" : "other";
            }
            if (path.equals("topics.*.existing")) {
                return String.valueOf(variant.usedTopics().values().stream().anyMatch(TopicSpec::existing));
            }
            if (key.endsWith(PLACED)) {
                return placed(path.substring(0, path.length() - PLACED.length()));
            }
            if (key.equals("load.engine.receive") && !READING.contains(plain(beside(path, "workload")))) {
                return Requirement.NONE;
            }
            String plain = plain(key.startsWith("load.engine.") ? beside(path, "engine") : path);
            plain = plain.isEmpty() ? plain(path) : plain;
            return plain.isEmpty() ? form(key, path) : plain;
        }

        private static String beside(String engine, String key) {
            return engine.replaceFirst("engine\\.[a-z]+$", key);
        }

        private String plain(String path) {
            Setting setting = variant.settings().get(path);
            String value = setting == null ? "" : setting.value().strip();
            String first = value.startsWith("[") ? value.replaceFirst("^\\[([^,\\]]+).*", "$1") : value;
            return first.startsWith("http://") || first.startsWith("https://") ? "url" : first;
        }

        private String form(String key, String path) {
            for (String form : FORMS.getOrDefault(key, List.of())) {
                if (variant.hasSettings(path + "." + form)) {
                    return form;
                }
            }
            return variant.hasSettings(path) ? "some" : Requirement.NONE;
        }

        private String placed(String section) {
            SortedMap<String, PlacedSpec> placed = new TreeMap<>();
            placed.put("load", variant.load().placed());
            placed.put("cluster", variant.cluster().placed());
            placed.put("bridge", variant.bridge().placed());
            variant.during().forEach((name, what) -> placed.put("during." + name, what.placed()));
            PlacedSpec where = placed.getOrDefault(section, new PlacedSpec.Here());
            return where.inPods() ? "kubernetes" : where.remote() ? "hosts" : "here";
        }

        boolean written(String path) {
            return variant.hasSettings(path)
                    && variant.settingsAt(path)
                            .anyMatch(setting -> !setting.origin().equals("default"));
        }
    }
}
