package weir.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version of this build, and of the Java it runs on. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() throws IOException {
        return new String[] {"weir " + number() + " (Java " + Runtime.version() + ")"};
    }

    static String number() throws IOException {
        Properties written = new Properties();
        try (InputStream in = Version.class.getResourceAsStream("version.properties")) {
            if (in == null) {
                throw new IOException("weir/cli/version.properties is missing from the class path");
            }
            written.load(in);
        }
        return written.getProperty("version", "unknown");
    }
}
