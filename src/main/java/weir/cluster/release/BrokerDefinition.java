package weir.cluster.release;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The definition of broker properties in a release, read from the release's own classes. */
public final class BrokerDefinition {
    private static final String CONFIG = "kafka.server.KafkaConfig$";

    private BrokerDefinition() {}

    public static SortedMap<String, String> defaults(Release release) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader classes = new URLClassLoader(
                release.classpath().stream().map(BrokerDefinition::url).toArray(URL[]::new),
                ClassLoader.getPlatformClassLoader())) {
            // Kafka loads default classes from the context class loader.
            thread.setContextClassLoader(classes);
            return defaults(classes);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("reading the broker properties of Kafka " + release.version(), e);
        } catch (IOException e) {
            throw new UncheckedIOException("closing the jars of Kafka " + release.version(), e);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static SortedMap<String, String> defaults(ClassLoader classes) throws ReflectiveOperationException {
        Class<?> config = Class.forName(CONFIG, true, classes);
        Class<?> known = Class.forName("org.apache.kafka.common.config.ConfigDef", true, classes);
        Object definition =
                definition(config, known).get(config.getField("MODULE$").get(null));
        Class<?> type = Class.forName(known.getName() + "$Type", true, classes);
        Object none = known.getField("NO_DEFAULT_VALUE").get(null);
        SortedMap<String, String> defaults = new TreeMap<>();
        Map<?, ?> keys = (Map<?, ?>) known.getMethod("configKeys").invoke(definition);
        for (Map.Entry<?, ?> key : keys.entrySet()) {
            Object property = key.getValue();
            @Nullable Object value = field(property.getClass(), "defaultValue").get(property);
            Object text = known.getMethod("convertToString", Object.class, type)
                    .invoke(
                            null,
                            none.equals(value) ? null : value,
                            field(property.getClass(), "type").get(property));
            defaults.put(String.valueOf(key.getKey()), text == null ? "" : text.toString());
        }
        return defaults;
    }

    /** Finds Scala's private field, whose name differs between releases. */
    private static Field definition(Class<?> config, Class<?> known) throws NoSuchFieldException {
        for (Field field : config.getDeclaredFields()) {
            if (field.getType() == known) {
                field.setAccessible(true);
                return field;
            }
        }
        throw new NoSuchFieldException("a field of " + config + " that is a " + known);
    }

    private static Field field(Class<?> owner, String name) throws NoSuchFieldException {
        Field field = owner.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }

    private static URL url(Path jar) {
        try {
            return jar.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException("'" + jar + "' cannot be opened as a jar", e);
        }
    }
}
