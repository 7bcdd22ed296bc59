package weir.feature.presets;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import weir.feature.Feature;
import weir.judge.caveat.FeatureCaveats;
import weir.judge.caveat.RunCaveats;
import weir.plan.EnumNames;
import weir.plan.Setting;
import weir.plan.explain.KeyExplanation.Explanation;
import weir.plan.property.Property;
import weir.plan.syntax.CaveatType;
import weir.plan.syntax.Keys;
import weir.plan.syntax.Paths;
import weir.plan.syntax.Tree;
import weir.plan.syntax.VariantOverlay;
import weir.results.RequestedExperiment;

/** The presets: recommended client settings for a goal. */
public final class PresetsFeature implements Feature {
    @Override
    public List<Class<?>> commands() {
        return List.of(PresetsCommand.class);
    }

    @Override
    public List<Part> parts() {
        return List.of(new PresetCaveats(), new PresetWords());
    }

    /** The names of presets as values of a variant's key {@code preset}, and as words for {@code weir explain}. */
    record PresetWords() implements VariantOverlay, Explanation {
        private static final String KEY = "preset";

        @Override
        public String key() {
            return KEY;
        }

        @Override
        public Tree.Section overlay(Tree.Text word, Collection<String> topics) {
            return Preset.named(word.text()).overlay(word.origin(), topics);
        }

        @Override
        public List<SortedMap<String, String>> clientSettings() {
            List<SortedMap<String, String>> all = new ArrayList<>();
            for (Preset preset : Preset.all()) {
                SortedMap<String, String> settings = new TreeMap<>();
                for (PresetProperty.Side side : List.of(PresetProperty.Side.PRODUCER, PresetProperty.Side.CONSUMER)) {
                    preset.values(side)
                            .forEach((name, value) -> settings.put("load." + EnumNames.of(side) + "." + name, value));
                }
                all.add(settings);
            }
            return all;
        }

        @Override
        public List<String> words() {
            List<String> words = new ArrayList<>(List.of(KEY));
            words.addAll(Preset.names());
            return words;
        }

        @Override
        public String text(String word) {
            List<String> texts = new ArrayList<>();
            for (Preset preset : Preset.all()) {
                if (word.equals(KEY) || word.equals(preset.name())) {
                    texts.add(KEY + ": " + preset.name() + "\n  " + preset.meaning() + "\n\n" + settings(preset));
                }
            }
            String name = word.equals(KEY) ? "NAME" : word;
            texts.add("weir presets " + name + " shows the reason and the cost of each setting\n");
            return String.join("\n", texts);
        }

        private static String settings(Preset preset) {
            Map<String, Tree> leaves = new TreeMap<>();
            Paths.leaves("", preset.overlay(Keys.TABLE.origin(), List.of("NAME")), leaves);
            StringBuilder text = new StringBuilder();
            leaves.forEach((path, value) -> text.append("  ")
                    .append(path)
                    .append(": ")
                    .append(value.line())
                    .append('\n'));
            return text.toString();
        }
    }

    static final class PresetCaveats implements FeatureCaveats {
        private static final CaveatType PRESET_NOT_MET = CaveatType.named("preset-not-met");

        @Override
        public void ofRun(RunCaveats run) {
            for (RequestedExperiment.Variant variant : run.asked().variants()) {
                List<Property> brokers = run.machine().properties().getOrDefault(variant.name(), List.of()).stream()
                        .filter(property -> property.of().startsWith("broker "))
                        .toList();
                List<String> open = new ArrayList<>();
                for (Setting setting : variant.settings()) {
                    String name = setting.askedOfOperator();
                    Set<String> there = brokers.stream()
                            .filter(property -> property.name().equals(name))
                            .map(Property::effective)
                            .collect(Collectors.toCollection(TreeSet::new));
                    if (!name.isEmpty() && !there.isEmpty() && !there.equals(Set.of(setting.value()))) {
                        open.add(name + " is " + String.join(" / ", there) + " (" + setting.value() + " required)");
                    }
                }
                run.caveats().addIf(!open.isEmpty(), "", PRESET_NOT_MET, variant.name(), String.join(", ", open));
            }
        }
    }
}
