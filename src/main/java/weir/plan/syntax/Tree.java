package weir.plan.syntax;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import weir.plan.Rate;

/** A part of an experiment as in the file, before the meaning of its keys is known. */
public sealed interface Tree {
    Origin origin();

    /** True for {@code null}, which removes the value below it. */
    default boolean isNull() {
        return false;
    }

    record Text(String text, boolean quoted, Origin origin) implements Tree {
        private static final Set<String> SWITCHES = Set.of("on", "off", "yes", "no");

        @Override
        public boolean isNull() {
            return !quoted && (text.equals("null") || text.equals("~") || text.equals("Null") || text.equals("NULL"));
        }

        /** True for words such as {@code on}, which are booleans in YAML 1.1 and text in YAML 1.2. */
        public boolean isSwitch() {
            return !quoted && SWITCHES.contains(text.toLowerCase(Locale.ROOT));
        }

        public String switchProblem() {
            return "'" + text + "' is ambiguous in YAML; write true or false, or quote it";
        }
    }

    record Items(List<Tree> items, Origin origin) implements Tree {
        public Items {
            items = List.copyOf(items);
        }
    }

    /** The keys and values in the order of the file; {@code places} has the position of each key. */
    record Section(Map<String, Tree> entries, Map<String, Origin> places, Origin origin) implements Tree {
        public Section {
            entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
            places = Collections.unmodifiableMap(new LinkedHashMap<>(places));
        }

        public static Section empty(Origin origin) {
            return new Section(Map.of(), Map.of(), origin);
        }

        public boolean has(String key) {
            return entries.containsKey(key);
        }

        public Section section(String key) {
            return entries.get(key) instanceof Section s ? s : empty(origin);
        }

        public List<Tree> items(String key) {
            return entries.get(key) instanceof Items list ? list.items() : List.of();
        }

        public String text(String key) {
            return entries.get(key) instanceof Text text ? text.text() : "";
        }

        /** The values of the list at a key, or its single value; empty for an absent key. */
        public List<String> texts(String key) {
            return entries.get(key) instanceof Items
                    ? items(key).stream().map(Tree::line).toList()
                    : has(key) ? List.of(text(key)) : List.of();
        }

        public List<Section> sections(String key) {
            return items(key).stream()
                    .map(item -> item instanceof Section section ? section : empty(item.origin()))
                    .toList();
        }

        public boolean isSection(String key) {
            return entries.get(key) instanceof Section;
        }

        public int count(String key) {
            return has(key) ? Units.smallCount(text(key)) : 0;
        }

        public Duration duration(String key) {
            return has(key) ? Units.duration(text(key)) : Duration.ZERO;
        }

        public Rate rate(String key) {
            return has(key) ? Units.rate(text(key)) : Rate.of(0);
        }

        /** The names and values of a property map, including properties below {@code plugin}. */
        public SortedMap<String, String> properties(String key) {
            SortedMap<String, String> properties = new TreeMap<>();
            section(key).entries.forEach((name, value) -> {
                if (value instanceof Section unchecked) {
                    unchecked.entries.forEach((inner, text) -> properties.put(inner, text.line()));
                } else {
                    properties.put(name, value.line());
                }
            });
            return properties;
        }

        public Origin place(String key) {
            return places.getOrDefault(key, origin);
        }

        public Section with(String key, Tree value) {
            Map<String, Tree> more = new LinkedHashMap<>(entries);
            Map<String, Origin> at = new LinkedHashMap<>(places);
            more.put(key, value);
            at.putIfAbsent(key, value.origin());
            return new Section(more, at, origin);
        }

        public Section without(String... keys) {
            Map<String, Tree> fewer = new LinkedHashMap<>(entries);
            for (String key : keys) {
                fewer.remove(key);
            }
            return new Section(fewer, places, origin);
        }

        public Section only(List<String> keys) {
            Map<String, Tree> fewer = new LinkedHashMap<>(entries);
            fewer.keySet().retainAll(keys);
            return new Section(fewer, places, origin);
        }
    }

    /** The tree with another part for each value of its section or list. An item of a list has an empty key. */
    default Tree parts(BiFunction<String, Tree, Tree> part) {
        if (this instanceof Items i) {
            return new Items(
                    i.items().stream().map(item -> part.apply("", item)).toList(), i.origin());
        }
        if (this instanceof Section s) {
            Map<String, Tree> entries = new LinkedHashMap<>(s.entries());
            entries.replaceAll(part);
            return new Section(entries, s.places(), s.origin());
        }
        return this;
    }

    default Tree moved(UnaryOperator<Origin> move) {
        if (this instanceof Text t) {
            return new Text(t.text(), t.quoted(), move.apply(t.origin()));
        }
        Tree moved = parts((key, part) -> part.moved(move));
        if (moved instanceof Items i) {
            return new Items(i.items(), move.apply(i.origin()));
        }
        if (moved instanceof Section s) {
            Map<String, Origin> places = new LinkedHashMap<>(s.places());
            places.replaceAll((key, place) -> move.apply(place));
            return new Section(s.entries(), places, move.apply(s.origin()));
        }
        throw new AssertionError(this);
    }

    default long values() {
        if (this instanceof Items i) {
            return i.items().stream().mapToLong(Tree::values).sum();
        }
        return this instanceof Section s
                ? s.entries().values().stream().mapToLong(Tree::values).sum()
                : 1;
    }

    default String line() {
        if (this instanceof Text t) {
            return t.text();
        }
        List<String> parts = new ArrayList<>();
        if (this instanceof Items i) {
            i.items().forEach(item -> parts.add(item.line()));
            return "[" + String.join(", ", parts) + "]";
        }
        if (this instanceof Section s) {
            s.entries().forEach((key, value) -> parts.add(key + ": " + value.line()));
            return "{" + String.join(", ", parts) + "}";
        }
        throw new AssertionError(this);
    }
}
