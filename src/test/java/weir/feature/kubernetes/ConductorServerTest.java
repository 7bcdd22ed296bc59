package weir.feature.kubernetes;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import weir.feature.kubernetes.ConductorServer.ConductorInfo;
import weir.feature.kubernetes.ConductorServer.ListedFile;
import weir.feature.kubernetes.ConductorServer.Op;
import weir.feature.kubernetes.ConductorServer.Progress;
import weir.feature.kubernetes.ForwardedConductor.ConductorClient;
import weir.feature.kubernetes.KubernetesCheck.UserCall;
import weir.plan.Experiment;
import weir.plan.Plans;

/** The server of a conductor, and the calls of a conductor to the API server. */
class ConductorServerTest {
    private static final int PIECE = ConductorServer.PIECE;
    private static final Duration LONG = Duration.ofSeconds(60);

    /** Ends by itself after a request, with its own exit code. */
    private static final String STOPPABLE = "trap 'kill $!; echo stopped; exit 7' TERM; sleep 60 & echo begun; wait";

    private static final RunIdentity RUN = RunIdentity.of("x", "load-tests");

    private static final Experiment EXPERIMENT = Plans.read(
            "name: x\nplaced: kubernetes\nkubernetes: { image: weir, namespace: load-tests }\nload: { rate: 1/s }");

    private final Path folder;
    private final Path home;
    private final ConductorServer server;
    private final ConductorClient client;
    private final List<Process> started = Collections.synchronizedList(new ArrayList<>());
    private String script = STOPPABLE;

    ConductorServerTest(@TempDir Path folder) throws IOException {
        this.folder = folder;
        this.home = Files.createDirectory(folder.resolve("home"));
        this.server = new ConductorServer(home, 0, "1.0+abc", this::start);
        this.client = new ConductorClient(server.port());
    }

    @AfterEach
    void close() {
        server.close();
    }

    private Process start(Path log) throws IOException {
        Process process = new ProcessBuilder("sh", "-c", script)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        started.add(process);
        return process;
    }

    /** Starts a process, and returns once it has ended. */
    private void startEnded(String what) throws Exception {
        script = what;
        client.ask(String.class, Op.START);
        assertThat(started.get(0).waitFor(30, TimeUnit.SECONDS)).isTrue();
    }

    private void await(String text) throws IOException {
        long deadline = System.nanoTime() + LONG.toNanos();
        while (!client.ask(Progress.class, Op.PROGRESS, 0).text().contains(text)) {
            assertThat(System.nanoTime()).as("nobody printed '%s'", text).isLessThan(deadline);
        }
    }

    private Path file(int bytes) throws IOException {
        byte[] content = new byte[bytes];
        new Random(bytes).nextBytes(content);
        return Files.write(folder.resolve("sent"), content);
    }

    @Test
    void conductorReportsItsBuildAndClock() throws IOException {
        Instant before = Instant.now().minusMillis(1);
        ConductorInfo about = client.ask(ConductorInfo.class, Op.ABOUT);
        assertThat(about.build()).isEqualTo("1.0+abc");
        assertThat(Instant.ofEpochMilli(about.clockMillis())).isBetween(before, Instant.now());
    }

    @Test
    void fileExistsAfterItsLastPiece() throws Exception {
        Path sent = file(2 * PIECE + 100);
        Path there = home.resolve("cache/a b/c.jar");
        assertThat(client.put(sent, 0, "cache/a b/c.jar")).isEqualTo(PIECE);
        assertThat(client.put(sent, PIECE, "cache/a b/c.jar")).isEqualTo(2L * PIECE);
        assertThat(there).doesNotExist();
        assertThat(client.ask(Boolean.class, Op.HAS, "cache/a b/c.jar")).isFalse();
        assertThat(client.put(sent, 2L * PIECE, "cache/a b/c.jar")).isEqualTo(2L * PIECE + 100);
        assertThat(there).hasSameBinaryContentAs(sent);
        assertThat(client.ask(Boolean.class, Op.HAS, "cache/a b/c.jar")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0 1 1 2 2", "0 1 0 1 2"})
    void pieceMayBeSentAgainAfterALostAnswer(String pieces) throws Exception {
        Path sent = file(2 * PIECE + 100);
        for (String piece : pieces.split(" ", -1)) {
            client.put(sent, Long.parseLong(piece) * PIECE, "c.jar");
        }
        assertThat(home.resolve("c.jar")).hasSameBinaryContentAs(sent);
        assertThat(home.resolve("c.jar.part")).doesNotExist();
    }

    @Test
    void emptyFileIsStored() throws Exception {
        client.put(file(0), 0, "empty");
        assertThat(home.resolve("empty")).isEmptyFile();
    }

    @Test
    void pieceAfterAGapIsRefused() throws Exception {
        Path sent = file(3 * PIECE);
        client.put(sent, 0, "c.jar");
        assertThatThrownBy(() -> client.put(sent, 2L * PIECE, "c.jar"))
                .isInstanceOf(ConductorClient.Refused.class)
                .hasMessageContaining("a piece must begin at byte 65536, found '131072'");
        client.put(sent, PIECE, "c.jar");
        client.put(sent, 2L * PIECE, "c.jar");
        assertThat(home.resolve("c.jar")).hasSameBinaryContentAs(sent);
    }

    @Test
    void fileWithAnotherChecksumIsRefusedAndDeleted() throws Exception {
        Path sent = file(PIECE + 100);
        client.put(sent, 0, "c.jar");
        Files.write(home.resolve("c.jar.part"), new byte[PIECE]);
        assertThatThrownBy(() -> client.put(sent, PIECE, "c.jar"))
                .isInstanceOf(ConductorClient.Refused.class)
                .hasMessageContaining("'c.jar' does not have the given hash");
        assertThat(home.resolve("c.jar")).doesNotExist();
        assertThat(home.resolve("c.jar.part")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"../x", "/tmp/weir-x", "a/../../x", "a/../../home-2/x", "", ".", "a/.."})
    void pathOutsideTheHomeIsRefused(String path) throws Exception {
        Path outside = Files.writeString(folder.resolve("x"), "outside");
        ListedFile listed = new ListedFile(1, "", path);
        for (ThrowingCallable asked : List.<ThrowingCallable>of(
                () -> client.put(outside, 0, path),
                () -> client.ask(Boolean.class, Op.HAS, path),
                () -> client.fetch(listed, folder.resolve("fetched")))) {
            assertThatThrownBy(asked)
                    .isInstanceOf(ConductorClient.Refused.class)
                    .hasMessageContaining("must be below the home of the conductor");
        }
        try (Stream<Path> there = Files.walk(folder)) {
            assertThat(there.filter(Files::isRegularFile))
                    .containsExactlyInAnyOrder(home.resolve(ConductorServer.READY), outside);
        }
        assertThat(outside).hasContent("outside");
        assertThat(Path.of("/tmp/weir-x.part")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST /start HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "\0\0\0\1\u00F5{",
                "\0\0\0\0q",
                "\1\0\0\0\u00F5"
            })
    void unknownClientGetsNoAnswerAndStartsNothing(String said) throws Exception {
        try (Socket stranger = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            stranger.getOutputStream().write(said.getBytes(ISO_8859_1));
            assertThat(stranger.getInputStream().read()).isEqualTo(-1);
        }
        assertThat(started).isEmpty();
        assertThat(client.ask(ConductorInfo.class, Op.ABOUT).build()).isEqualTo("1.0+abc");
    }

    @Test
    void fileNamesMayContainSpecialCharacters() throws Exception {
        Path sent = file(10);
        String path = "runs/x 1/a+b&from=7%20é=1.log";
        client.put(sent, 0, path);
        assertThat(home.resolve(path)).hasSameBinaryContentAs(sent);
        ListedFile listed = client.ask(ListedFile[].class, Op.FOLDER)[0];
        assertThat(listed.path()).isEqualTo(path);
        client.fetch(listed, folder.resolve("fetched"));
        assertThat(folder.resolve("fetched")).hasSameBinaryContentAs(sent);
    }

    @Test
    void progressContinuesAtItsOffsetAndEndsWithTheExitCode() throws Exception {
        String text = "a".repeat(PIECE - 1) + "é€😀" + "b".repeat(PIECE);
        Files.writeString(home.resolve("progress.log"), text);
        startEnded("exit 3");
        List<Progress> all = new ArrayList<>();
        long from = 0;
        while (all.isEmpty() || all.get(all.size() - 1).exit() < 0) {
            all.add(client.ask(Progress.class, Op.PROGRESS, from));
            from = all.get(all.size() - 1).until();
            assertThat(all).hasSizeLessThan(10);
        }
        assertThat(all.get(0).until()).as("up to a whole character").isEqualTo(PIECE - 1L);
        assertThat(all.get(all.size() - 1).exit()).isEqualTo(3);
        assertThat(String.join("", all.stream().map(Progress::text).toList())).isEqualTo(text);
    }

    @Test
    void fullLastPieceHasNoExitCodeYet() throws Exception {
        Files.writeString(home.resolve("progress.log"), "a".repeat(PIECE));
        startEnded("exit 3");
        Progress first = client.ask(Progress.class, Op.PROGRESS, 0);
        assertThat(first.until()).isEqualTo(PIECE);
        assertThat(first.exit()).isNegative();
        assertThat(client.ask(Progress.class, Op.PROGRESS, PIECE)).isEqualTo(new Progress("", PIECE, 3));
    }

    @ParameterizedTest
    @ValueSource(strings = {"é", "€", "😀"})
    void partialCharacterIsSentOnceItIsComplete(String character) throws Exception {
        script = "cat";
        byte[] whole = character.getBytes(UTF_8);
        client.ask(String.class, Op.START);
        var input = started.get(0).getOutputStream();
        input.write('a');
        input.write(whole, 0, whole.length - 1);
        input.flush();
        await("a");
        assertThat(client.ask(Progress.class, Op.PROGRESS, 0)).isEqualTo(new Progress("a", 1, -1));
        input.write(whole, whole.length - 1, 1);
        input.close();
        Progress last = client.ask(Progress.class, Op.PROGRESS, 1);
        while (last.exit() < 0 || last.text().isEmpty()) {
            last = client.ask(Progress.class, Op.PROGRESS, 1);
        }
        assertThat(last).isEqualTo(new Progress(character, 1 + whole.length, 0));
    }

    @Test
    void conductorHasNoProgressBeforeTheStart() throws Exception {
        assertThat(client.ask(Progress.class, Op.PROGRESS, 0)).isEqualTo(new Progress("", 0, -1));
        assertThat(client.ask(ListedFile[].class, Op.FOLDER)).isEmpty();
        client.ask(String.class, Op.STOP);
    }

    @Test
    void stopIsForwardedToTheRunWhichEndsItself() throws Exception {
        client.ask(String.class, Op.START);
        await("begun");
        client.ask(String.class, Op.STOP);
        await("stopped");
        assertThat(started.get(0).waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(client.ask(Progress.class, Op.PROGRESS, 0).exit()).isEqualTo(7);
    }

    @Test
    void secondStartIsIgnored() throws Exception {
        client.ask(String.class, Op.START);
        await("begun");
        client.ask(String.class, Op.START);
        server.start();
        assertThat(started).hasSize(1);
        client.ask(String.class, Op.STOP);
        assertThat(started.get(0).waitFor(30, TimeUnit.SECONDS)).isTrue();
        client.ask(String.class, Op.START);
        assertThat(started).as("after its end").hasSize(1);
    }

    @Test
    void failedRunStartIsReportedInOneLine() throws Exception {
        Path other = Files.createDirectory(folder.resolve("other"));
        try (ConductorServer without = new ConductorServer(other, 0, "1.0", log -> {
            throw new IOException("no java here");
        })) {
            assertThatThrownBy(() -> new ConductorClient(without.port()).ask(String.class, Op.START))
                    .isInstanceOf(IOException.class)
                    .hasMessage("the conductor refused START: starting the run: no java here");
        }
    }

    @Test
    void onlyFilesOfRunsAreListed() throws Exception {
        Files.createDirectories(home.resolve("runs/x-1/trials"));
        Files.writeString(home.resolve("runs/x-1/trials/b.json"), "{}");
        Files.writeString(home.resolve("runs/x-1/a.json"), "");
        Files.writeString(home.resolve("secret"), "no");
        List<ListedFile> listed = List.of(client.ask(ListedFile[].class, Op.FOLDER));
        assertThat(listed.stream().map(each -> each.size() + " " + each.path()))
                .containsExactly("0 runs/x-1/a.json", "2 runs/x-1/trials/b.json");
        for (ListedFile each : listed) {
            client.fetch(each, folder.resolve(each.path()));
        }
        assertThat(folder.resolve("runs/x-1/a.json")).isEmptyFile();
        assertThat(folder.resolve("runs/x-1/trials/b.json")).hasContent("{}");
    }

    @Test
    void partialFileIsResumed() throws Exception {
        Path there = Files.createDirectories(home.resolve("runs")).resolve("a");
        Files.move(file(3 * PIECE + 5), there);
        ListedFile listed = client.ask(ListedFile[].class, Op.FOLDER)[0];
        Path fetched = folder.resolve("fetched");
        client.fetch(listed, fetched);
        assertThat(fetched).hasSameBinaryContentAs(there);
        byte[] all = Files.readAllBytes(there);
        Files.write(fetched, Arrays.copyOf(all, PIECE + 1));
        client.fetch(listed, fetched);
        assertThat(fetched).hasSameBinaryContentAs(there);
        Files.write(fetched, new byte[] {1}, StandardOpenOption.APPEND);
        client.fetch(listed, fetched);
        assertThat(fetched).as("which had more than was listed").hasSameBinaryContentAs(there);
    }

    @Test
    void growingFileIsFetchedUpToItsListedSize() throws Exception {
        Path there = Files.createDirectories(home.resolve("runs")).resolve("a");
        Files.writeString(there, "as listed");
        ListedFile listed = client.ask(ListedFile[].class, Op.FOLDER)[0];
        Files.writeString(there, ", and more", StandardOpenOption.APPEND);
        client.fetch(listed, folder.resolve("fetched"));
        assertThat(folder.resolve("fetched")).hasContent("as listed");
    }

    @ParameterizedTest
    @CsvSource({"as other, ends after 8 of 9 bytes", "as others, does not have the listed hash"})
    void fileThatDiffersFromItsListedHashIsNotKept(String other, String said) throws Exception {
        Path there = Files.createDirectories(home.resolve("runs")).resolve("a");
        Files.writeString(there, "as listed");
        ListedFile listed = client.ask(ListedFile[].class, Op.FOLDER)[0];
        Files.writeString(there, other);
        assertThatThrownBy(() -> client.fetch(listed, folder.resolve("fetched")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(said);
        ListedFile now = client.ask(ListedFile[].class, Op.FOLDER)[0];
        client.fetch(now, folder.resolve("fetched"));
        assertThat(folder.resolve("fetched")).hasContent(other);
    }

    @Test
    void theConductorEndsOnceItsFolderWasFetched() throws Exception {
        startEnded("exit 3");
        client.ask(String.class, Op.DONE);
        assertThat(server.await(LONG)).isEqualTo(3);
    }

    @Test
    void conductorEndsAfterTheLastRequestTimesOut() throws Exception {
        startEnded("exit 3");
        assertThat(server.await(Duration.ofMillis(50))).isEqualTo(3);
    }

    @Test
    void conductorEndsIfTheRunIsNotStarted() throws Exception {
        assertThat(server.await(Duration.ofMillis(50))).isEqualTo(1);
    }

    @Test
    void endedConductorStopsItsRunWithoutWaitingForRequests() throws Exception {
        client.ask(String.class, Op.START);
        await("begun");
        server.end();
        assertThat(server.await(LONG, Duration.ofMillis(50))).isEqualTo(7);
    }

    @Test
    void endedConductorWaitsForAFollowerThatFetchesResults() throws Exception {
        startEnded("true");
        server.end();
        Thread follower = new Thread(() -> {
            try {
                client.ask(ListedFile[].class, Op.FOLDER);
                client.ask(String.class, Op.DONE);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        follower.start();
        long began = System.nanoTime();
        assertThat(server.await(LONG, LONG)).isZero();
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(LONG);
        follower.join();
    }

    @Test
    void closedConductorRunsNothing() throws Exception {
        client.ask(String.class, Op.START);
        await("begun");
        server.close();
        assertThat(started.get(0).isAlive()).isFalse();
        assertThat(started.get(0).exitValue()).as("by its own end").isEqualTo(7);
        assertThatThrownBy(() -> client.ask(Progress.class, Op.PROGRESS, 0)).isInstanceOf(IOException.class);
        server.close();
    }

    @Test
    void listeningConductorWritesItsReadyFile() {
        assertThat(home.resolve(ConductorServer.READY)).exists();
    }

    /** Returns the call in Kubernetes' words: the verb, and the kind of object with its group. */
    private static String call(FakeApiServer.Request request) {
        List<String> parts = List.of(request.path().substring(1).split("/"));
        String group = parts.get(0).equals("apis") ? parts.get(1) : "";
        List<String> below = parts.subList(parts.indexOf("namespaces") + 2, parts.size());
        String verb = switch (request.method()) {
            case "GET" -> below.size() == 1 ? "list" : "get";
            case "POST" -> "create";
            default -> request.method().toLowerCase(Locale.ROOT);
        };
        return verb + " " + below.get(0) + (group.isEmpty() ? "" : "." + group);
    }

    @Test
    void conductorUsesOnlyTheRightsOfItsRole() throws IOException {
        List<FakeApiServer.Request> asked;
        try (FakeApiServer kubernetes = new FakeApiServer();
                ConductorApi api = new ConductorApi(kubernetes.client(), RUN)) {
            kubernetes.begin(new RunObjects(RUN, EXPERIMENT, "", List.of()));
            RunObjects objects = new RunObjects(api.owned(), EXPERIMENT, "", List.of());
            objects.hosts("10.0.0.1:7411").forEach(api::make);
            PodSets.of(EXPERIMENT).all().forEach(api::delete);
            api.fillToken("keys");
            api.renewLease(ZonedDateTime.parse("2026-01-02T03:04:05.5+01:00"));
            api.pods();
            api.events("weir-x-load-0-abcde");
            asked = kubernetes.requests();
        }
        assertThat(asked.stream().map(ConductorServerTest::call).collect(Collectors.toSet()))
                .isEqualTo(UserCall.ofConductors().map(UserCall::text).collect(Collectors.toSet()));
        assertThat(asked)
                .extracting(FakeApiServer.Request::path)
                .allSatisfy(path -> assertThat(path).contains("/namespaces/load-tests/"));
        assertThat(asked.stream().map(FakeApiServer.Request::body))
                .anySatisfy(body -> assertThat(body).contains("\"data\":{\"token\":\"a2V5cw==\"}"))
                .anySatisfy(body -> assertThat(body).contains("\"renewTime\":\"2026-01-02T02:04:05.500000Z\""))
                .anySatisfy(body -> assertThat(body).contains("\"uid\":\"uid-1\""));
    }

    @Test
    void roleLimitsNamedResourcesToTheirNames() {
        Role role = (Role)
                new RunObjects(RUN, EXPERIMENT, "", List.of()).conductor().get(4);
        assertThat(role.getRules())
                .flatExtracting(PolicyRule::getResourceNames)
                .containsExactly("weir-x", "weir-x-token", "weir-x");
        assertThat(role.getRules()).allSatisfy(rule -> {
            assertThat(rule.getVerbs()).isNotEmpty().doesNotContain("*");
            assertThat(rule.getResources()).hasSize(1).doesNotContain("*");
            boolean named = rule.getVerbs().stream().anyMatch(Set.of("get", "patch")::contains);
            assertThat(rule.getResourceNames().isEmpty()).isEqualTo(!named);
        });
    }
}
