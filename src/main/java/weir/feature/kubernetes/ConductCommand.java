package weir.feature.kubernetes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import weir.cli.CliCommand;
import weir.cli.Main;
import weir.cli.SignalHandler;
import weir.cli.WeirVersion;
import weir.cluster.release.Release;
import weir.feature.hosts.ProgramFiles;
import weir.host.HomeFolders;
import weir.host.JavaRuntime;

/** The {@code weir conduct} command: the program of a conductor's pod. */
@Command(
        name = "conduct",
        hidden = true,
        header = "Run an experiment in a pod, and hold what it found until it was fetched.",
        description = "The program of a conductor's pod; 'weir run' outside of Kubernetes makes one.")
final class ConductCommand extends CliCommand implements Callable<Integer> {
    private static final Duration HELD = Duration.ofMinutes(30);

    @Option(names = "--wait", description = "Begin when told to, by somebody who sends files first.")
    private boolean waits;

    @Parameters(paramLabel = "ARGUMENT", description = "The arguments of weir run, behind --.")
    private List<String> arguments = List.of();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path home = Path.of(HomeFolders.ours().home());
        own(HomeFolders.ours().cache());
        String build = ProgramFiles.build(WeirVersion.number());
        LeaseRenewal lease = LeaseRenewal.begin(InPods.run(), err()::println);
        try (ConductorServer server = new ConductorServer(home, ConductorServer.PORT, build, this::start);
                SignalHandler signals = new SignalHandler(server::end)) {
            if (!waits) {
                server.start();
            }
            return signals.exit(server.await(HELD));
        } finally {
            lease.close();
        }
    }

    private static void own(Path cache) throws IOException {
        Path kafkas = Path.of(System.getProperty("java.class.path"))
                .toAbsolutePath()
                .resolveSibling("../kafka")
                .normalize();
        if (!Files.isDirectory(kafkas)) {
            return;
        }
        try (Stream<Path> releases = Files.list(kafkas)) {
            for (Path release : releases.toList()) {
                try (Stream<Path> jars = Files.list(release)) {
                    new Release(
                                    String.valueOf(release.getFileName()),
                                    jars.sorted().toList())
                            .keep(cache);
                }
            }
        }
    }

    private Process start(Path log) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                JavaRuntime.own().launcher().toString(),
                "-Xmx512m",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "run"));
        command.addAll(arguments);
        err().println("weir run " + String.join(" ", arguments));
        // The client that fetches the folder prints the answer.
        return new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(log.toFile())
                .start();
    }
}
