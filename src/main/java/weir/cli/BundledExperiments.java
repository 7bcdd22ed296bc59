package weir.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

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
        try (InputStream in = BundledExperiments.class.getResourceAsStream(FOLDER + "/" + name + ".yaml")) {
            if (in == null) {
                throw new IllegalArgumentException("no example is named '" + name + "'");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("reading example " + name, e);
        }
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
