package weir.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

/** One command line, carried out in this JVM with its output kept. */
public record Shell(int exit, String out, String err) {
    public static Shell weir(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exit = Main.commandLine(arguments)
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
        return new Shell(exit, out.toString(), err.toString());
    }
}
