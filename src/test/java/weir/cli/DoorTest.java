package weir.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import weir.feature.Feature;
import weir.feature.Features;

class DoorTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"quick", "run", "capacity", "partitions", "tune", "compare"})
    void whatTheExitCodesMeanStandsInTheHelp(String command) {
        assertThat(Shell.weir(command, "--help").out())
                .contains("--strict", "Exit codes")
                .containsPattern("(?m)^ +99 +an expectation failed")
                .containsPattern("(?m)^ +130 +ended by Ctrl-C; 143 by SIGTERM");
    }

    @Test
    void anOutputThatCannotBeWrittenIsRefusedBeforeTheRun() throws Exception {
        Path file = Files.writeString(folder.resolve("x.yaml"), "load: { rate: 5/s, value: { size: 1KiB } }");
        for (String output : List.of("html=/proc/x", "junit=/proc/x", "quantiles=/proc/x/y")) {
            Shell shell = Shell.weir("run", file.toString(), "--out", output, "--runs", folder.toString());
            assertThat(shell.exit()).as(output).isEqualTo(2);
            assertThat(shell.err()).hasLineCount(1).contains("--out", "/proc takes no files");
        }
        Shell.weir("report", "nothing", "--out", "html=" + folder.resolve("new.html"));
        try (var left = Files.list(folder)) {
            assertThat(left).containsExactly(file);
        }
    }

    @Test
    void aGatewaySaysThatItsCertificateIsNoneBeforeItAsksTheCluster() throws Exception {
        Path pem = Files.writeString(folder.resolve("a.pem"), "no certificate");
        Shell shell = Shell.weir(
                "gateway",
                "--bootstrap-server",
                "127.0.0.1:1",
                "--tls-cert",
                pem.toString(),
                "--tls-key",
                pem.toString());
        assertThat(shell.exit()).isEqualTo(2);
        assertThat(shell.err()).hasLineCount(1).contains("--tls-cert", "a.pem");
    }

    @Test
    void checkSaysHowManyWorkersCarryATrial() throws Exception {
        Path file = Files.writeString(
                folder.resolve("x.yaml"), "load: { workers: 5, producers: 3, rate: 5/s, value: { size: 1KiB } }");
        Shell shell = Shell.weir("check", file.toString());
        assertThat(shell.out())
                .contains("1 trial of 3 workers, about")
                .contains("note: load.workers: of 5 workers only 3 can share the load; for all write producers: 5");
        assertThat(Shell.weir("check", "--format", "json", file.toString()).out())
                .contains("\"workers\":3");
    }

    @Test
    void eventsStandBehindASpaceTooAndAFileIsNone() throws Exception {
        String file = Files.writeString(folder.resolve("x.yaml"), "load: { rate: 5/s, value: { size: 1KiB } }")
                .toString();
        assertThat(Shell.weir("check", "--profile", file).out()).contains("2 trials");
        assertThat(Shell.weir("check", "--profile", "cpu,alloc", file).out()).contains("2 trials");
        assertThat(Shell.weir("check", file, "--profile").out()).contains("2 trials");
        assertThat(Shell.weir("check", file).out()).contains("1 trial");
    }

    @Test
    void aProfileOfNoVariantThatRunsIsNoMistakeOfTheFile() throws Exception {
        String file = Files.writeString(folder.resolve("x.yaml"), """
                        load: { rate: 5/s, value: { size: 1KiB } }
                        variants: { a: {}, b: { load: { producer: { linger.ms: 5 } } } }
                        profile: { variants: [b] }
                        """).toString();
        assertThat(Shell.weir("check", "--only", "a", file).out()).contains("profile of b");
    }

    @Test
    void onKubernetesPlacesAllThatSaysNothingItself() throws Exception {
        Path file = Files.writeString(
                folder.resolve("x.yaml"), "load: { rate: 5/s, value: { size: 1KiB } }\nkubernetes: { image: weir }");
        Shell here = Shell.weir("check", file.toString());
        assertThat(here.exit()).isZero();
        assertThat(here.out()).contains("\nnote: kubernetes: nothing is placed there; --on kubernetes does it");
        Shell there = Shell.weir("check", "--on", "kubernetes", file.toString());
        assertThat(there.exit()).as(there.err()).isZero();
        assertThat(there.out()).doesNotContain("nothing is placed");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "run FILE --yes",
                "check FILE",
                "run FILE --yes --set cluster.bootstrap=",
                "quick --yes",
                "capacity --to 10/s --yes",
                "tune --try load.producer.linger.ms=0,5 --at 10/s --max-rate 10/s --yes",
                "partitions --for 10/s --yes",
                "perf producer --topic t --num-records 1 --record-size 1 --throughput 1",
                "perf consumer --topic t --num-records 1",
                "monitor t",
                "gateway",
                "doctor --brokers",
                "presets latency",
                "cluster topic t"
            })
    void everyCommandSaysInOneLineWhyAClusterDoesNotAnswer(String command) throws Exception {
        // A build without a feature lacks its command.
        assumeThat(Main.commandLine().getSubcommands()).containsKey(command.split(" ", 2)[0]);
        try (ServerSocket web = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
            Thread serving = new Thread(() -> refuseInHttp(web));
            serving.start();
            Path file = Files.writeString(folder.resolve("x.yaml"), "load: { rate: 5/s }\nmeasure: 1s");
            String at = "127.0.0.1:" + web.getLocalPort();
            String line = command.replace("FILE", file.toString())
                    + (command.endsWith("=") ? at : " --bootstrap-server " + at);
            Shell shell = Shell.weir(line.split(" ", -1));
            assertThat(shell.exit()).as(shell.err()).isEqualTo(3);
            assertThat(shell.err().lines().filter(each -> each.contains(at)))
                    .containsExactly(at + " is no Kafka: it answers in HTTP, 'HTTP/1.1 400 Bad Request'");
        }
    }

    private static void refuseInHttp(ServerSocket web) {
        while (!web.isClosed()) {
            try (Socket socket = web.accept()) {
                socket.getInputStream().read();
                socket.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            } catch (IOException over) {
                assertThat(over).isNotNull();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"check", "run"})
    void checkForetellsWhatRunRefusesWithTheSameExitCode(String command) throws Exception {
        Map<String, Integer> refused = Map.of(
                "load: { value: { size: 1MiB }, rate: 1M/s }\nmeasure: 10h", 3,
                "load: { value: { file: none.jsonl } }", 2,
                "load: { engine: http }", 2,
                "cluster: { bootstrap: kafka-1 }", 2,
                "load: { producer: { acks: both } }", 2,
                "load: { producer: { delivery.timeout.ms: 1 } }", 2,
                "cluster: { bootstrap: \"127.0.0.1:9\" }\nload: { rate: max }", 3);
        refused.forEach((yaml, code) -> {
            Path file = folder.resolve("refused.yaml");
            try {
                Files.writeString(file, yaml);
            } catch (java.io.IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
            Shell shell = Shell.weir(command, file.toString(), "--runs", folder.toString());
            assertThat(shell.exit()).as(yaml + shell.err()).isEqualTo(code);
            assertThat(shell.out()).isEmpty();
            assertThat(shell.err()).isNotEmpty().doesNotContain("\tat ");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"check", "run"})
    void aFileThatIsNoExperimentIsAnsweredWithExitCode2AndNoTrace(String command) throws Exception {
        List<Path> files = List.of(
                folder,
                folder.resolve("none.yaml"),
                Files.createFile(folder.resolve("empty.yaml")),
                Files.write(folder.resolve("binary.yaml"), new byte[] {0, 1, 2, -1}),
                Files.writeString(folder.resolve("wrong.yaml"), "load: { rate: 5 }"));
        for (Path file : files) {
            Shell shell = Shell.weir(command, file.toString());
            assertThat(shell.exit()).as(shell.err()).isEqualTo(2);
            assertThat(shell.err()).contains(String.valueOf(file.getFileName())).doesNotContain("\tat ");
        }
    }

    @Test
    void everyCommandHasHelpThatSaysWhatItDoes() {
        for (CommandLine command : Main.commandLine().getSubcommands().values()) {
            Shell shell = Shell.weir(command.getCommandName(), "--help");
            assertThat(shell.exit()).isZero();
            assertThat(shell.out())
                    .contains(command.getCommandSpec().usageMessage().header()[0])
                    .contains("Usage: weir " + command.getCommandName());
        }
    }

    @Test
    void theCommandsAreThoseOfTheSpineAndOfTheFeatures() {
        Set<String> spine = new TreeSet<>(Main.commandLine().getSubcommands().keySet());
        Features.each(Feature::commands)
                .forEach(command ->
                        spine.remove(command.getAnnotation(Command.class).name()));
        assertThat(spine)
                .containsExactlyInAnyOrder(
                        "quick",
                        "new",
                        "run",
                        "check",
                        "capacity",
                        "tune",
                        "report",
                        "compare",
                        "cluster",
                        "explain",
                        "schema",
                        "completion");
    }

    @Test
    void completionIsAScriptThatBashAccepts() throws Exception {
        Shell shell = Shell.weir("completion");
        Path script = Files.writeString(folder.resolve("completion.sh"), shell.out());
        Process bash = new ProcessBuilder("bash", "-n", script.toString())
                .redirectErrorStream(true)
                .start();
        assertThat(new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEmpty();
        assertThat(shell.out()).contains("--bootstrap-server").contains("complete -F _complete_weir");
    }

    @Test
    void newListsTheExamplesWithTheirQuestions() {
        Shell shell = Shell.weir("new");
        assertThat(shell.out()).contains("01-hello").contains("?");
        assertThat(shell.exit()).isZero();
    }

    @Test
    void newCopiesAnExampleAndNeverReplacesAFile() throws Exception {
        Path copy = folder.resolve("mine.yaml");
        assertThat(Shell.weir("new", "1", copy.toString()).exit()).isEqualTo(2);
        assertThat(Shell.weir("new", "01", copy.toString()).out()).isEqualTo(copy + "\n");
        assertThat(copy).hasSameTextualContentAs(Path.of("experiments/01-hello.yaml"));
        Files.writeString(copy, "name: changed");
        Shell again = Shell.weir("new", "hello", copy.toString());
        assertThat(again.exit()).isEqualTo(2);
        assertThat(again.err()).contains("exists").hasLineCount(1);
        assertThat(copy).hasContent("name: changed");
    }

    @Test
    void theVersionIsToldWithoutLoadingWhatOnlyOtherCommandsNeed() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xshare:auto",
                        "-XX:TieredStopAtLevel=1",
                        "-Xlog:class+load:stdout",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "--version")
                .start();
        List<String> lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
        assertThat(lines)
                .anyMatch(line -> line.startsWith("weir "))
                .noneMatch(line -> line.contains("] org.apache.")
                        || line.contains(" com.fasterxml.")
                        || line.contains(" org.snakeyaml.")
                        || line.contains(" ch.qos.")
                        || line.contains(" org.HdrHistogram."));
    }
}
