package weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The resource files that classes read from Weir's jar. Without a folder, a file is in the package of the class. */
class ResourcesTest {
    private static final Path SOURCES = Path.of("src/main/java");
    private static final Pattern READS = Pattern.compile("\\.class\\.getResource|Io\\.resource\\(");
    private static final Pattern NAME = Pattern.compile("\"([\\w./-]+\\.(properties|yaml|txt|css|js|LICENSE))\"");
    private static final Pattern FOLDER = Pattern.compile("\"(/[\\w/]+/)\"");

    @Test
    void everyResourceThatAClassReadsExists() throws Exception {
        List<String> missing = new ArrayList<>();
        int found = 0;
        for (Path source : sources()) {
            String text = Files.readString(source);
            if (!READS.matcher(text).find()) {
                continue;
            }
            String folder = FOLDER.matcher(text)
                    .results()
                    .map(match -> match.group(1))
                    .findFirst()
                    .orElse("");
            Class<?> type = Class.forName(
                    SOURCES.relativize(source).toString().replace(".java", "").replace('/', '.'));
            for (MatchResult name : NAME.matcher(text).results().toList()) {
                found++;
                String path = name.group(1).startsWith("/") ? name.group(1) : folder + name.group(1);
                if (type.getResource(path) == null) {
                    missing.add(type.getName() + " reads " + path);
                }
            }
        }
        assertThat(missing).isEmpty();
        assertThat(found).isGreaterThanOrEqualTo(9);
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> all = Files.walk(SOURCES)) {
            return all.filter(path -> path.toString().endsWith(".java")).toList();
        }
    }
}
