package weir.cli.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import weir.host.ProcessId;
import weir.live.LiveServer;
import weir.live.metrics.BrokerSeries;
import weir.live.metrics.MetricsHandler;
import weir.time.MachineClock;

/** The process that shows the brokers of a named cluster to Prometheus, and ends with the last of them. */
public final class ClusterMetricsMain {
    private static final long GLANCE = 500_000_000L;

    private ClusterMetricsMain() {}

    /** {@code address port token-file [broker=pid]...}; writes where it listens, once it does. */
    public static void main(String[] arguments) throws IOException {
        InetSocketAddress address =
                new InetSocketAddress(InetAddress.getByName(arguments[0]), Integer.parseInt(arguments[1]));
        String token = arguments[2].isEmpty()
                ? ""
                : Files.readString(Path.of(arguments[2])).strip();
        SortedMap<Integer, Long> brokers = new TreeMap<>();
        for (String pair : List.of(arguments).subList(3, arguments.length)) {
            int equals = pair.indexOf('=');
            brokers.put(Integer.parseInt(pair.substring(0, equals)), Long.parseLong(pair.substring(equals + 1)));
        }
        List<ProcessId> processes = brokers.values().stream().map(ProcessId::of).toList();
        try (BrokerSeries series = new BrokerSeries(MachineClock.STEADY);
                LiveServer server = LiveServer.start(
                        address,
                        token,
                        Map.of(MetricsHandler.PATH, MetricsHandler.of(brokers, series, MachineClock.STEADY)),
                        List.of())) {
            series.meet(brokers);
            System.out.println(server.url().resolve(MetricsHandler.PATH));
            while (processes.stream().anyMatch(ProcessId::alive)) {
                LockSupport.parkNanos(GLANCE);
            }
        }
    }
}
