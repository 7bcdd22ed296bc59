package weir.plan;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The keys of the experiment file that hold the components of plan records, and records made component by component. */
public final class RecordKeys {
    /** The keys that are not the name of their component; an empty one is the section of the record itself. */
    private static final Map<String, String> OTHERS = Map.ofEntries(
            Map.entry("LoadSpec.stream", ""),
            Map.entry("LoadSpec.producers", ""),
            Map.entry("LoadSpec.consumers", ""),
            Map.entry("LoadSpec.messages", ""),
            Map.entry("Producers.count", "producers"),
            Map.entry("Producers.engine", "engine.send"),
            Map.entry("Producers.properties", "producer"),
            Map.entry("Consumers.count", "consumers"),
            Map.entry("Consumers.engine", "engine.receive"),
            Map.entry("Consumers.properties", "consumer"));

    private static final ClassValue<Shape> SHAPES = new ClassValue<>() {
        @Override
        protected Shape computeValue(Class<?> type) {
            return Shape.of(type);
        }
    };

    private RecordKeys() {}

    /** The constructor and the components of a record. */
    private record Shape(Constructor<?> constructor, List<Component> components) {
        static Shape of(Class<?> type) {
            List<Component> components =
                    Stream.of(type.getRecordComponents()).map(Component::of).toList();
            Class<?>[] types = Stream.of(type.getRecordComponents())
                    .map(RecordComponent::getType)
                    .toArray(Class<?>[]::new);
            try {
                return new Shape(type.getDeclaredConstructor(types), components);
            } catch (NoSuchMethodException e) {
                throw new IllegalArgumentException(type + " is no record", e);
            }
        }
    }

    /** A component of a record and the key that holds it. */
    private record Component(String key, Class<?> type, Method accessor) {
        static Component of(RecordComponent component) {
            String name = component.getName();
            String type = component.getDeclaringRecord().getSimpleName();
            return new Component(
                    OTHERS.getOrDefault(type + "." + name, name), component.getType(), component.getAccessor());
        }

        /** True when a path leads to it, or to a component of the record that is in the same section. */
        boolean has(String path) {
            return key.isEmpty()
                    ? SHAPES.get(type).components().stream().anyMatch(inner -> inner.has(path))
                    : path.equals(key) || path.startsWith(key + ".");
        }

        Object of(Object holder) {
            try {
                return accessor.invoke(holder);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("reading " + accessor, e);
            }
        }
    }

    /**
     * The same with another value at each path of keys, such as {@code load.producer.linger.ms}.
     *
     * @throws IllegalArgumentException if a record on a path has no such key
     */
    @SuppressWarnings("unchecked") // a record is replaced by one of its own class
    public static <T> T with(T record, Map<String, ?> values) {
        Object changed = record;
        for (Entry<String, ?> value : values.entrySet()) {
            changed = with(changed, value.getKey(), value.getValue());
        }
        return (T) changed;
    }

    private static Object with(Object holder, String path, Object value) {
        if (path.isEmpty()) {
            return value;
        }
        if (holder instanceof SortedMap<?, ?> map) {
            return with(map, path, value);
        }
        Shape shape = SHAPES.get(holder.getClass());
        List<Component> there = shape.components().stream()
                .filter(component -> component.has(path))
                .toList();
        if (there.isEmpty()) {
            throw new IllegalArgumentException(
                    "there is no '" + path + "' in a " + holder.getClass().getSimpleName());
        }
        Object[] values = shape.components().stream()
                .map(component -> {
                    Object old = component.of(holder);
                    return there.contains(component) ? with(old, rest(path, component.key()), value) : old;
                })
                .toArray();
        return make(shape.constructor(), values);
    }

    private static String rest(String path, String key) {
        return key.isEmpty() ? path : path.equals(key) ? "" : path.substring(key.length() + 1);
    }

    /** A name may have dots in it, as those of properties and topics do. */
    private static SortedMap<String, Object> with(SortedMap<?, ?> map, String path, Object value) {
        SortedMap<String, Object> changed = new TreeMap<>();
        map.forEach((name, old) -> changed.put(String.valueOf(name), old));
        String name = changed.keySet().stream()
                .filter(each -> path.startsWith(each + ".") && changed.get(each) instanceof Record)
                .findFirst()
                .orElse(path);
        changed.put(name, with(changed.getOrDefault(name, value), rest(path, name), value));
        return changed;
    }

    private static Object make(Constructor<?> constructor, Object[] values) {
        try {
            return constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof RuntimeException wrong ? wrong : new IllegalStateException(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("making a " + constructor.getName(), e);
        }
    }
}
