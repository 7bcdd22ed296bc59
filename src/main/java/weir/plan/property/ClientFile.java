package weir.plan.property;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;

/** The reader of files of client properties, which people also use for other programs and for Kafka's own tools. */
public final class ClientFile {
    private static final long LARGEST = 1 << 20;

    private ClientFile() {}

    /**
     * The properties of a file by name. A value that is not shown is a reference to the file.
     *
     * @throws IllegalArgumentException saying why it is not a file of properties
     */
    public static SortedMap<String, String> read(Path file) {
        java.util.Properties properties = new java.util.Properties();
        try {
            if (!Files.isRegularFile(file) || Files.size(file) > LARGEST) {
                throw new IOException("it is not there, is not a file, or has more than 1 MiB");
            }
            properties.load(new StringReader(Files.readString(file, StandardCharsets.UTF_8)));
        } catch (IOException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "'" + file + "' cannot be read as a file of properties (" + e.getMessage() + ")", e);
        }
        SortedMap<String, String> read = new TreeMap<>();
        properties.stringPropertyNames().forEach(name -> {
            String value = properties.getProperty(name);
            read.put(name, Redact.hides(name, value) ? SecretReferences.toEntry(file, name) : value);
        });
        return read;
    }
}
