package weir.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The comparison of a text with its reviewed file; {@code -Dgolden=renew} writes the file again. */
public final class Golden {
    private Golden() {}

    public static void assertSame(String file, String text) {
        Path path = Path.of(file);
        try {
            if (System.getProperty("golden", "").equals("renew")) {
                Files.createDirectories(path.toAbsolutePath().getParent());
                Files.writeString(path, text);
            }
            assertThat(text).as("%s; make golden renews it", file).isEqualTo(Files.readString(path));
        } catch (IOException e) {
            throw new UncheckedIOException("comparing with " + file, e);
        }
    }
}
