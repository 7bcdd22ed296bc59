package weir.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import weir.plan.Golden;

/**
 * Command lines and their answers in files {@code lines.txt}: lines with {@code |} are the file x.yaml, those with {@code $} are carried out, and
 * behind each stand its exit code, its output with {@code >}, and its errors; a blank line ends a case.
 */
class CommandLinesTest {
    @TempDir
    private Path folder;

    static List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(Path.of("src/test/resources/weir"))) {
            return all.filter(file -> file.endsWith("lines.txt")).toList();
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void eachLineIsAnsweredAsItWasReviewed(Path file) throws IOException {
        StringBuilder answered = new StringBuilder();
        for (String sample : Files.readString(file).split("\n\n", -1)) {
            Files.writeString(folder.resolve("x.yaml"), "");
            answered.append(answered.isEmpty() ? "" : "\n");
            sample.lines()
                    .filter(line -> line.matches("[#|$].*"))
                    .forEach(line -> answered.append(line).append('\n').append(answer(line)));
        }
        Golden.assertSame(file.toString(), answered.toString());
    }

    private String answer(String line) {
        String text = line.length() > 2 ? line.substring(2) : "";
        if (line.startsWith("|")) {
            Path file = folder.resolve("x.yaml");
            try {
                Files.writeString(file, Files.readString(file) + text + "\n");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        if (!line.startsWith("$")) {
            return "";
        }
        String[] words = text.isEmpty()
                ? new String[0]
                : text.replace("FOLDER", folder.toString()).split(" ");
        Shell shell = Shell.weir(words);
        Stream<String> out = shell.out().lines().map(said -> "> " + said);
        String said = Stream.concat(out, shell.err().lines()).collect(Collectors.joining("\n"));
        return "exit " + shell.exit() + "\n" + said.replace(folder.toString(), "FOLDER") + "\n";
    }
}
