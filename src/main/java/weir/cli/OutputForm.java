package weir.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import picocli.CommandLine.TypeConversionException;
import weir.host.FreeDiskSpace;
import weir.io.Io;
import weir.report.HtmlReport;
import weir.report.export.CheckExport;
import weir.report.export.KnativeFiles;
import weir.report.export.QuantileFiles;
import weir.results.RunFolder;
import weir.results.RunResult;

/** An additional output of a result: a file, a folder or, for {@link Kind#GITHUB}, printed lines. */
public record OutputForm(Kind kind, Path file) {
    public enum Kind {
        JUNIT,
        HTML,
        GITHUB,
        QUANTILES,
        KNATIVE;

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
                "'" + text + "' is not an output; write junit=FILE, html=FILE, quantiles=DIR, knative=DIR or github");
    }

    private static Path file(Kind kind, String text) {
        String name = kind.name().toLowerCase(Locale.ROOT);
        if (kind == Kind.GITHUB) {
            if (!text.isEmpty()) {
                throw new TypeConversionException("github prints to standard output and takes no file");
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
            // Weir checks the path before it measures.
            if (kind.folder()) {
                if (Files.exists(file) && !Files.isDirectory(file)) {
                    throw new TypeConversionException("'" + text + "' is a file; " + name + " needs a folder");
                }
                writable(text, FreeDiskSpace.existing(file));
                return file;
            }
            if (folder == null || !Files.isDirectory(folder) || Files.isDirectory(file)) {
                throw new TypeConversionException("'" + text + "' cannot be written: the folder "
                        + (folder == null ? "" : folder) + " does not exist, or this is a folder");
            }
            if (!Files.exists(file)) {
                writable(text, folder);
            } else if (!Files.isWritable(file)) {
                throw new TypeConversionException("'" + text + "' cannot be written: it is read-only");
            }
            return file;
        } catch (InvalidPathException e) {
            throw new TypeConversionException("'" + text + "' is not a file name: " + e.getReason());
        }
    }

    /** Creates a file as a test, because root passes each permission check, even for folders such as /proc. */
    private static void writable(String text, Path folder) {
        try {
            Files.delete(Files.createTempFile(folder, ".weir", ""));
        } catch (IOException e) {
            throw new TypeConversionException("'" + text + "' cannot be written: " + folder + " is read-only");
        }
    }

    /**
     * The content of all outputs. Each supplier runs only if the user requests its output.
     *
     * @param quantiles writes files into a folder, and returns a description of them
     * @param knative writes files into a folder
     */
    public record OutputContent(
            Supplier<CheckExport> checks,
            Supplier<String> html,
            Function<Path, List<String>> quantiles,
            Consumer<Path> knative) {
        public OutputContent(Supplier<CheckExport> checks, Supplier<String> html) {
            this(checks, html, folder -> List.of(), folder -> {});
        }

        static OutputContent of(RunFolder run, Supplier<RunResult> result, Path report) {
            return new OutputContent(
                    () -> CheckExport.of(result.get()),
                    () -> Io.attempt(
                            "reading " + report,
                            () -> Files.exists(report) ? Files.readString(report) : HtmlReport.of(run)),
                    folder -> QuantileFiles.write(run, folder),
                    folder -> KnativeFiles.write(run, folder));
        }
    }

    void write(OutputContent content, PrintWriter log) {
        switch (kind) {
            case JUNIT -> put(content.checks().get().junit());
            case HTML -> put(content.html().get());
            case QUANTILES -> content.quantiles().apply(file).forEach(log::println);
            case KNATIVE -> content.knative().accept(file);
            case GITHUB -> content.checks().get().github().forEach(log::println);
        }
    }

    private void put(String text) {
        Io.attempt("writing " + file, () -> Files.writeString(file, text));
    }
}
