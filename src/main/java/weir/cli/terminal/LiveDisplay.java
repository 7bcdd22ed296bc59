package weir.cli.terminal;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import org.jline.nativ.CLibrary;
import org.jline.nativ.JLineNativeLoader;
import weir.host.OwnedFolders;
import weir.io.Io;

/** A terminal display that draws the changing lines below the permanent lines. */
public final class LiveDisplay implements LineOutput {
    private static final int STANDARD_INPUT = 0;
    private static final int STANDARD_ERROR = 2;
    private static final int USUAL_COLUMNS = 80;
    private static final String ESCAPE = "\u001b[";

    private final PrintWriter err;
    private final IntSupplier columns;
    private final boolean coloured;
    private List<String> changing = List.of();
    private int drawn;

    /** Creates a display, which reads {@code columns} at each update, because users resize windows. */
    LiveDisplay(PrintWriter err, IntSupplier columns, boolean coloured) {
        this.err = err;
        this.columns = columns;
        this.coloured = coloured;
    }

    /** Returns the width of the terminal on standard error; 0 without a terminal, or without cursor movement. */
    public static int columns() {
        String type = System.getenv().getOrDefault("TERM", "");
        if (type.isEmpty() || type.equals("dumb")) {
            return 0;
        }
        if (!terminal(STANDARD_ERROR)) {
            return 0;
        }
        int width = CLibrary.getTerminalWidth(STANDARD_ERROR);
        return width > 0 ? width : USUAL_COLUMNS;
    }

    /** Waits for a line from the user; returns an empty text if standard input is not a terminal. */
    public static String typed() {
        if (!terminal(STANDARD_INPUT)) {
            return "";
        }
        return Io.attempt("reading the answer", () -> {
            String line = new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset())).readLine();
            return line == null ? "" : line;
        });
    }

    private static boolean terminal(int descriptor) {
        try {
            return device(descriptor) && NativeCode.LOADED && CLibrary.isatty(descriptor) != 0;
        } catch (LinkageError noNativeCode) {
            // Without the native library, Weir prints plain lines.
            return false;
        }
    }

    private static boolean device(int descriptor) {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor))
                    .startsWith("/dev");
        } catch (IOException untold) {
            return true;
        }
    }

    private static final class NativeCode {
        static final boolean LOADED = load();

        // The library is a mapped temporary file. Weir deletes the file at once, so that a killed process leaves no
        // file.
        private static boolean load() {
            try {
                Path folder = Files.createTempDirectory("weir-terminal-");
                try {
                    System.setProperty("jline.tmpdir", folder.toString());
                    return JLineNativeLoader.initialize();
                } finally {
                    OwnedFolders.delete(folder);
                }
            } catch (Exception nowhereToUnpack) {
                return false;
            }
        }
    }

    /** Follows no-color.org: a variable {@code NO_COLOR} that is not empty turns colours off. */
    static boolean coloured(Map<String, String> environment) {
        return environment.getOrDefault("NO_COLOR", "").isEmpty();
    }

    @Override
    public synchronized void keep(Tone tone, String text) {
        erase();
        String harmless = LineOutput.harmless(text);
        err.print(coloured && tone != Tone.PLAIN ? ESCAPE + code(tone) + "m" + harmless + ESCAPE + "0m" : harmless);
        err.print("\n");
        draw();
    }

    @Override
    public synchronized void show(List<String> lines) {
        changing = List.copyOf(lines);
        erase();
        draw();
    }

    @Override
    public boolean live() {
        return true;
    }

    @Override
    public void close() {
        show(List.of());
    }

    private void erase() {
        if (drawn > 0) {
            err.print(ESCAPE + drawn + "A" + ESCAPE + "J");
        }
    }

    // If a line wrapped, the next update would not erase its first part.
    private void draw() {
        int width = Math.max(1, columns.getAsInt() - 1);
        for (String line : changing) {
            String harmless = LineOutput.harmless(line);
            err.print(harmless.length() > width ? harmless.substring(0, width - 1) + "…" : harmless);
            err.print("\n");
        }
        drawn = changing.size();
        err.flush();
    }

    private static int code(Tone tone) {
        return switch (tone) {
            case PLAIN -> 0;
            case QUIET -> 2;
            case GOOD -> 32;
            case DOUBT -> 33;
            case BAD -> 31;
        };
    }
}
