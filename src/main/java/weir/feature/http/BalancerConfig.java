package weir.feature.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import weir.plan.BridgeSpec;

/**
 * The configuration of a balancer in front of servers: a user's own, or one of ours. Ours send requests to each server
 * in turn, keep connections open, and drop a server that does not answer: HAProxy asks each for {@code /healthz},
 * nginx counts failed requests. Timeouts are 5 s to connect and 50 s to answer.
 */
public final class BalancerConfig {
    private static final String PORT = "{port}";
    private static final String ADDRESS = "{address}";

    private BalancerConfig() {}

    /**
     * The text of our file.
     *
     * @param own the address at which it listens
     * @param servers to which it hands requests
     */
    public static String of(BridgeSpec.Balancer balancer, InetSocketAddress own, List<InetSocketAddress> servers) {
        boolean haproxy = balancer == BridgeSpec.Balancer.HAPROXY;
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < servers.size(); i++) {
            String server = at(servers.get(i));
            lines.append(
                    haproxy
                            ? "    server gateway-" + (i + 1) + " " + server + " check\n"
                            : "        server " + server + " max_fails=1 fail_timeout=1s;\n");
        }
        String name = haproxy ? "haproxy.cfg" : "nginx.conf";
        try (InputStream in = BalancerConfig.class.getResourceAsStream(name)) {
            String template = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
            return of(template.replace("{servers}\n", lines), own, List.of());
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + name, e);
        }
    }

    /**
     * A user's own text, in which {@code {address}}, {@code {port}} and {@code {gateway-1}} are replaced in each
     * trial.
     */
    public static String of(String template, InetSocketAddress own, List<InetSocketAddress> servers) {
        String text = template.replace(ADDRESS, host(own)).replace(PORT, String.valueOf(own.getPort()));
        for (int i = 1; i <= servers.size(); i++) {
            text = text.replace(server(i), at(servers.get(i - 1)));
        }
        return text;
    }

    /** The first required place that a user's own text lacks; empty when it has all. */
    public static Optional<String> absent(String own, int servers) {
        return Stream.concat(Stream.of(PORT), IntStream.rangeClosed(1, servers).mapToObj(BalancerConfig::server))
                .filter(place -> !own.contains(place))
                .findFirst();
    }

    private static String server(int number) {
        return "{gateway-" + number + "}";
    }

    /** The command that runs it in the foreground, in one process that ends with its parent. */
    public static List<String> command(BridgeSpec.Balancer balancer, Path program, Path config, Path folder) {
        return balancer == BridgeSpec.Balancer.HAPROXY
                ? List.of(program.toString(), "-db", "-f", config.toString())
                : nginx(program, config, folder);
    }

    public static List<String> check(BridgeSpec.Balancer balancer, Path program, Path config, Path folder) {
        if (balancer == BridgeSpec.Balancer.HAPROXY) {
            return List.of(program.toString(), "-c", "-f", config.toString());
        }
        List<String> command = new ArrayList<>(nginx(program, config, folder));
        command.addAll(List.of("-t", "-q"));
        return command;
    }

    private static List<String> nginx(Path program, Path config, Path folder) {
        // Paths are those below -p: in a configuration a path may hold what ends a word there.
        String single = "daemon off; master_process off; pid nginx.pid;";
        return List.of(
                program.toString(), "-p", folder.toString(), "-c", config.toString(), "-e", "stderr", "-g", single);
    }

    private static String at(InetSocketAddress server) {
        return host(server) + ":" + server.getPort();
    }

    private static String host(InetSocketAddress server) {
        String address = server.getAddress().getHostAddress();
        return address.indexOf(':') >= 0 ? "[" + address + "]" : address;
    }
}
