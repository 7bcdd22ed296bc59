package weir.feature.live;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Stack;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import weir.cli.ListenAddress;
import weir.cli.RunExtension;
import weir.cli.RunWatch;
import weir.cli.RunWatches;
import weir.cli.terminal.Browser;
import weir.cli.terminal.LiveDisplay;
import weir.feature.metrics.MetricsWatch;
import weir.host.Ports;
import weir.http.LiveServer;
import weir.results.RunFolder;
import weir.run.PreflightException;
import weir.run.RunListener;
import weir.time.MachineClock;

/** The options for watching a run: {@code --live}, {@code --metrics} and {@code --token-file}. */
final class WatchOptions implements RunExtension {
    private static final String EXAMPLE = "127.0.0.1:8090, or nothing for 127.0.0.1 and a free port";
    private static final int TRIES = 5;

    @Option(
            names = "--live",
            paramLabel = "HOST:PORT",
            arity = "0..1",
            preprocessor = OptionalAddress.class,
            description = "Show the run on a web page while it runs (default: 127.0.0.1 and a free port).")
    private @Nullable String live;

    @Option(
            names = MetricsWatch.OPTION,
            paramLabel = "HOST:PORT",
            description = "Serve Prometheus metrics of the run and its brokers at /metrics.")
    private String metrics = "";

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "File with a token. Each request to --live and --metrics must send it: as the password in"
                    + " a browser, or as Authorization: Bearer TOKEN.")
    private @Nullable Path tokenFile;

    boolean asked() {
        return live != null || !metrics.isEmpty();
    }

    @Override
    public void watch(CommandLine command, boolean opens, RunWatches watches) {
        if (tokenFile != null && !asked()) {
            throw new ParameterException(command, "--token-file: requires --live or --metrics; add one of them");
        }
        String token = ListenAddress.token(command, tokenFile);
        // Metrics first: their start may fail, and Weir cannot close an opened browser page.
        if (!metrics.isEmpty()) {
            watches.add(MetricsWatch.open(command, metrics, token));
        }
        if (live != null) {
            watches.add(live(command, live, token, opens, () -> watches.stop("the live page")));
        }
    }

    private static RunWatch live(CommandLine command, String address, String token, boolean opens, Runnable stop) {
        RunPage page = new RunPage(MachineClock.STEADY, stop);
        LiveServer server = address.equals(OptionalAddress.ANY)
                ? server(token, page)
                : server(ListenAddress.read(command, "--live", address, EXAMPLE), token, page);
        String url = server.url().toString();
        command.getErr().println("live page: " + url);
        command.getErr().flush();
        if (opens && LiveDisplay.columns() > 0 && Browser.available(System.getenv())) {
            var unused = Browser.open(url, System.getenv());
        }
        return new LiveWatch(page, server);
    }

    private static LiveServer server(ListenAddress address, String token, RunPage page) {
        address.guarded(!token.isEmpty(), "--token-file");
        try {
            return LiveServer.start(address.socket(), token, page.paths(), page.streams());
        } catch (IOException e) {
            throw new PreflightException(
                    address.option() + ": " + e.getMessage() + "; write another port, or no address for a free one");
        }
    }

    /** A free port on loopback has a lower number than ports of outgoing connections. */
    private static LiveServer server(String token, RunPage page) {
        Ports ports = new Ports();
        for (int attempt = 1; ; attempt++) {
            try {
                InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), ports.getAsInt());
                return LiveServer.start(address, token, page.paths(), page.streams());
            } catch (IOException e) {
                if (attempt == TRIES) {
                    throw new PreflightException("--live: " + e.getMessage());
                }
            }
        }
    }

    static final class LiveWatch implements RunWatch {
        private static final Duration TAKEN = Duration.ofSeconds(10);

        private final RunPage page;
        private final LiveServer server;
        /** A pool that renders reports on one core, because a measurement runs. Other commands use all cores. */
        private final ForkJoinPool renders = new ForkJoinPool(1);

        LiveWatch(RunPage page, LiveServer server) {
            this.page = page;
            this.server = server;
            renders.execute(page::renderAsWanted);
        }

        @Override
        public RunListener listener() {
            return page;
        }

        @Override
        public void over(RunFolder folder) {
            if (page.watched()) {
                page.end(folder);
                page.awaitReaders();
                var unused = server.awaitAnswers(TAKEN);
            }
        }

        @Override
        public void close() {
            page.close();
            renders.shutdownNow();
            server.close();
        }
    }

    /** An optional address. A next word that is an option or an experiment file is not the address. */
    static final class OptionalAddress implements IParameterPreprocessor {
        static final String ANY = "";

        private static final String OTHER = "-.*|.*\\.ya?ml";

        // picocli requires a Stack.
        @SuppressWarnings("JdkObsolete")
        @Override
        public boolean preprocess(Stack<String> words, CommandSpec command, ArgSpec option, Map<String, Object> found) {
            boolean attached = "=".equals(found.get("separator"));
            if (!attached && (words.isEmpty() || words.peek().matches(OTHER) || new File(words.peek()).exists())) {
                words.push(ANY);
            }
            return false;
        }
    }
}
