package weir.host;

import java.nio.file.Files;
import java.nio.file.Path;

public record JavaRuntime(Path home) {
    public JavaRuntime {
        home = home.toAbsolutePath();
    }

    public static JavaRuntime own() {
        return new JavaRuntime(Path.of(System.getProperty("java.home")));
    }

    public Path launcher() {
        return home.resolve("bin/java");
    }

    /** The file with the runtime's modules; its content differs between builds of the runtime. */
    public Path modules() {
        return home.resolve("lib/modules");
    }

    /**
     * True if this runtime can write an archive of loaded classes. Without the runtime's own archive, which {@code
     * jlink} omits, a JVM with the option does not start.
     */
    public boolean archivesClasses() {
        return Files.isRegularFile(home.resolve("lib/server/classes.jsa"));
    }
}
