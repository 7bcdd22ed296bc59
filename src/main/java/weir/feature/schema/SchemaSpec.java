package weir.feature.schema;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import weir.plan.ValueSpec;

/**
 * Values of a schema.
 *
 * @param registry the URL of a schema registry; empty for one in the memory of each worker
 * @param fields the distributions of fields by their paths
 */
public record SchemaSpec(Path schema, String registry, SortedMap<String, FieldHint> fields) implements ValueSpec {
    public SchemaSpec {
        fields = Collections.unmodifiableSortedMap(new TreeMap<>(fields));
    }

    /**
     * The distribution of one field.
     *
     * @param distinct the number of different values; 0 for any number
     * @param between the range of a number; empty for the default
     * @param length the range of a length; empty for the default
     */
    public record FieldHint(long distinct, String between, String length) {
        static final FieldHint NONE = new FieldHint(0, "", "");

        Map<String, String> written() {
            Map<String, String> written = new TreeMap<>(Map.of("between", between, "length", length));
            written.put("distinct", distinct == 0 ? "" : String.valueOf(distinct));
            written.values().removeIf(String::isEmpty);
            return written;
        }
    }

    @Override
    public List<Path> files() {
        return List.of(schema);
    }

    @Override
    public boolean serialized() {
        return true;
    }

    @Override
    public double sampledBytes() {
        try {
            return SchemaValues.of(this, List.of()).meanBytes();
        } catch (IllegalArgumentException | UncheckedIOException unusable) {
            // A later check reports the reason.
            return meanBytes();
        }
    }
}
