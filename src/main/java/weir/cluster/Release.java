package weir.cluster;

import java.nio.file.Path;
import java.util.List;

/** One released Kafka as a class path of jars. */
@SuppressWarnings("DoNotCallSuggester")
public record Release(String version, List<Path> classpath) {
    public Release {
        classpath = List.copyOf(classpath);
    }

    /** The broker, from the cache or through the user's own Maven settings. */
    public static Release fetch(String version, Progress progress) {
        throw new UnsupportedOperationException();
    }

    /** The same with the official performance tools. */
    public static Release fetchWithTools(String version, Progress progress) {
        throw new UnsupportedOperationException();
    }
}
