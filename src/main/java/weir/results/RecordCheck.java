package weir.results;

import java.lang.reflect.AnnotatedType;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The check that records read from a file hold what records of ours can: nothing is missing but what may be, no number
 * is infinite, and no count is below 0.
 */
final class RecordCheck {
    private RecordCheck() {}

    /** Throws {@link UnreadableRunException} with the first place that cannot be. */
    static void check(Path file, Object value) {
        try {
            check("", value);
        } catch (IllegalArgumentException e) {
            throw new UnreadableRunException(file + ": is not what a run writes: " + e.getMessage());
        }
    }

    private static void check(String place, Object value) {
        if (value instanceof Object[] array) {
            for (int i = 0; i < array.length; i++) {
                there(place + "[" + i + "]", array[i]);
            }
        } else if (value instanceof Collection<?> all) {
            int i = 0;
            for (Object each : all) {
                there(place + "[" + i++ + "]", each);
            }
        } else if (value instanceof Map<?, ?> map) {
            map.forEach((key, each) -> {
                String at = place + "." + key;
                there(at, each);
                belowZero(at, each);
            });
        } else if (value instanceof Double number && !Double.isFinite(number)) {
            throw new IllegalArgumentException(place.replaceFirst("^\\.", "") + " is no number");
        } else if (value instanceof Record) {
            for (RecordComponent component : value.getClass().getRecordComponents()) {
                component(place + "." + component.getName(), component, value);
            }
        }
    }

    private static void component(String place, RecordComponent component, Object of) {
        Object value = read(component, of);
        AnnotatedType type = component.getAnnotatedType();
        if (value != null) {
            check(place, value);
        } else if (!type.isAnnotationPresent(Nullable.class)) {
            throw new IllegalArgumentException(place.substring(1) + " is missing");
        }
        // Counts may be missing, so they are boxed; a bare long may be a seed.
        if (component.getType() == Long.class) {
            belowZero(place, value);
        }
    }

    private static void belowZero(String place, @Nullable Object value) {
        if (value instanceof Long count && count < 0) {
            throw new IllegalArgumentException(place.substring(1) + " is below 0: " + count);
        }
    }

    private static void there(String place, @Nullable Object value) {
        if (value == null) {
            throw new IllegalArgumentException(place.replaceFirst("^\\.", "") + " is missing");
        }
        check(place, value);
    }

    private static @Nullable Object read(RecordComponent component, Object of) {
        try {
            var accessor = component.getAccessor();
            accessor.setAccessible(true);
            return accessor.invoke(of);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("reading " + component, e);
        }
    }
}
