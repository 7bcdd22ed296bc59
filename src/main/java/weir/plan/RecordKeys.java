package weir.plan;

import static java.util.Map.entry;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The keys in experiment files for the components of plan records, and the creation of those records. */
public final class RecordKeys {
    /** The keys with another name than their component, by record and component, or by component in all records. */
    private static final Map<String, String> OTHERS = Map.ofEntries(
            entry("Consumers.count", "consumers"),
            entry("Consumers.engine", "engine.receive"),
            entry("Consumers.properties", "consumer"),
            entry("Disk.ioPerSecond", "io"),
            entry("ClusterSpec.dedicatedControllers", "controllers"),
            entry("Experiment.accepted", "accept"),
            entry("Experiment.comparisons", "compare"),
            entry("Experiment.expectations", "expect"),
            entry("Experiment.searches", "search"),
            entry("FieldHint.length", "length"),
            entry("Hosts.names", "hosts"),
            entry("Limits.ioPerSecond", "io"),
            entry("LoadSpec.consumers", ""),
            entry("LoadSpec.messages", ""),
            entry("LoadSpec.producers", ""),
            entry("LoadSpec.stream", ""),
            entry("Network.bytesPerSecond", "rate"),
            entry("Producers.count", "producers"),
            entry("Producers.engine", "engine.send"),
            entry("Producers.properties", "producer"),
            entry("Steps.stopWhenBroken", "stop"),
            entry("Upgrade.finalized", "finalize"),
            entry("carried", "for"),
            entry("length", "for"));

    private static final ClassValue<Shape> SHAPES = new ClassValue<>() {
        @Override
        protected Shape computeValue(Class<?> type) {
            return Shape.of(type);
        }
    };

    private RecordKeys() {}

    private record Shape(Constructor<?> constructor, List<Component> components) {
        static Shape of(Class<?> type) {
            List<Component> components =
                    Stream.of(type.getRecordComponents()).map(Component::of).toList();
            Class<?>[] types = components.stream().map(Component::raw).toArray(Class<?>[]::new);
            try {
                return new Shape(type.getDeclaredConstructor(types), components);
            } catch (NoSuchMethodException e) {
                throw new IllegalArgumentException(type + " is not a record", e);
            }
        }
    }

    /** A component of a record and its key; an empty key means the record's own section. */
    public record Component(String name, String key, Type type, Class<?> raw, Method accessor) {
        private static Component of(RecordComponent component) {
            String name = component.getName();
            String type = component.getDeclaringRecord().getSimpleName();
            String key = OTHERS.getOrDefault(type + "." + name, OTHERS.getOrDefault(name, name));
            return new Component(name, key, component.getGenericType(), component.getType(), component.getAccessor());
        }

        private boolean has(String path) {
            return key.isEmpty()
                    ? SHAPES.get(raw).components().stream().anyMatch(inner -> inner.has(path))
                    : path.equals(key) || path.startsWith(key + ".");
        }

        private Object of(Object holder) {
            try {
                return accessor.invoke(holder);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("reading " + accessor, e);
            }
        }
    }

    public static List<Component> of(Class<?> record) {
        return SHAPES.get(record).components();
    }

    public static <R> R make(Class<R> record, Object[] values) {
        Constructor<?> constructor = SHAPES.get(record).constructor();
        try {
            return record.cast(constructor.newInstance(values));
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof RuntimeException wrong ? wrong : new IllegalStateException(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("making a " + constructor.getName(), e);
        }
    }

    /**
     * A copy of the record with new values at these paths, such as {@code load.producer.linger.ms}.
     *
     * @throws IllegalArgumentException if a record on a path has no such key
     */
    @SuppressWarnings("unchecked") // a copy has the class of its record
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
        List<Component> components = of(holder.getClass());
        List<Component> there =
                components.stream().filter(component -> component.has(path)).toList();
        if (there.isEmpty()) {
            throw new IllegalArgumentException(
                    "there is no '" + path + "' in a " + holder.getClass().getSimpleName());
        }
        Object[] values = components.stream()
                .map(component -> {
                    Object old = component.of(holder);
                    return there.contains(component) ? with(old, rest(path, component.key()), value) : old;
                })
                .toArray();
        return make(holder.getClass(), values);
    }

    private static String rest(String path, String key) {
        return key.isEmpty() ? path : path.equals(key) ? "" : path.substring(key.length() + 1);
    }

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
}
