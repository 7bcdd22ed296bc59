package weir.bridge;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import weir.plan.BridgeSpec;

/**
 * The configuration of a balancer before servers: a user's own, or one of ours. Ours take requests in turn to each server, keep
 * their connections to them, and give a server up that does not answer: HAProxy asks each for {@code /healthz}, nginx
 * notices by the requests that fail. Timeouts are 5 s to connect and 50 s to answer.
 */
public final class BalancerConfig {
    private static final int KEPT_CONNECTIONS = 256;
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
        return balancer == BridgeSpec.Balancer.HAPROXY ? haproxy(own, servers) : nginx(own, servers);
    }

    /**
     * A user's own text, in which {@code {address}}, {@code {port}} and {@code {gateway-1}} stand for what differs from trial to
     * trial.
     */
    public static String of(String template, InetSocketAddress own, List<InetSocketAddress> servers) {
        String text = template.replace(ADDRESS, host(own)).replace(PORT, String.valueOf(own.getPort()));
        for (int i = 1; i <= servers.size(); i++) {
            text = text.replace(server(i), at(servers.get(i - 1)));
        }
        return text;
    }

    /** The first place that a user's own text has to name and does not; empty when it names all. */
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

    private static String haproxy(InetSocketAddress own, List<InetSocketAddress> servers) {
        StringBuilder text = new StringBuilder("""
                global
                    maxconn 4096
                    tune.bufsize 65536
                defaults
                    mode http
                    timeout connect 5s
                    timeout client 50s
                    timeout server 50s
                    option http-keep-alive
                    http-reuse always
                frontend http
                    bind %s
                    default_backend gateways
                backend gateways
                    balance roundrobin
                    option httpchk GET /healthz
                    default-server inter 1s fall 2 rise 1
                """.formatted(at(own)));
        for (int i = 0; i < servers.size(); i++) {
            text.append("    server gateway-")
                    .append(i + 1)
                    .append(' ')
                    .append(at(servers.get(i)))
                    .append(" check\n");
        }
        return text.toString();
    }

    private static String nginx(InetSocketAddress own, List<InetSocketAddress> servers) {
        StringBuilder upstream = new StringBuilder();
        for (InetSocketAddress server : servers) {
            upstream.append("        server ").append(at(server)).append(" max_fails=1 fail_timeout=1s;\n");
        }
        return """
                error_log stderr warn;
                events {
                    worker_connections 4096;
                }
                http {
                    access_log off;
                    client_body_temp_path body;
                    proxy_temp_path proxy;
                    fastcgi_temp_path fastcgi;
                    uwsgi_temp_path uwsgi;
                    scgi_temp_path scgi;
                    client_max_body_size 8m;
                    client_body_buffer_size 64k;
                    large_client_header_buffers 4 64k;
                    keepalive_requests 100000000;
                    proxy_connect_timeout 5s;
                    proxy_read_timeout 50s;
                    proxy_send_timeout 50s;
                    upstream gateways {
                %2$s        keepalive %3$d;
                        keepalive_requests 100000000;
                    }
                    server {
                        listen %1$s backlog=1024;
                        location / {
                            proxy_pass http://gateways;
                            proxy_http_version 1.1;
                            proxy_set_header Connection "";
                            proxy_set_header Host $http_host;
                        }
                    }
                }
                """.formatted(at(own), upstream, KEPT_CONNECTIONS);
    }

    private static String at(InetSocketAddress server) {
        return host(server) + ":" + server.getPort();
    }

    private static String host(InetSocketAddress server) {
        String address = server.getAddress().getHostAddress();
        return address.indexOf(':') >= 0 ? "[" + address + "]" : address;
    }
}
