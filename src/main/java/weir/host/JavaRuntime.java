package weir.host;

import java.nio.file.Files;
import java.nio.file.Path;

/** A Java runtime on this machine, by its home folder. */
public record JavaRuntime(Path home) {
    public JavaRuntime {
        home = home.toAbsolutePath();
    }

    /** The one that runs this process. */
    public static JavaRuntime own() {
        return new JavaRuntime(Path.of(System.getProperty("java.home")));
    }

    /** The launcher {@code java}. */
    public Path launcher() {
        return home.resolve("bin/java");
    }

    /** The image of the modules; it changes with each build of the runtime. */
    public Path modules() {
        return home.resolve("lib/modules");
    }

    /**
     * True when this runtime can write an archive of the classes that a program has loaded. It writes one on top of its
     * own, which {@code jlink} and some container images leave out; asked for all the same, the JVM does not start.
     */
    public boolean archivesClasses() {
        return Files.isRegularFile(home.resolve("lib/server/classes.jsa"));
    }
}
