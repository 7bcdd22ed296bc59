package weir.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version of this build, and the version of the Java runtime. */
public final class WeirVersion implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {"weir " + number() + " (Java " + Runtime.version() + ")"};
    }

    public static String number() {
        Properties written = new Properties();
        try (InputStream in = WeirVersion.class.getResourceAsStream("version.properties")) {
            if (in == null) {
                throw new IllegalStateException("weir/cli/version.properties is missing from the class path");
            }
            written.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException("reading our own version", e);
        }
        return written.getProperty("version", "unknown");
    }
}
