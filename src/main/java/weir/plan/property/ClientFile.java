package weir.plan.property;

import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;

/** A reader of client property files, which other programs and Kafka's own tools may share. */
public final class ClientFile {
    private static final long LARGEST = 1 << 20;
    private static final String MARK = "\uFEFF";

    private ClientFile() {}

    /**
     * The properties of a file by name. A secret value is a reference to the file.
     *
     * @throws IllegalArgumentException with the reason if it is not a file of properties
     */
    public static SortedMap<String, String> read(Path file) {
        java.util.Properties properties;
        try {
            if (!Files.isRegularFile(file) || Files.size(file) > LARGEST) {
                throw new IOException("this file is missing, not a regular file, or larger than 1 MiB");
            }
            properties = load(file);
        } catch (IOException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "'" + file + "' cannot be read as a properties file (" + e.getMessage() + ")", e);
        }
        SortedMap<String, String> read = new TreeMap<>();
        properties.stringPropertyNames().forEach(name -> {
            String value = properties.getProperty(name);
            read.put(name, Redact.hides(name, value) ? SecretReferences.toEntry(file, name) : value);
        });
        return read;
    }

    static java.util.Properties load(Path file) throws IOException {
        java.util.Properties properties = new java.util.Properties();
        properties.load(new StringReader(text(file)));
        return properties;
    }

    /** The text of a file without a byte order mark, in UTF-8 or, as in Kafka's own tools, in Latin-1. */
    static String text(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return text.startsWith(MARK) ? text.substring(1) : text;
        } catch (CharacterCodingException other) {
            return new String(bytes, StandardCharsets.ISO_8859_1);
        }
    }
}
