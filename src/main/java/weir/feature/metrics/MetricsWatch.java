package weir.feature.metrics;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine;
import weir.cli.ListenAddress;
import weir.cli.RunWatch;
import weir.cli.WeirVersion;
import weir.http.LiveServer;
import weir.results.RunFolder;
import weir.run.PreflightException;
import weir.run.RunListener;
import weir.time.DaemonThreads;
import weir.time.MachineClock;

/** The metrics of a run and its brokers, served to Prometheus during the run. */
public final class MetricsWatch implements RunWatch {
    public static final String OPTION = "--metrics";
    static final String EXAMPLE = "127.0.0.1:9464";

    /** The time in nanoseconds for the last answer of about a megabyte. */
    private static final long WRITTEN = 300_000_000L;

    private static final int SIGNALLED = 128;

    /** Time after which the user gets a message about the wait. */
    private static final Duration REPORT_AFTER = Duration.ofSeconds(3);

    private final RunMetrics metrics;
    private final BrokerSeries brokers = new BrokerSeries(MachineClock.STEADY);
    private final MetricsHandler handler;
    private final ScheduledExecutorService adds =
            Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("weir-metrics"));
    private final LiveServer server;
    private final PrintWriter err;

    private MetricsWatch(ListenAddress address, String token) {
        metrics = new RunMetrics(WeirVersion.number());
        handler = MetricsHandler.of(metrics, brokers, MachineClock.STEADY);
        err = address.command().getErr();
        address.guarded(!token.isEmpty(), "--token-file");
        try {
            server = LiveServer.start(address.socket(), token, Map.of(MetricsHandler.PATH, handler), List.of());
        } catch (IOException e) {
            throw new PreflightException(OPTION + ": " + e.getMessage() + "; write another port, or 0 for a free one");
        }
        var unused = adds.scheduleAtFixedRate(this::everySecond, 1, 1, TimeUnit.SECONDS);
    }

    private void everySecond() {
        metrics.addUp();
        brokers.meet(metrics.brokersHere());
    }

    public static MetricsWatch open(CommandLine command, String address, String token) {
        MetricsWatch watch = new MetricsWatch(ListenAddress.read(command, OPTION, address, EXAMPLE), token);
        command.getErr().println("metrics: " + watch.server.url().resolve(MetricsHandler.PATH));
        return watch;
    }

    @Override
    public RunListener listener() {
        return metrics;
    }

    @Override
    public void over(RunFolder folder) {
        Duration most =
                folder.result().filter(result -> result.exit() >= SIGNALLED).isPresent()
                        ? MetricsHandler.INTERRUPTED
                        : MetricsHandler.LONGEST;
        Duration within = handler.lastScrapeWithin(most);
        if (within.compareTo(REPORT_AFTER) > 0) {
            err.println("metrics: waiting for the last scrape, at most " + within.toSeconds() + " s");
            err.flush();
        }
        if (handler.awaitLastScrape(most)) {
            LockSupport.parkNanos(WRITTEN);
        }
    }

    @Override
    public void close() {
        server.close();
        adds.shutdownNow();
        brokers.close();
    }
}
