package weir.cli.terminal;

import java.io.PrintWriter;
import java.util.List;

/** An output of permanent lines and, on a terminal, of a few changing lines below. */
public interface LineOutput extends AutoCloseable {
    void keep(Tone tone, String text);

    void show(List<String> changing);

    boolean live();

    @Override
    void close();

    enum Tone {
        PLAIN,
        QUIET,
        GOOD,
        DOUBT,
        BAD
    }

    static LineOutput on(PrintWriter err) {
        return LiveDisplay.columns() > 0
                ? new LiveDisplay(err, LiveDisplay::columns, LiveDisplay.coloured(System.getenv()))
                : new Plain(err);
    }

    /** Removes control characters, so that text of other programs cannot control the terminal. */
    static String harmless(String text) {
        return text.replaceAll("[\\p{Cntrl}&&[^\n\t]]", "\u00b7");
    }

    record Plain(PrintWriter err) implements LineOutput {
        @Override
        public void keep(Tone tone, String text) {
            err.println(harmless(text));
        }

        @Override
        public void show(List<String> changing) {}

        @Override
        public boolean live() {
            return false;
        }

        @Override
        public void close() {
            err.flush();
        }
    }
}
