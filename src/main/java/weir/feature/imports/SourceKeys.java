package weir.feature.imports;

import java.io.IOException;
import java.io.StringReader;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.TreeSet;
import java.util.stream.Stream;
import weir.plan.syntax.Tree;

/** The keys of a source by dotted path, and the keys without a plain value, each with the reason. */
record SourceKeys(Map<String, String> values, Map<String, String> unread) {
    SourceKeys() {
        this(new LinkedHashMap<>(), new LinkedHashMap<>());
    }

    /** Adds all values of a tree. A list of texts becomes one value with commas. */
    void add(String path, Tree tree) {
        if (tree instanceof Tree.Text text) {
            put(path, text.isNull() ? "" : text.text());
        } else if (tree instanceof Tree.Section section) {
            section.entries().forEach((key, below) -> add(path.isEmpty() ? key : path + "." + key, below));
        } else if (tree instanceof Tree.Items items) {
            if (items.items().stream().allMatch(Tree.Text.class::isInstance)) {
                put(
                        path,
                        String.join(",", items.items().stream().map(Tree::line).toList()));
            } else {
                unread.put(path, "a list of maps has no equivalent");
            }
        }
    }

    void put(String path, String value) {
        values.put(path, value.strip());
    }

    boolean has(String prefix) {
        return Stream.concat(values.keySet().stream(), unread.keySet().stream())
                .anyMatch(key -> key.startsWith(prefix));
    }

    /** Replaces a text in the format of properties files by its properties. */
    void expandProperties(String path) {
        String text = values.remove(path);
        Properties properties = new Properties();
        try {
            properties.load(new StringReader(text == null ? "" : text));
        } catch (IOException | IllegalArgumentException e) {
            unread.put(path, "the text is not in the format of properties files");
        }
        new TreeSet<>(properties.stringPropertyNames())
                .forEach(name -> put(path + "." + name, properties.getProperty(name)));
    }
}
