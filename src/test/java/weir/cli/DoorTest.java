package weir.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import weir.feature.Features;
import weir.feature.NeedsFeature;
import weir.plan.Golden;

/**
 * The command line in cases of {@code lines.txt}, separated by blank lines. Lines with {@code |} are the file x.yaml.
 * After each {@code $} command follow its exit code, its output with {@code >}, and its errors.
 */
class DoorTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"quick", "run", "capacity", "partitions", "tune", "compare"})
    void whatTheExitCodesMeanStandsInTheHelp(String command) {
        assumeThat(Shell.weir("--help").out()).contains("\n  " + command + " ");
        assertThat(Shell.weir(command, "--help").out())
                .contains("--strict", "Exit codes")
                .containsPattern("(?m)^ +99 +an expectation failed")
                .containsPattern("(?m)^ +130 +Ctrl-C ended the run. After SIGTERM, the exit code is");
    }

    @Test
    void anOutputThatCannotBeWrittenIsRefusedBeforeTheRun() throws Exception {
        Path file = Files.writeString(folder.resolve("x.yaml"), "load: { rate: 5/s, value: { size: 1KiB } }");
        for (String output : List.of("html=/proc/x", "junit=/proc/x", "quantiles=/proc/x/y")) {
            Shell.weir("run", file.toString(), "--out", output, "--runs", folder.toString())
                    .refused("/proc is read-only")
                    .contains("--out");
        }
        Shell.weir("report", "nothing", "--out", "html=" + folder.resolve("new.html"));
        try (var left = Files.list(folder)) {
            assertThat(left).containsExactly(file);
        }
    }

    @Test
    void invalidGatewayCertificateIsReportedBeforeConnecting() throws Exception {
        Path pem = Files.writeString(folder.resolve("a.pem"), "no certificate");
        Shell.weir(("gateway --bootstrap-server 127.0.0.1:1 --tls-cert " + pem + " --tls-key " + pem).split(" "))
                .refused("--tls-cert")
                .contains("a.pem");
    }

    @Test
    void checkReportsTheWorkerCount() throws Exception {
        Path file = Files.writeString(
                folder.resolve("x.yaml"), "load: { workers: 5, producers: 3, rate: 5/s, value: { size: 1KiB } }");
        Shell shell = Shell.weir("check", file.toString());
        assertThat(shell.out())
                .contains("1 trial of 3 workers, about")
                .contains("note: load.workers: only 3 of 5 workers can share the load; to use all workers write"
                        + " producers: 5");
        assertThat(Shell.weir("check", "--format", "json", file.toString()).out())
                .contains("\"workers\":3");
    }

    @Test
    @NeedsFeature("profile")
    void profileOptionTakesEventsButNoFileName() throws Exception {
        String file = Files.writeString(folder.resolve("x.yaml"), "load: { rate: 5/s, value: { size: 1KiB } }")
                .toString();
        assertThat(Shell.weir("check", "--profile", file).out()).contains("2 trials");
        assertThat(Shell.weir("check", "--profile", "cpu,alloc", file).out()).contains("2 trials");
        assertThat(Shell.weir("check", file, "--profile").out()).contains("2 trials");
        assertThat(Shell.weir("check", file).out()).contains("1 trial");
    }

    @Test
    @NeedsFeature("profile")
    void profileOfAnOmittedVariantIsNoProblem() throws Exception {
        String file = Files.writeString(folder.resolve("x.yaml"), """
                        load: { rate: 5/s, value: { size: 1KiB } }
                        variants: { a: {}, b: { load: { producer: { linger.ms: 5 } } } }
                        profile: { variants: [b] }
                        """).toString();
        assertThat(Shell.weir("check", "--only", "a", file).out()).contains("profile of b");
    }

    @Test
    @NeedsFeature("kubernetes")
    void onKubernetesPlacesEveryPartWithoutAPlacement() throws Exception {
        Path file = Files.writeString(
                folder.resolve("x.yaml"), "load: { rate: 5/s, value: { size: 1KiB } }\nkubernetes: { image: weir }");
        Shell here = Shell.weir("check", file.toString());
        assertThat(here.exit()).isZero();
        assertThat(here.out())
                .contains(
                        "\nnote: kubernetes: has no effect without pods; --on kubernetes runs all" + " parts in pods");
        Shell there = Shell.weir("check", "--on", "kubernetes", file.toString());
        assertThat(there.exit()).as(there.err()).isZero();
        assertThat(there.out())
                .doesNotContain("kubernetes: has no effect without pods; --on kubernetes runs all" + " parts in pods");
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
                "shape --show",
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
                    .containsExactly(at + " is not a Kafka broker: it answers in HTTP, 'HTTP/1.1 400 Bad Request'");
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
    void everyHelpBeginsWithOneImperativeSentenceEndsWithOneExampleAndFits80Columns() {
        List<CommandLine> commands = new ArrayList<>(List.of(Main.commandLine()));
        for (int i = 0; i < commands.size(); i++) {
            CommandLine command = commands.get(i);
            commands.addAll(new LinkedHashSet<>(command.getSubcommands().values()));
            CommandLine.Model.CommandSpec spec = command.getCommandSpec();
            if (spec.usageMessage().hidden()) {
                continue;
            }
            List<String> words = Stream.of((spec.qualifiedName() + " --help").split(" "))
                    .skip(1)
                    .toList();
            Shell shell = Shell.weir(words.toArray(String[]::new));
            assertThat(shell.exit()).isZero();
            String help = shell.out();
            assertThat(help.lines().findFirst())
                    .as(help)
                    .hasValueSatisfying(first ->
                            assertThat(first).matches("(?!An? |The |[A-Z][a-z]+s )[A-Z][a-z]+ [^.]+(?:\\.[^. ]+)*\\."));
            assertThat(help).contains("\nUsage: " + spec.qualifiedName());
            assertThat(help.split("(?m)^Example: (?=.*weir )", -1)).as(help).hasSize(2);
            assertThat(help.lines())
                    .as(help)
                    .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        }
    }

    @Test
    void theCommandsAreThoseOfTheSpineAndOfTheFeatures() {
        Set<String> spine = new TreeSet<>(Main.commandLine().getSubcommands().keySet());
        Features.ALL.stream()
                .flatMap(feature -> feature.commands().stream())
                .forEach(command ->
                        spine.remove(command.getAnnotation(Command.class).name()));
        assertThat(spine)
                .containsExactlyInAnyOrder(
                        "quick",
                        "new",
                        "run",
                        "check",
                        "capacity",
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
        Shell.weir("new", "hello", copy.toString()).refused("exists");
        assertThat(copy).hasContent("name: changed");
    }

    @Test
    void versionCommandLoadsNoOtherClasses() throws Exception {
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

    @Test
    void secretsOnTheCommandLineAreHidden() {
        assertThat(CommandText.hidden("-Xssl.key.password=hunter2", false)).isEqualTo("-Xssl.key.password=***");
        assertThat(CommandText.hidden("sasl.jaas.config=a b=c", false)).isEqualTo("sasl.jaas.config=***");
        assertThat(CommandText.hidden("cluster.client.ssl.key.password=x", false))
                .isEqualTo("cluster.client.ssl.key.password=***");
        assertThat(CommandText.hidden("--set=load.producer.sasl.jaas.config=x", false))
                .isEqualTo("--set=load.producer.sasl.jaas.config=***");
    }

    @Test
    void valuesWithoutSecretsStayInTheCommandText() {
        assertThat(CommandText.hidden("load.producer.linger.ms=5", false)).isEqualTo("load.producer.linger.ms=5");
        assertThat(CommandText.hidden("--short", false)).isEqualTo("--short");
    }

    @Test
    void aMapWithPropertiesOfPluginsIsHidden() {
        assertThat(CommandText.hidden("load.producer={plugin: {my.idp.pw: x}}", false))
                .isEqualTo("load.producer=***");
        assertThat(CommandText.hidden("--set=load={producer: {\"plugin\": {my: {pin: 1234}}}}", false))
                .isEqualTo("--set=load=***");
        for (String word : new String[] {"load.producer={linger.ms: 5}", "cluster.client=plugin/client.properties"}) {
            assertThat(CommandText.hidden(word, false)).isEqualTo(word);
        }
    }

    @Test
    void unknownClientPropertiesAreHidden() {
        assertThat(CommandText.hidden("basic.auth.user.info=K:S", true)).isEqualTo("basic.auth.user.info=***");
        assertThat(CommandText.hidden("my.own=K:S", true)).isEqualTo("my.own=***");
        assertThat(CommandText.hidden("--set=load.producer.plugin.my.own=K:S", false))
                .isEqualTo("--set=load.producer.plugin.my.own=***");
        assertThat(CommandText.hidden("linger.ms=5", true)).isEqualTo("linger.ms=5");
        assertThat(CommandText.hidden("--runs=/tmp/a=b", false)).isEqualTo("--runs=/tmp/a=b");
        assertThat(CommandText.hidden("http://me:pw@host/", false)).isEqualTo("http://***@host/");
    }

    static List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(Path.of("src/test/resources/weir"))) {
            return all.filter(file -> file.endsWith("lines.txt")).toList();
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    @NeedsFeature
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

    private static HostPort read(String text, int first) {
        return HostPort.read(text, first, "10.0.0.1:7070");
    }

    @Test
    void hostMayBeANameOrAnIpAddress() {
        assertThat(read("lab-1:7070", 1)).isEqualTo(new HostPort("lab-1", 7070));
        assertThat(read("[::1]:65535", 1)).isEqualTo(new HostPort("::1", 65_535));
        assertThat(read("127.0.0.1:0", 0)).isEqualTo(new HostPort("127.0.0.1", 0));
    }

    @ParameterizedTest
    @CsvSource({
        "lab-1, has no port", "lab-1:, has no port", "lab-1:x, has no port", ":7070, is not an address",
        "7070, is not an address", "lab-1:0, is not an address", "lab-1:65536, is not an address",
                "lab-1:-1, is not an address"
    })
    void anythingElseIsRefusedWithWhatToWrite(String text, String why) {
        assertThatThrownBy(() -> read(text, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'" + text + "' " + why + "; write HOST:PORT, such as 10.0.0.1:7070");
    }

    @Test
    void ctrlCExitCodeIsOverriddenOnlyByAnInternalFault() {
        assertThat(SignalHandler.exit(130, 1)).isEqualTo(1);
        assertThat(SignalHandler.exit(130, 99)).isEqualTo(130);
        assertThat(SignalHandler.exit(143, 0)).isEqualTo(143);
    }

    @Test
    void withoutASignalTheRunDecides() {
        assertThat(SignalHandler.exit(0, 99)).isEqualTo(99);
        assertThat(SignalHandler.exit(0, 0)).isZero();
    }
}
