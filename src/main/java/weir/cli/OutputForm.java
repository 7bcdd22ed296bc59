package weir.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.TypeConversionException;

/** A further form in which a result is told: a file, or for {@link Kind#GITHUB} lines among those of the program. */
public record OutputForm(Kind kind, Path file) {
    /** The kind of file that is written. */
    public enum Kind {
        JUNIT,
        HTML,
        GITHUB,
        QUANTILES,
        KNATIVE;

        /** True when it is a folder of files. */
        boolean folder() {
            return this == QUANTILES || this == KNATIVE;
        }
    }

    /** Reads {@code junit=FILE}, {@code html=FILE}, {@code quantiles=DIR}, {@code knative=DIR} and {@code github}. */
    static OutputForm of(String text) {
        int at = text.indexOf('=');
        String name = at < 0 ? text : text.substring(0, at);
        for (Kind kind : Kind.values()) {
            if (kind.name().toLowerCase(Locale.ROOT).equals(name)) {
                return new OutputForm(kind, file(kind, at < 0 ? "" : text.substring(at + 1)));
            }
        }
        throw new TypeConversionException(
                "'" + text + "' is no output; there are junit=FILE, html=FILE, quantiles=DIR, knative=DIR and github");
    }

    private static Path file(Kind kind, String text) {
        String name = kind.name().toLowerCase(Locale.ROOT);
        if (kind == Kind.GITHUB) {
            if (!text.isEmpty()) {
                throw new TypeConversionException("github goes to the log of the job and takes no file");
            }
            return Path.of("");
        }
        if (text.isEmpty()) {
            throw new TypeConversionException("'" + name + "' needs a "
                    + (kind.folder() ? "folder: " + name + "=DIR" : "file: " + name + "=FILE"));
        }
        try {
            Path file = Path.of(text);
            Path folder = file.toAbsolutePath().getParent();
            // Found out now, not after an hour of measuring.
            if (kind.folder()) {
                if (Files.exists(file) && !Files.isDirectory(file)) {
                    throw new TypeConversionException("'" + text + "' is a file; " + name + " makes files in a folder");
                }
                Path there = file.toAbsolutePath();
                while (there.getParent() != null && !Files.exists(there)) {
                    there = there.getParent();
                }
                writable(text, there);
                return file;
            }
            if (folder == null || !Files.isDirectory(folder) || Files.isDirectory(file)) {
                throw new TypeConversionException("'" + text + "' cannot be written: there is no folder "
                        + (folder == null ? "" : folder) + ", or this is one");
            }
            if (!Files.exists(file)) {
                writable(text, folder);
            } else if (!Files.isWritable(file)) {
                throw new TypeConversionException("'" + text + "' cannot be written: it is read-only");
            }
            return file;
        } catch (InvalidPathException e) {
            throw new TypeConversionException("'" + text + "' is no name of a file: " + e.getReason());
        }
    }

    /** A superuser may write to any folder, and still some take no file. */
    private static void writable(String text, Path folder) {
        try {
            Files.delete(Files.createTempFile(folder, ".weir", ""));
        } catch (IOException e) {
            throw new TypeConversionException("'" + text + "' cannot be written: " + folder + " takes no files");
        }
    }

    /** The content to write; each form is made when it is asked for. */
    public interface Told {
        String junit();

        String html();

        List<String> github();

        /** Writes files into a folder, and says what is in them; only a run has them, so others refuse it before. */
        default List<String> quantiles(Path folder) {
            throw new AssertionError("refused before");
        }

        /** Writes files into a folder, of a run as {@link #quantiles}. */
        default void knative(Path folder) {
            throw new AssertionError("refused before");
        }
    }

    /** Writes the file, or prints the lines. */
    void write(Told told, PrintWriter log) {
        switch (kind) {
            case JUNIT -> put(told.junit());
            case HTML -> put(told.html());
            case QUANTILES -> told.quantiles(file).forEach(log::println);
            case KNATIVE -> told.knative(file);
            case GITHUB -> told.github().forEach(log::println);
        }
    }

    private void put(String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException("writing " + file, e);
        }
    }
}
