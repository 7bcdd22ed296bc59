package weir.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

/** One command line that runs in this JVM, with its output. */
public record Shell(int exit, String out, String err) {
    public static Shell weir(String... arguments) {
        return weir(new StringWriter(), new StringWriter(), arguments);
    }

    /** Runs a command line that writes its output at once. */
    public static Shell weir(StringWriter out, StringWriter err, String... arguments) {
        int exit = Main.commandLine(arguments)
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
        return new Shell(exit, out.toString(), err.toString());
    }
}
