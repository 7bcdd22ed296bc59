package weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class DoorTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "chekc",
                "--frob",
                "run",
                "run a.yaml b.yaml",
                "run --sort a.yaml",
                "run a.yaml --max-rate 50kk/s",
                "run a.yaml --max-rate 5",
                "run a.yaml --max-time soon",
                "run a.yaml --out xml=x.xml",
                "compare",
                "check",
                "check --format yaml a.yaml",
                "check --set",
                "worker",
                "worker --connect 127.0.0.1 --token none",
                "worker --connect 127.0.0.1:1 --token no-such-file",
                "deploy",
                "deploy kubernetes",
                "deploy nomad a.yaml",
                "deploy marathon a.yaml --connect",
                "cluster",
                "cluster strat",
                "cluster fetch",
                "cluster fetch banana",
                "cluster fetch 1.0.0",
                "cluster topic",
                "cluster topic .. --bootstrap-server localhost:1",
                "cluster topic a/b --bootstrap-server localhost:1",
                "cluster topic t --partitions 0 --bootstrap-server localhost:1",
                "cluster topic t --config retention.ms --bootstrap-server localhost:1",
                "cluster topic t --name kafka --bootstrap-server localhost:1",
                "cluster start --name=hA",
                "cluster start --kafka=",
                "cluster start --set load.rate=5/s",
                "gateway --producer-property a --bootstrap-server k:1",
                "quick --bootstrap-server=",
                "run x.yaml --live=",
                "runs --trend=",
                "runs --runs pom.xml",
                "check x.yaml --runs pom.xml",
                "run x.yaml --max-time 0s",
                "perf producer --topic t --num-records 1 --throughput many --record-size 1 --bootstrap-server k:1",
                "cluster stop --name=",
                "cluster topic t --name=../up",
                "cluster topic t --name kafka --command-config nowhere.properties",
                "report",
                "runs extra",
                "new no-such-example",
                "presets durabilty",
                "presets --with producer.properties",
                "presets latency --with no-such.properties",
                "presets latency --with src",
                "presets latency --kafka banana",
                // Two blanks: an empty argument between them.
                "explain  response",
                "new  hello.yaml",
                "presets latency --kafka 3.9.1 --bootstrap-server localhost:1",
                "explain",
                "monitor",
                "monitor a/b --bootstrap-server localhost:1",
                "monitor t --interval 0s --bootstrap-server localhost:1",
                "monitor t --samples many --bootstrap-server localhost:1"
            })
    void aWrongCommandLineIsAnsweredInOneLineWithExitCode2(String line) {
        Shell shell = Shell.weir(line.isEmpty() ? new String[0] : line.split(" "));
        assertThat(shell.exit()).isEqualTo(2);
        assertThat(shell.out()).isEmpty();
        assertThat(shell.err()).hasLineCount(1).startsWith("weir").doesNotContain("Exception");
    }

    @ParameterizedTest
    @ValueSource(strings = {"quick", "run", "capacity", "partitions", "tune", "compare"})
    void whatTheExitCodesMeanStandsInTheHelp(String command) {
        assertThat(Shell.weir(command, "--help").out())
                .contains("--strict", "Exit codes")
                .containsPattern("(?m)^ +99 +an expectation failed")
                .containsPattern("(?m)^ +130 +ended by Ctrl-C; 143 by SIGTERM");
    }

    @Test
    void aSearchOfAGivenClusterWithoutABoundBlamesNoOtherOption() {
        Shell ended = Shell.weir("capacity", "--bootstrap-server", "127.0.0.1:1", "--yes");
        assertThat(ended.exit()).isEqualTo(2);
        assertThat(ended.err()).contains("--max-rate 50k/s").doesNotContain("--precision");
    }

    @Test
    void aMistypedOptionIsAnsweredWithTheNearestOne() {
        assertThat(Shell.weir("run", "--shrt", "a.yaml").err()).contains("did you mean '--short'?");
    }

    @Test
    void aMistypedCommandIsAnsweredWithTheNearestOne() {
        assertThat(Shell.weir("chekc").err()).contains("did you mean 'check'?");
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
    void aCommaAloneNamesNoWorkerAndNoVariant() throws Exception {
        Path file = Files.writeString(folder.resolve("x.yaml"), "load: { rate: 5/s, value: { size: 1KiB } }");
        for (String option : List.of("--workers", "--only")) {
            Shell shell = Shell.weir("check", file.toString(), option, ",");
            assertThat(shell.exit()).as(shell.out()).isEqualTo(2);
            assertThat(shell.err()).contains(option).doesNotContain("Exception");
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
    void aMissingRunIsAnsweredInOneLineWithExitCode2() {
        Shell shell = Shell.weir("report", "nothing", "--runs", folder.toString());
        assertThat(shell.exit()).isEqualTo(2);
        assertThat(shell.err()).hasLineCount(1).contains("nothing");
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
    void aProfileOfBrokersThatAreNotOursIsAUsageError() throws Exception {
        Path file = Files.writeString(
                folder.resolve("x.yaml"), "load: { rate: 5/s }\ncluster: { bootstrap: \"127.0.0.1:1\" }");
        Shell shell = Shell.weir("run", "--yes", "--profile", file.toString());
        assertThat(shell.exit()).isEqualTo(2);
        assertThat(shell.err())
                .contains("only brokers that Weir starts are profiled")
                .doesNotContain("at weir.");
    }

    @Test
    void anEventThatNoProfilerHasIsAUsageErrorInOneLine() throws Exception {
        String file = Files.writeString(folder.resolve("x.yaml"), "load: { rate: 5/s }")
                .toString();
        String allowed = "is none of cpu, alloc, lock, wall; write it like --profile=cpu,alloc";
        for (List<String> given : List.of(
                List.of("--profile=cpux", "cpux"),
                List.of("--profile=cpu,heap", "heap"),
                List.of("--profile=x.yaml", "x.yaml"),
                List.of("--profile=", ""))) {
            Shell shell = Shell.weir("run", given.get(0), file);
            assertThat(shell.exit()).isEqualTo(2);
            assertThat(shell.err()).contains("--profile: '" + given.get(1) + "' " + allowed);
        }
        for (String given : List.of("cpux", "cpu,", "heap,cpu")) {
            Shell shell = Shell.weir("check", "--profile", given, file);
            assertThat(shell.exit()).isEqualTo(2);
            assertThat(shell.err()).contains("--profile: '").contains(allowed).doesNotContain("Unmatched");
        }
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
    void aProfileOfNoVariantThatRunsIsAUsageErrorWhereItIsAskedForByHand() throws Exception {
        String file = Files.writeString(folder.resolve("x.yaml"), """
                        load: { rate: 5/s, value: { size: 1KiB } }
                        variants: { a: {}, b: { load: { producer: { linger.ms: 5 } } } }
                        profile: { variants: [b] }
                        """).toString();
        Shell asked = Shell.weir("run", "--only", "a", "--profile", file);
        assertThat(asked.exit()).isEqualTo(2);
        assertThat(asked.err()).contains("--profile: nothing would be profiled: no variant that runs is in profile");
        assertThat(Shell.weir("check", "--only", "a", file).out()).contains("profile of b");
    }

    @Test
    void aProfileIsNotAskedForWhereItWouldBeLeftOut() throws Exception {
        Path file = Files.writeString(folder.resolve("x.yaml"), "load: { rate: 5/s }");
        Shell shell = Shell.weir("run", "--a-a", "--profile", file.toString());
        assertThat(shell.exit()).isEqualTo(2);
        assertThat(shell.err()).contains("--profile: --a-a leaves profiles out");
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
        assertThat(Shell.weir("run", "--on", "moon", file.toString()).err()).contains("'moon' is not a valid value");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "a:b", "a:0", "a:99999", "a:-1", "k:9092,b"})
    void brokerAddressThatNoClientReadsIsAUsageError(String address) throws Exception {
        String file = Files.writeString(folder.resolve("x.yaml"), "load: { rate: 5/s }")
                .toString();
        for (Shell shell : List.of(
                Shell.weir("check", file, "--bootstrap-server", address),
                Shell.weir("check", file, "--set", "cluster.bootstrap='" + address + "'"),
                Shell.weir("monitor", "t", "--bootstrap-server", address))) {
            assertThat(shell.exit()).as(shell.err()).isEqualTo(2);
            assertThat(shell.err()).contains("is no address of a broker; write host:port");
        }
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
    void theListOfCommandsIsTheDesigns() {
        assertThat(Main.commandLine().getSubcommands().keySet())
                .containsExactlyInAnyOrder(
                        "conduct",
                        "quick",
                        "new",
                        "run",
                        "check",
                        "capacity",
                        "partitions",
                        "tune",
                        "report",
                        "runs",
                        "compare",
                        "monitor",
                        "perf",
                        "gateway",
                        "planes",
                        "cluster",
                        "worker",
                        "deploy",
                        "doctor",
                        "presets",
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
