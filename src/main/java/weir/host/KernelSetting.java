package weir.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A line for a file of the kernel that keeps settings. */
public record KernelSetting(Path file, String value) {
    private static final String NO_DEVICE = "No such device";

    /** Tells whether the file, and the device that the line is about, were there. */
    boolean write() {
        try {
            Files.writeString(file, value);
            return true;
        } catch (NoSuchFileException gone) {
            return false;
        } catch (IOException e) {
            if (String.valueOf(e.getMessage()).contains(NO_DEVICE)) {
                return false;
            }
            throw new UncheckedIOException("writing '" + value + "' to " + file, e);
        }
    }
}
