package weir.results;

import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The check that records read from a file hold what records of ours can: nothing is missing but what may be, no number
 * is infinite, and no count is below 0.
 */
final class RecordCheck {
    /** Reflection that is done anew takes longer than reading the file. */
    private static final ClassValue<List<Component>> COMPONENTS = new ClassValue<>() {
        @Override
        protected List<Component> computeValue(Class<?> type) {
            return Stream.of(type.getRecordComponents()).map(Component::of).toList();
        }
    };

    private RecordCheck() {}

    private record Component(String name, Method accessor, boolean required, boolean counts) {
        /** Counts may be missing, so they are boxed; a bare long may be a seed. */
        static Component of(RecordComponent component) {
            Method accessor = component.getAccessor();
            accessor.setAccessible(true);
            boolean required = !component.getAnnotatedType().isAnnotationPresent(Nullable.class);
            return new Component(component.getName(), accessor, required, component.getType() == Long.class);
        }

        @Nullable Object of(Object value) {
            try {
                return accessor.invoke(value);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("reading " + accessor, e);
            }
        }
    }

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
            for (Component component : COMPONENTS.get(value.getClass())) {
                component(place + "." + component.name, component, component.of(value));
            }
        }
    }

    private static void component(String place, Component component, @Nullable Object value) {
        if (value != null) {
            check(place, value);
        } else if (component.required) {
            throw new IllegalArgumentException(place.substring(1) + " is missing");
        }
        if (component.counts) {
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
}
