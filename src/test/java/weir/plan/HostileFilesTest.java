package weir.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.feature.NeedsFeature;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;

class HostileFilesTest {
    @TempDir
    private Path folder = Path.of("");

    @Test
    void unreadableExperimentFileHasOneProblem() throws IOException {
        assertThat(problem(folder)).endsWith("is a folder; give the experiment file in it");
        assertThat(problem(folder.resolve("none.yaml"))).endsWith("none.yaml: does not exist");
        assertThat(problem(file(new byte[0]))).contains("is empty");
        assertThat(problem(file("# only a comment\n"))).contains("is empty");
        assertThat(problem(file(new byte[] {'a', ':', 0, 1, 2}))).contains("is not text but binary data");
        assertThat(problem(file(new byte[] {(byte) 0xff, (byte) 0xfe, 'a'}))).contains("is not UTF-8 text");
        assertThat(problem(file("a: b\u0007"))).contains("is not YAML");
        assertThat(problem(Path.of("/dev/zero"))).contains("must be at most 1048576 bytes");
    }

    @Test
    void hugeFileIsRefusedBeforeItIsRead() throws IOException {
        Path file = folder.resolve("huge.yaml");
        try (var sparse = new java.io.RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(100L << 20);
        }
        assertThat(problem(file)).contains("must be at most 1048576 bytes");
    }

    @Test
    void unreadableFileIsNamed() throws IOException {
        Path file = file("load: {}");
        assertThat(file.toFile().setReadable(false)).isTrue();
        // Root can read every file, so this test needs another user.
        if (!Files.isReadable(file)) {
            assertThat(problem(file)).contains("cannot be read");
        }
    }

    @Test
    void endlessNestingEndsInAnAnswer() throws IOException {
        for (String open : List.of("[", "{a: ", "- ", "? ", "{[")) {
            assertThat(problem(file(open.repeat(200_000)))).isNotEmpty();
        }
        assertThat(problem(file("[".repeat(1000)))).contains("must be at most 32 levels deep");
    }

    @Test
    void markAndLineEndsOfOtherSystemsAreTaken() throws IOException {
        Path file = file("\uFEFFload:\r\n  rate: 5/s\r\n");
        assertThat(PlanReader.read(file, Overrides.NONE)
                        .variants()
                        .get(0)
                        .load()
                        .rate())
                .isEqualTo(new RateSpec.Fixed(Rate.of(5), false));
    }

    @Test
    void hugeNumbersEndInAnAnswer() {
        String nines = "9".repeat(3000);
        for (String rate : List.of(
                nines + "/s",
                nines + " at a time",
                "0/s to " + nines + "/s by 1/s for 1s",
                "{ steps: [0/s to 1G/s by 1/s for 1s] }",
                "\"" + "1,".repeat(1900) + "1\"")) {
            assertThat(Plans.problems("load: { rate: " + rate + " }")).contains("load.rate");
        }
        assertThat(Plans.problems("cluster: { brokers: 2000000000 }")).contains("must be at most 5, found");
        assertThat(Plans.problems("repeat: 99999999999")).contains("must be at most");
    }

    /** A damaged file is an experiment or has problems. */
    @Test
    @NeedsFeature
    void damagedFilesEndInAnExperimentOrInProblems() throws IOException {
        List<String> texts = new ArrayList<>();
        for (Path file : Plans.files("src/test/resources/weir/plan/fixtures", "")) {
            texts.add(Files.readString(file));
        }
        Random random = new Random(4);
        int understood = 0;
        for (int i = 0; i < 300; i++) {
            String text = texts.get(random.nextInt(texts.size()));
            String damaged = text;
            for (int d = 0; d <= random.nextInt(3); d++) {
                damaged = damage(damaged, texts, random);
            }
            String shown = damaged;
            Throwable thrown = catchThrowable(() -> PlanReader.read(Path.of("x.yaml"), shown, Overrides.SHORT));
            understood += thrown == null ? 1 : 0;
            if (thrown != null && !(thrown instanceof Problems)) {
                throw new AssertionError("damage " + i + " is not answered:\n" + shown, thrown);
            }
        }
        assertThat(understood).isBetween(10, 290);
    }

    private static String damage(String text, List<String> others, Random random) {
        int from = random.nextInt(text.length());
        int to = Math.min(text.length(), from + random.nextInt(20));
        return switch (random.nextInt(6)) {
            case 0 -> text.substring(0, from) + text.substring(to);
            case 1 -> text.substring(0, to) + text.substring(from);
            case 2 ->
                text.substring(0, from)
                        + "{}[]:,-&*!'\"\t\n0 null 1/s".charAt(random.nextInt(24))
                        + text.substring(from);
            case 3 -> {
                String other = others.get(random.nextInt(others.size()));
                int start = random.nextInt(other.length());
                yield text.substring(0, from)
                        + other.substring(start, Math.min(other.length(), start + 30))
                        + text.substring(to);
            }
            case 4 -> {
                String[] lines = text.split("\n");
                lines[random.nextInt(lines.length)] = lines[random.nextInt(lines.length)];
                yield String.join("\n", lines);
            }
            default -> {
                String[] words = text.split("(?<=[ :,{}\\[\\]\"])");
                words[random.nextInt(words.length)] = words[random.nextInt(words.length)];
                yield String.join("", words);
            }
        };
    }

    private Path file(String text) throws IOException {
        return file(text.getBytes(StandardCharsets.UTF_8));
    }

    private Path file(byte[] bytes) throws IOException {
        return Files.write(folder.resolve("x.yaml"), bytes);
    }

    private static String problem(Path file) {
        Problems problems = catchThrowableOfType(Problems.class, () -> PlanReader.read(file, Overrides.NONE));
        return problems == null ? "" : problems.text();
    }
}
