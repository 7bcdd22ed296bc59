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

/** The resource files that classes read from Weir's jar, which must be in the packages of these classes. */
class ResourcesTest {
    private static final Path SOURCES = Path.of("src/main/java");
    private static final Pattern NAME = Pattern.compile("\"([\\w.-]+\\.(properties|yaml|txt|css|js|LICENSE))\"");
    private static final Pattern FOLDER = Pattern.compile("\"(/[\\w/]+/)\"");

    @Test
    void everyResourceThatAClassReadsExists() throws Exception {
        List<String> missing = new ArrayList<>();
        int found = 0;
        for (Path source : sources()) {
            String text = Files.readString(source);
            if (!text.contains(".class.getResource")) {
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
                if (type.getResource(folder + name.group(1)) == null) {
                    missing.add(type.getName() + " reads " + folder + name.group(1));
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
