package weir.feature.metrics;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import weir.cli.ListenAddress;
import weir.cli.cluster.ClusterCommand.ClusterExtension;
import weir.cluster.Broker;
import weir.cluster.start.NamedCluster;
import weir.feature.Feature;
import weir.host.Children;
import weir.host.Command;
import weir.host.JavaRuntime;
import weir.host.LocalChild;
import weir.host.ProcessId;
import weir.http.LiveServer;
import weir.io.Io;
import weir.time.MachineClock;

/** The metrics for Prometheus of a run and its own brokers, and the metrics of external brokers. */
public final class MetricsFeature implements Feature {
    @Override
    public List<Part> options() {
        return List.of(new ClusterMetricsOptions());
    }

    @Override
    public List<Part> parts() {
        return List.of(new Scrapes());
    }

    static final class ClusterMetricsOptions implements ClusterExtension {
        static final String OPTION = "--metrics";
        private static final int TIMEOUT_SECONDS = 30;
        private static final String EXAMPLE = "127.0.0.1:9465";

        @Option(
                names = OPTION,
                paramLabel = "HOST:PORT",
                description = "Serve Prometheus metrics of the brokers at /metrics while they run.")
        private String metrics = "";

        @Option(
                names = "--token-file",
                paramLabel = "FILE",
                description =
                        "File with a token. Each request to --metrics must send it as Authorization: Bearer TOKEN.")
        private @Nullable Path tokenFile;

        @Override
        public NamedCluster.Companion companion(CommandLine command) {
            String token = ListenAddress.token(command, tokenFile);
            if (metrics.isEmpty()) {
                if (tokenFile != null) {
                    throw new ParameterException(command, "--token-file: requires --metrics; add --metrics");
                }
                return NamedCluster.Companion.NONE;
            }
            ListenAddress address = ListenAddress.read(command, OPTION, metrics, EXAMPLE);
            address.guarded(!token.isEmpty(), "--token-file");
            free(address);
            return (children, brokers, logs) -> List.of(start(address, token, children, brokers, logs));
        }

        private static String line(BufferedReader reader) {
            return Io.attempt(
                    "reading from the process that serves metrics",
                    () -> Objects.requireNonNullElse(reader.readLine(), ""));
        }

        private static void free(ListenAddress address) {
            try (ServerSocket tried = new ServerSocket()) {
                tried.bind(address.socket());
            } catch (IOException e) {
                throw new ParameterException(
                        address.command(),
                        OPTION + ": cannot listen on '" + address.text() + "': " + e.getMessage()
                                + "; write another port, or 0 for a free one");
            }
        }

        private static ProcessId start(
                ListenAddress asked, String token, Children children, List<Broker> brokers, Path logs) {
            InetSocketAddress address = asked.socket();
            // A copy in a private folder, deleted with the cluster: the source may be readable only once.
            Path kept = logs.resolveSibling("metrics.token");
            List<String> words = new ArrayList<>(List.of(
                    JavaRuntime.own().launcher().toString(),
                    "-Xmx256m",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+DisplayVMOutputToStderr",
                    "-cp",
                    System.getProperty("java.class.path"),
                    ClusterMetricsMain.class.getName(),
                    address.getAddress().getHostAddress(),
                    String.valueOf(address.getPort()),
                    token.isEmpty() ? "" : kept.toString()));
            brokers.forEach(broker -> words.add(broker.id() + "=" + broker.pid()));
            Path log = logs.resolve("metrics.log");
            try {
                Files.createDirectories(logs);
                if (!token.isEmpty()) {
                    Files.createFile(kept, Io.OWN_FILE);
                    Files.writeString(kept, token);
                }
                LocalChild child = children.start(new Command("metrics", words, log, Command.Output.READ));
                BufferedReader output =
                        new BufferedReader(new InputStreamReader(child.output(), StandardCharsets.UTF_8));
                String url = CompletableFuture.supplyAsync(() -> line(output))
                        .completeOnTimeout("", TIMEOUT_SECONDS, TimeUnit.SECONDS)
                        .join();
                if (url.isEmpty()) {
                    throw new IllegalStateException("serving the metrics of the brokers failed; last lines of " + log
                            + ": " + String.join(" / ", child.lastLines(3)));
                }
                asked.command().getErr().println("metrics: " + url);
                return child.id();
            } catch (IOException e) {
                throw new UncheckedIOException("starting to serve the metrics of the brokers", e);
            }
        }

        static final class ClusterMetricsMain {
            private static final long POLL_INTERVAL = 500_000_000L;

            private ClusterMetricsMain() {}

            /** Takes {@code address port token-file [broker=pid]...}. Writes its address once it listens. */
            public static void main(String[] arguments) throws IOException {
                InetSocketAddress address =
                        new InetSocketAddress(InetAddress.getByName(arguments[0]), Integer.parseInt(arguments[1]));
                String token = arguments[2].isEmpty()
                        ? ""
                        : Files.readString(Path.of(arguments[2])).strip();
                SortedMap<Integer, Long> brokers = new TreeMap<>();
                for (String pair : List.of(arguments).subList(3, arguments.length)) {
                    int equals = pair.indexOf('=');
                    brokers.put(
                            Integer.parseInt(pair.substring(0, equals)), Long.parseLong(pair.substring(equals + 1)));
                }
                List<ProcessId> processes =
                        brokers.values().stream().map(ProcessId::of).toList();
                try (BrokerSeries series = new BrokerSeries(MachineClock.STEADY);
                        LiveServer server = LiveServer.start(
                                address,
                                token,
                                Map.of(
                                        MetricsHandler.PATH,
                                        new MetricsHandler(
                                                List::of,
                                                timeout -> series.read(brokers, 0, timeout),
                                                MachineClock.STEADY)),
                                List.of())) {
                    series.meet(brokers);
                    System.out.println(server.url().resolve(MetricsHandler.PATH));
                    while (processes.stream().anyMatch(ProcessId::alive)) {
                        LockSupport.parkNanos(POLL_INTERVAL);
                    }
                }
            }
        }
    }
}
