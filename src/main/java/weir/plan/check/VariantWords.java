package weir.plan.check;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import weir.plan.DisturbanceSpec;
import weir.plan.PlacedSpec;
import weir.plan.RateSpec;
import weir.plan.Setting;
import weir.plan.TopicSpec;
import weir.plan.Variant;
import weir.plan.syntax.Keys;
import weir.plan.syntax.Requirement;

/** The values of a variant as the words that conditions on it name, by their paths. */
record VariantWords(Variant variant) {
    private static final String PLACED = ".placed";
    private static final List<String> READING = List.of("consume", "deliver", "stream");

    /**
     * The word of a value: the first of a list, the form of a section, {@code none} if the variant has no value.
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

    /** The path of a key of the load that has an engine. */
    private static String beside(String engine, String key) {
        return engine.replaceFirst("engine\\.[a-z]+$", key);
    }

    private String plain(String path) {
        Setting setting = variant.settings().get(path);
        String value = setting == null ? "" : setting.value();
        String first = value.startsWith("[") ? value.replaceFirst("^\\[([^,\\]]+).*", "$1") : value;
        return first.startsWith("http://") || first.startsWith("https://") ? "url" : first;
    }

    private String form(String key, String path) {
        return Keys.at(key).forms().stream()
                .filter(form -> variant.settingsAt(path + "." + form).findAny().isPresent())
                .findFirst()
                .orElse(variant.settingsAt(path).findAny().isPresent() ? "some" : Requirement.NONE);
    }

    private String placed(String section) {
        SortedMap<String, PlacedSpec> placed = new TreeMap<>();
        placed.put("load", variant.load().placed());
        placed.put("cluster", variant.cluster().placed());
        placed.put("bridge", variant.bridge().placed());
        variant.during()
                .forEach((name, what) -> placed.put(
                        "during." + name + (what instanceof DisturbanceSpec.Load ? ".load" : ""), what.placed()));
        PlacedSpec where = placed.getOrDefault(section, PlacedSpec.HERE);
        return where instanceof PlacedSpec.Kubernetes ? "kubernetes" : where.elsewhere() ? "hosts" : "here";
    }

    /** True when somebody wrote a value at a path or below it. */
    boolean written(String path) {
        for (Setting setting : variant.settings().tailMap(path).values()) {
            if (!setting.path().startsWith(path)) {
                return false;
            }
            boolean here =
                    setting.path().length() == path.length() || setting.path().charAt(path.length()) == '.';
            if (here && !setting.origin().equals("default")) {
                return true;
            }
        }
        return false;
    }
}
