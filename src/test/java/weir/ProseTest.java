package weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProseTest {
    @TempDir
    private Path folder;

    @Test
    void everySentenceForPeopleKeepsTheRules() throws IOException {
        assertThat(Prose.faults(Prose.ALL)).isEmpty();
    }

    @Test
    void brokenRulesOfAPageAreListed() throws IOException {
        assertThat(faults("page.md", """
                        # Page

                        Whoever reads this knows. A short sentence is fine.

                        - The broker answers what nobody asked.
                        - `nobody` in code is fine, and so is [a link](nobody.md).
                        """)).hasSize(2).allMatch(line -> line.contains(": subject: "));
    }

    @Test
    void longSentencesOfMessagesAndJavadocAreListed() throws IOException {
        String words = "word ".repeat(20);
        assertThat(faults(
                        "Long.java",
                        "/** " + words + words + "*/\nclass Long { String s = \"" + words + "\"\n + name() + \"" + words
                                + "\"; // " + words + words + "\n}\n"))
                .hasSize(2)
                .allMatch(line -> line.contains(": 40 words: "));
    }

    @Test
    void rowsAndTheirCommentsAreTexts() throws IOException {
        assertThat(faults(
                        "rows.yaml",
                        "# Those who read it.\nmeaning: a key that nobody sets\nexample: nobody sets this one\n"))
                .hasSize(2);
    }

    private List<String> faults(String name, String text) throws IOException {
        Path file = Files.writeString(folder.resolve(name), text);
        return Prose.faults(List.of(file.toString()));
    }
}
