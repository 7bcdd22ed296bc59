package weir.feature.presets;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import weir.plan.EnumNames;
import weir.plan.NearestWord;
import weir.plan.property.Property;
import weir.plan.syntax.Keys;
import weir.plan.syntax.Origin;
import weir.plan.syntax.Tree;

/** The recommended settings for a goal, from {@code presets.yaml}. */
public record Preset(String name, String meaning, String price, List<PresetProperty> properties) {
    private static final List<Preset> ALL = read();

    public Preset {
        properties = List.copyOf(properties);
    }

    public static List<Preset> all() {
        return ALL;
    }

    public static List<String> names() {
        return ALL.stream().map(Preset::name).toList();
    }

    public static Preset named(String name) {
        return ALL.stream()
                .filter(preset -> preset.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "preset '" + name + "' does not exist" + NearestWord.hint(name, names())));
    }

    public List<PresetProperty> of(PresetProperty.Side side) {
        return properties.stream().filter(property -> property.side() == side).toList();
    }

    public SortedMap<String, String> values(PresetProperty.Side side) {
        return values(side, EnumSet.of(PresetProperty.By.RUN));
    }

    public SortedMap<String, String> ofApplications(PresetProperty.Side side) {
        return values(side, EnumSet.of(PresetProperty.By.RUN, PresetProperty.By.WEIR));
    }

    private SortedMap<String, String> values(PresetProperty.Side side, Set<PresetProperty.By> by) {
        SortedMap<String, String> values = new TreeMap<>();
        of(side).stream()
                .filter(property -> by.contains(property.by()))
                .forEach(property -> values.put(property.name(), property.value()));
        return values;
    }

    /**
     * Returns the settings of the preset as a section of an experiment; {@code topics} get its topic properties. {@code
     * origin} is the position in the file that names the preset.
     */
    public Tree.Section overlay(Origin origin, Collection<String> topics) {
        Origin here = origin.ofPreset(name);
        Map<PresetProperty.Side, Tree.Section> sides = new EnumMap<>(PresetProperty.Side.class);
        for (PresetProperty.Side side : PresetProperty.Side.values()) {
            sides.put(side, section(values(side), here));
        }
        Tree.Section empty = Tree.Section.empty(here);
        Tree.Section load = empty;
        for (PresetProperty.Side side : List.of(PresetProperty.Side.PRODUCER, PresetProperty.Side.CONSUMER)) {
            load = with(load, EnumNames.of(side), sides.getOrDefault(side, empty));
        }
        Tree.Section topic = topic(sides.getOrDefault(PresetProperty.Side.TOPIC, empty), here);
        Tree.Section each = empty;
        for (String one : topics) {
            each = with(each, one, topic);
        }
        Tree.Section cluster = with(empty, "broker", sides.getOrDefault(PresetProperty.Side.BROKER, empty));
        return with(with(with(empty, "cluster", cluster), "topics", each), "load", load);
    }

    private static Tree.Section topic(Tree.Section properties, Origin origin) {
        Tree.Section topic = properties.only(List.of(Property.REPLICATION));
        return with(
                new Tree.Section(topic.entries(), Map.of(), origin),
                "config",
                properties.without(Property.REPLICATION));
    }

    private static Tree.Section with(Tree.Section section, String key, Tree.Section value) {
        return value.entries().isEmpty() ? section : section.with(key, value);
    }

    private static Tree.Section section(SortedMap<String, String> values, Origin origin) {
        Tree.Section section = Tree.Section.empty(origin);
        for (Map.Entry<String, String> value : values.entrySet()) {
            section = section.with(value.getKey(), new Tree.Text(value.getValue(), true, origin));
        }
        return section;
    }

    private static List<Preset> read() {
        Tree.Section table = Keys.rows("/weir/feature/presets/presets.yaml");
        List<Preset> presets = new ArrayList<>();
        table.entries().keySet().forEach(name -> {
            Tree.Section facts = table.section(name);
            String like = facts.text("like");
            List<PresetProperty> properties = like.isEmpty()
                    ? properties(facts)
                    : properties(table.section(like)).stream()
                            .map(PresetProperty::atOtherEnd)
                            .toList();
            presets.add(new Preset(name, facts.text("meaning"), facts.text("price"), properties));
        });
        return List.copyOf(presets);
    }

    private static List<PresetProperty> properties(Tree.Section preset) {
        List<PresetProperty> properties = new ArrayList<>();
        for (PresetProperty.Side side : PresetProperty.Side.values()) {
            Tree.Section section = preset.section(EnumNames.of(side));
            section.entries().keySet().forEach(name -> properties.add(property(side, name, section.section(name))));
        }
        return properties;
    }

    private static PresetProperty property(PresetProperty.Side side, String name, Tree.Section facts) {
        PresetProperty.By by =
                facts.has("by") ? EnumNames.constant(facts.text("by"), PresetProperty.By.class) : PresetProperty.By.RUN;
        return new PresetProperty(
                side,
                name,
                facts.text("value"),
                facts.text("other"),
                by,
                facts.text("why"),
                facts.text("costs"),
                facts.text("dated"));
    }
}
