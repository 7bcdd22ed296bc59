package weir.cli;

import java.io.StringReader;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;
import weir.io.Io;

/** The version of this build, and the version of the Java runtime. */
public final class WeirVersion implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {"weir " + number() + " (Java " + Runtime.version() + ")"};
    }

    public static String number() {
        return Io.attempt("reading our own version", () -> {
            Properties written = new Properties();
            written.load(new StringReader(Io.resource("/weir/cli/version.properties")));
            return written.getProperty("version", "unknown");
        });
    }
}
