package weir.io;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Input and output whose failures are unchecked exceptions that name the action. */
public final class Io {
    /** The permissions of a new file that only its owner may read and write. */
    public static final FileAttribute<Set<PosixFilePermission>> OWN_FILE = owner("rw-------");

    /** The permissions of a new folder that only its owner may use. */
    public static final FileAttribute<Set<PosixFilePermission>> OWN_FOLDER = owner("rwx------");

    private Io() {}

    private static FileAttribute<Set<PosixFilePermission>> owner(String permissions) {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions));
    }

    public interface Reading<T> {
        T read() throws IOException;
    }

    public interface Writing {
        void write() throws IOException;
    }

    /**
     * Reads.
     *
     * @param what the action, as in "reading x"
     * @throws UncheckedIOException with the action as its message
     */
    public static <T> T attempt(String what, Reading<T> reading) {
        try {
            return reading.read();
        } catch (IOException e) {
            throw new UncheckedIOException(what, e);
        }
    }

    /** Writes; throws {@link UncheckedIOException} with the action as its message. */
    public static void attempt(String what, Writing writing) {
        var unused = attempt(what, () -> {
            writing.write();
            return what;
        });
    }

    /** Reads a text of Weir's own jar, such as {@code /weir/plan/keys.yaml}. */
    public static String resource(String path) {
        return attempt("reading " + path, () -> {
            try (InputStream in = Io.class.getResourceAsStream(path)) {
                if (in == null) {
                    throw new IllegalStateException("the jar lacks " + path);
                }
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
        });
    }
}
