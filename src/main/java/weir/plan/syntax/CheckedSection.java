package weir.plan.syntax;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import weir.plan.EnumNames;
import weir.plan.Rate;
import weir.plan.Ratio;

/** A checked section, read key by key; what is absent reads as empty, zero or false. */
public record CheckedSection(Tree.Section tree) {
    public boolean has(String key) {
        return tree.has(key);
    }

    public boolean isSection(String key) {
        return tree.entries().get(key) instanceof Tree.Section;
    }

    public CheckedSection part(String key) {
        return new CheckedSection(tree.section(key));
    }

    public String text(String key) {
        return tree.entries().get(key) instanceof Tree.Text t ? t.text() : "";
    }

    /** The values of a list, or the single value. */
    public List<String> texts(String key) {
        List<String> texts = new ArrayList<>();
        if (tree.entries().get(key) instanceof Tree.Items items) {
            items.items().forEach(item -> texts.add(item.line()));
        } else if (has(key)) {
            texts.add(text(key));
        }
        return texts;
    }

    /** The sections of a list. */
    public List<CheckedSection> parts(String key) {
        List<CheckedSection> parts = new ArrayList<>();
        if (tree.entries().get(key) instanceof Tree.Items items) {
            for (Tree item : items.items()) {
                parts.add(new CheckedSection(item instanceof Tree.Section s ? s : Tree.Section.empty(item.origin())));
            }
        }
        return parts;
    }

    public int count(String key) {
        return has(key) ? Units.smallCount(text(key)) : 0;
    }

    public double decimal(String key) {
        return has(key) ? Units.decimal(text(key)) : 0;
    }

    public Duration duration(String key) {
        return has(key) ? Units.duration(text(key)) : Duration.ZERO;
    }

    public Ratio percent(String key) {
        return has(key) ? Units.percent(text(key)) : new Ratio(0);
    }

    public Rate rate(String key) {
        return has(key) ? Units.rate(text(key)) : Rate.of(0);
    }

    /** The constant that is written like this, with dashes or spaces for its underscores. */
    public <E extends Enum<E>> E word(String key, Class<E> family) {
        return EnumNames.constant(text(key), family);
    }

    /** Names and values of a free map; those below {@code plugin} stand beside the others. */
    public SortedMap<String, String> properties(String key) {
        SortedMap<String, String> properties = new TreeMap<>();
        part(key).tree.entries().forEach((name, value) -> {
            if (value instanceof Tree.Section unchecked) {
                unchecked.entries().forEach((inner, text) -> properties.put(inner, text.line()));
            } else {
                properties.put(name, value.line());
            }
        });
        return properties;
    }
}
