package weir.results;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import java.util.regex.Pattern;

/** The detection of files that Weir cannot write: missing rights or a full disk. Only the user can fix this. */
public final class UnwritableDisk {
    public static final String NO_ROOM = "No space left on device";

    private static final Pattern FULL =
            Pattern.compile(NO_ROOM + "|Disk quota exceeded|Read-only file system|File too large");

    private UnwritableDisk() {}

    public static Optional<String> reason(Throwable fault) {
        for (Throwable cause = fault; cause != null; cause = cause.getCause()) {
            Optional<String> reason = cause instanceof IOException io ? ofOne(io) : Optional.empty();
            if (reason.isPresent()) {
                return reason;
            }
        }
        return Optional.empty();
    }

    /** True for a message or log lines about a full or write-protected disk. */
    public static boolean reportedIn(String text) {
        return FULL.matcher(text).find();
    }

    private static Optional<String> ofOne(IOException e) {
        if (e instanceof AccessDeniedException denied) {
            return Optional.of("'" + denied.getFile() + "' cannot be written by this user");
        }
        if (e instanceof FileAlreadyExistsException file) {
            return Optional.of("'" + file.getFile() + "' is a file, not a folder");
        }
        if (e instanceof NoSuchFileException) {
            return Optional.empty();
        }
        if (e instanceof FileSystemException file && file.getReason() != null) {
            return Optional.of("'" + file.getFile() + "': " + file.getReason());
        }
        return Optional.ofNullable(e.getMessage()).filter(UnwritableDisk::reportedIn);
    }
}
