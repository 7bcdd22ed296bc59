package weir.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Base64;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import weir.feature.NeedsFeature;
import weir.report.SyntheticRun;
import weir.results.RunFolder;

/** The errors of damaged or hostile run folders: one line that names the file, exit code 2, and no number. */
class DamagedRunTest {
    @TempDir
    private Path folder;

    private Path run = Path.of("");

    @TempDir
    private static Path whole;

    @BeforeAll
    static void write() {
        new SyntheticRun(whole, List.of("none", "lz4"), 1, new double[] {10_000, 60_000}, 3).write();
    }

    @BeforeEach
    void copy() throws Exception {
        try (Stream<Path> files = Files.walk(whole)) {
            for (Path file : files.toList()) {
                Path copy =
                        folder.resolve("runs").resolve(whole.relativize(file).toString());
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
            }
        }
        run = RunFolder.list(folder.resolve("runs")).get(0).path();
    }

    private interface Damage {
        void to(Path file) throws Exception;
    }

    private static Damage text(UnaryOperator<String> change) {
        return file -> {
            String before = Files.readString(file);
            String after = change.apply(before);
            assertThat(after).as("the damage changes something").isNotEqualTo(before);
            Files.writeString(file, after);
        };
    }

    private static Damage replace(String pattern, String by) {
        return text(before -> before.replaceFirst(pattern, by));
    }

    private static Damage line(String line) {
        return text(before -> before + line + "\n");
    }

    private static Damage instead(String whole) {
        return text(before -> whole);
    }

    private static Damage cut() {
        return text(before -> before.substring(0, before.length() / 2));
    }

    private static Damage aside() {
        return file -> {
            Path elsewhere =
                    file.resolveSibling("../elsewhere-" + file.getFileName()).normalize();
            Files.move(file, elsewhere);
            Files.createSymbolicLink(file, elsewhere);
        };
    }

    private static Damage pipe() {
        return file -> {
            Files.delete(file);
            assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor())
                    .isZero();
        };
    }

    private static String row(String second, String due, String p99) {
        return second + ",1,2," + due + ",1,1,0,1,1,1,1," + p99 + ",1,1,,,,,,,,,,,,,,,,,,,,,,";
    }

    static Stream<Arguments> damages() {
        String trial = "trials/01-none-1/";
        String log = trial + "latency.hlog";
        String windows = trial + "windows.csv";
        return Stream.of(
                arguments("experiment.json", "cut", cut()),
                arguments("experiment.json", "another kind of JSON", instead("[1, 2]")),
                arguments("experiment.json", "null", instead("null")),
                arguments("experiment.json", "empty", instead("")),
                arguments("experiment.json", "nested", instead("{\"a\":".repeat(20_000))),
                arguments("experiment.json", "no name", replace("\"name\" : \"codecs\",", "")),
                arguments("experiment.json", "no seed", replace("\"seed\" : 1,", "")),
                arguments(
                        "experiment.json", "a hole in a list", replace("\"variants\" : \\[", "\"variants\" : [ null,")),
                arguments("experiment.json", "a link", aside()),
                arguments("experiment.yaml", "a link out", aside()),
                arguments("machine.json", "bytes", instead("\u0000\u0001\ufffd")),
                arguments("machine.json", "a list for a map", replace("\"facts\" : \\{", "\"facts\" : [ {")),
                arguments("machine.json", "a pipe that never ends", pipe()),
                arguments("probes.json", "an object for a list", instead("{}")),
                arguments("probes.json", "a metric without a chart", instead("[{\"name\":\"a\",\"line\":\"\"}]")),
                arguments("canaries.json", "no rounds", replace("\"rounds\" : \\[[^]]*]", "\"rounds\" : []")),
                arguments("canaries.json", "below 0", replace("640.0", "-640.0")),
                arguments("canaries.json", "infinite", replace("640.0", "1e999")),
                arguments("conclusion.json", "of another version", replace("\"version\" : 1", "\"version\" : 2")),
                arguments("conclusion.json", "cut", cut()),
                arguments("conclusion.json", "a word for a count", replace("\"acked\" : \\d+", "\"acked\" : \"many\"")),
                arguments("conclusion.json", "digits in quotes", replace("\"acked\" : (\\d+)", "\"acked\" : \"$1\"")),
                arguments("conclusion.json", "below 0", replace("\"acked\" : ", "\"acked\" : -")),
                arguments("conclusion.json", "infinite", replace("\"p99\" : [0-9.]+", "\"p99\" : 1e999")),
                arguments("conclusion.json", "not a number", replace("\"p99\" : [0-9.]+", "\"p99\" : \"NaN\"")),
                arguments("conclusion.json", "a count left out", replace("\"seconds\" : [0-9.]+,", "")),
                arguments("conclusion.json", "yes", replace("\"valid\" : true", "\"valid\" : \"yes\"")),
                arguments("conclusion.json", "no such level", replace("\"level\" : \"note\"", "\"level\" : \"grave\"")),
                arguments(
                        trial + "trial.json", "a huge count", replace("\"due\" : \\d+", "\"due\" : " + "9".repeat(40))),
                arguments(trial + "trial.json", "half a record", replace("\"due\" : \\d+", "\"due\" : 1.5")),
                arguments(trial + "trial.json", "no variant", replace("\"variant\" : \"none\",", "")),
                arguments(trial + "caveats.json", "a hole", instead("[ null ]")),
                arguments(trial + "started.json", "an object for a word", replace("\"none\"", "{}")),
                arguments(windows, "a column left out", text(before -> before.replace(",sent", ""))),
                arguments(windows, "too few cells", line("1,1,2,3")),
                arguments(windows, "NaN", line(row("1", "5", "NaN"))),
                arguments(windows, "infinite", line(row("1", "5", "1e999"))),
                arguments(windows, "hexadecimal", line(row("1", "5", "0x1p3"))),
                arguments(windows, "below 0", line(row("1", "-5", "3"))),
                arguments(windows, "a huge count", line(row("1", "9".repeat(30), "3"))),
                arguments(windows, "a second that no trial reaches", line(row("1e12", "5", "3"))),
                arguments(windows, "an endless line", line("1".repeat(3 << 20))),
                arguments(windows, "a link", aside()),
                arguments(windows, "a folder", (Damage) file -> {
                    Files.delete(file);
                    Files.createDirectory(file);
                }),
                arguments(trial + "events.csv", "too few cells", line("1,step")),
                arguments(trial + "probes.csv", "no number", line("1,host,cpu.cores,much")),
                arguments(trial + "probes.csv", "too few cells", line("1;host;cpu")),
                arguments(trial + "spectrum.csv", "beyond all", line("response@2,101,5")),
                arguments(log, "no base64", line("Tag=response@2,1.000,1.000,5.0,%%%")),
                arguments(log, "no histogram", line("Tag=response@2,1.000,1.000,5.0,HIST")),
                arguments(log, "a header that asks for memory", line("Tag=response@2,1.000,1.000,5.0," + bomb(5))),
                arguments(log, "more than is declared", line("Tag=response@2,1.000,1.000,5.0," + bomb(3))),
                arguments(log, "no such metric", line("Tag=mood@2,1.000,1.000,5.0,HIST")),
                arguments(log, "an endless line", line("Tag=response@2," + "1".repeat(5 << 20))),
                arguments("trials", "a link", aside()),
                arguments("trials/01-none-1", "a link", aside()));
    }

    /** Returns a histogram of many digits, or one whose counts unpack to far more than its header allows. */
    private static String bomb(int digits) {
        byte[] packed = new byte[1 << 20];
        Deflater deflater = new Deflater(Deflater.BEST_SPEED);
        deflater.setInput(ByteBuffer.allocate(40 + (64 << 20))
                .putInt(0x1c849313)
                .putInt(64 << 20)
                .putInt(0)
                .putInt(digits)
                .putLong(1000)
                .putLong(digits == 3 ? 4_000 : Long.MAX_VALUE)
                .putDouble(1)
                .put(new byte[] {(byte) 0xfe, (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x7f})
                .array());
        deflater.finish();
        int length = deflater.deflate(packed);
        deflater.end();
        return Base64.getEncoder()
                .encodeToString(ByteBuffer.allocate(8 + length)
                        .putInt(0x1c849314)
                        .putInt(length)
                        .put(packed, 0, length)
                        .array());
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("damages")
    void aDamagedRunIsRefusedInOneLineThatNamesTheFile(String file, String how, Damage damage) throws Exception {
        damage.to(run.resolve(file));
        Shell.weir("report", run.toString())
                .refused(file)
                .doesNotContain("\tat ", "Exception", "java.")
                .hasSizeLessThan(1_000);
    }

    @Test
    void aLineIsNamedByItsNumber() throws Exception {
        line("1,1,2,3").to(run.resolve("trials/02-lz4-1/windows.csv"));
        long lines;
        try (Stream<String> all = Files.lines(run.resolve("trials/02-lz4-1/windows.csv"))) {
            lines = all.count();
        }
        assertThat(Shell.weir("report", run.toString()).err())
                .contains("windows.csv (line " + lines + "): was not written by a run: 4 columns instead of 36");
    }

    @Test
    @NeedsFeature("trend")
    void theListNamesADamagedRunAndStillShowsTheOthers() throws Exception {
        RunFolder other = new SyntheticRun(folder.resolve("runs"), List.of("a"), 1, new double[] {10_000}, 2).write();
        cut().to(run.resolve("conclusion.json"));
        Shell shell = Shell.weir("runs", "--runs", folder.resolve("runs").toString());
        assertThat(shell.exit()).isEqualTo(2);
        assertThat(shell.err()).hasLineCount(1).contains("conclusion.json (line ");
        assertThat(shell.out())
                .hasLineCount(2)
                .contains(other.path().toString())
                .contains("unreadable")
                .contains("valid");
    }

    @Test
    void missingOrTruncatedFilesOfKilledRunAreNotReportedAsDamage() throws Exception {
        Files.delete(run.resolve("conclusion.json"));
        Files.delete(run.resolve("canaries.json"));
        Files.delete(run.resolve("machine.json"));
        Path trial = run.resolve("trials/02-lz4-1");
        Files.delete(trial.resolve("trial.json"));
        Files.delete(trial.resolve("spectrum.csv"));
        for (String file : List.of("windows.csv", "probes.csv", "events.csv", "latency.hlog")) {
            cut().to(trial.resolve(file));
        }
        Shell shell = Shell.weir("report", run.toString());
        assertThat(shell.exit()).as(shell.err()).isZero();
        assertThat(Files.readString(run.resolve("report.html"))).contains("lz4 1 (unfinished)");
    }

    @Test
    void rowsOutOfOrderAreThoseOfTheirSeconds() throws Exception {
        Path windows = run.resolve("trials/01-none-1/windows.csv");
        String before = report();
        List<String> lines = Files.readAllLines(windows);
        List<String> turned = new java.util.ArrayList<>(lines.subList(1, lines.size()));
        java.util.Collections.reverse(turned);
        Files.writeString(windows, lines.get(0) + "\n" + String.join("\n", turned) + "\n");
        assertThat(report()).isEqualTo(before);
    }

    private String report() throws IOException {
        assertThat(Shell.weir("report", run.toString()).exit()).isZero();
        return Files.readString(run.resolve("report.html"), StandardCharsets.UTF_8);
    }

    @Test
    void aReportNeverWritesThroughALink() throws Exception {
        Path precious = Files.writeString(folder.resolve("precious.txt"), "mine");
        Files.createSymbolicLink(run.resolve("report.html.part"), precious);
        report();
        assertThat(precious).hasContent("mine");
    }

    @Test
    @NeedsFeature("trend")
    void namesCannotSteerATerminal() throws Exception {
        replace("\"answer\" : \"[^\"]*\"", "\"answer\" : \"\\\\u001b[2J\\\\u001b]0;owned\\\\u0007 <b>\"")
                .to(run.resolve("conclusion.json"));
        for (Shell shell : List.of(
                Shell.weir("report", run.toString()),
                Shell.weir("runs", "--runs", folder.resolve("runs").toString()))) {
            assertThat(shell.exit()).isZero();
            assertThat(shell.out()).contains("<b>").doesNotContain("\u001b", "\u0007");
        }
    }
}
