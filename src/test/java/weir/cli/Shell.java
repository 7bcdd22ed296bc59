package weir.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

/** One command line, carried out in this JVM with its output kept. */
public record Shell(int exit, String out, String err) {
    public static Shell weir(String... arguments) {
        return weir(new StringWriter(), new StringWriter(), arguments);
    }

    /** The same, with its output there as it comes. */
    public static Shell weir(StringWriter out, StringWriter err, String... arguments) {
        int exit = Main.commandLine(arguments)
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
        return new Shell(exit, out.toString(), err.toString());
    }
}
