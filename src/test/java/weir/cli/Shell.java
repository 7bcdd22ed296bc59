package weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.assertj.core.api.AbstractStringAssert;

/** One command line that runs in this JVM, with its output. */
public record Shell(int exit, String out, String err) {
    public static Shell weir(String... arguments) {
        return weir(new StringWriter(), new StringWriter(), arguments);
    }

    /** Asserts that the command was refused with exit code 2 and one line that contains this text. */
    public AbstractStringAssert<?> refused(String text) {
        assertThat(exit).as(err).isEqualTo(2);
        assertThat(out).isEmpty();
        return assertThat(err).hasLineCount(1).contains(text);
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
