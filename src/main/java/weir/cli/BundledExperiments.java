package weir.cli;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import weir.io.Io;

/** The experiments that come with this build, each with comments that explain it step by step. */
public final class BundledExperiments {
    private static final String FOLDER = "experiments";

    private BundledExperiments() {}

    static List<String> names() {
        URL url = BundledExperiments.class.getResource(FOLDER);
        if (url == null) {
            throw new IllegalStateException("this build of Weir contains no example experiments");
        }
        try {
            URI folder = url.toURI();
            if (!"jar".equals(folder.getScheme())) {
                return in(Path.of(folder));
            }
            try (FileSystem jar = FileSystems.newFileSystem(folder, Map.of())) {
                return in(jar.provider().getPath(folder));
            }
        } catch (IOException | URISyntaxException e) {
            throw new IllegalStateException("listing " + url, e);
        }
    }

    public static String text(String name) {
        return Io.resource("/weir/cli/" + FOLDER + "/" + name + ".yaml");
    }

    static String question(String text) {
        return text.lines()
                .filter(line -> line.startsWith("question:"))
                .map(line -> line.substring("question:".length()).strip())
                .findFirst()
                .orElse("");
    }

    private static List<String> in(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(file -> file.endsWith(".yaml"))
                    .map(file -> file.substring(0, file.length() - ".yaml".length()))
                    .sorted()
                    .toList();
        }
    }
}
