package weir.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A line to write to a kernel file of settings. */
public record KernelSetting(Path file, String value) {
    private static final String NO_DEVICE = "No such device";

    /** Writes the line. False if the file, or the device in the line, is missing. */
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
