package weir.feature.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import weir.cli.CliCommand;
import weir.cli.CommandLineCluster;
import weir.cli.ConnectionOptions;
import weir.cli.ListenAddress;
import weir.cli.SignalHandler;
import weir.cluster.ClientJars;
import weir.cluster.ClientReferences;
import weir.cluster.start.ExternalCluster;
import weir.http.Access;
import weir.http.HttpServer;
import weir.http.HttpServer.RequestLimits;
import weir.plan.ClusterSpec;
import weir.plan.Variant;
import weir.plan.property.ResolvedSecrets;
import weir.run.Exit;

/** The {@code weir gateway} command, which writes HTTP requests to Kafka until it is stopped. */
@Command(
        name = "gateway",
        header = "Write the bodies of HTTP requests to Kafka.",
        footer = "Example: weir gateway --bootstrap-server" + " kafka-1:9092 --listen 127.0.0.1:8082",
        description = {
            "POST /topics/TOPIC?key=KEY writes the body as one record. A body of type application/x-ndjson has one"
                    + " record per line. A body of type application/vnd.weir.frames has four bytes of length before"
                    + " each record. The types application/vnd.kafka.json.v2+json and .binary.v2+json are the formats"
                    + " of Confluent's REST proxy and Strimzi's bridge.",
            "GET /healthz, /counters and /metrics report the state of the gateway. After SIGTERM or Ctrl-C, the"
                    + " gateway accepts no further request, answers the accepted requests, and exits with 0."
        })
final class GatewayCommand extends CliCommand implements Callable<Integer> {
    private static final String EXAMPLE = "127.0.0.1:8082";
    private static final Path NONE = Path.of("");

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Address to listen on (default: 127.0.0.1:8082). Port 0 takes a free port.")
    private String listen = "127.0.0.1:8082";

    @Option(
            names = "--answer",
            paramLabel = "acked|queued",
            description = "When to answer a request. With acked, after the brokers have acknowledged its records."
                    + " With queued, at once (default: acked).")
    private String answer = "acked";

    @Option(
            names = "--producer-property",
            paramLabel = "NAME=VALUE",
            description = "Property of the producer, such as linger.ms=5. Repeatable.")
    private List<String> producer = List.of();

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "File with a token. Each request must send it as Authorization: Bearer TOKEN.")
    private @Nullable Path tokenFile;

    @Option(
            names = "--tls-cert",
            paramLabel = "FILE",
            description = "Certificate and its chain, as PEM. The gateway then uses TLS.")
    private @Nullable Path chain;

    @Option(names = "--tls-key", paramLabel = "FILE", description = "Private key of the certificate, as PEM.")
    private @Nullable Path key;

    @Override
    public Integer call() throws IOException {
        ListenAddress asked = ListenAddress.read(command(), "--listen", listen, EXAMPLE);
        InetSocketAddress address = asked.socket();
        String token = ListenAddress.token(command(), tokenFile);
        boolean tls = certified();
        asked.guarded(!token.isEmpty() || tls, "--token-file, or --tls-cert and --tls-key");
        Variant variant = CommandLineCluster.variant(command(), connection, settings());
        GatewaySettings settings = new GatewaySettings(
                address.getAddress().getHostAddress(),
                address.getPort(),
                properties(variant),
                ((GatewaySpec) variant.bridge()).answer(),
                RequestLimits.DEFAULT,
                false,
                token,
                Objects.requireNonNullElse(chain, NONE),
                Objects.requireNonNullElse(key, NONE),
                ResolvedSecrets.NONE);
        try (SignalHandler interrupts = new SignalHandler(() -> {});
                Gateway gateway = Gateway.start(settings)) {
            out().println((tls ? "https" : "http") + "://" + Access.hostPort(gateway.address()));
            out().flush();
            interrupts.await();
        }
        return Exit.FINE.code();
    }

    private List<String> settings() {
        List<String> set = new ArrayList<>();
        // Only a load over HTTP may have a gateway.
        set.add("load.engine=http");
        set.add("bridge.gateway.answer=" + answer);
        for (String property : producer) {
            if (property.indexOf('=') < 1) {
                throw wrong("--producer-property: '" + property + "' is not NAME=VALUE, such as linger.ms=5");
            }
            set.add("bridge.gateway.producer." + property);
        }
        return set;
    }

    private SortedMap<String, String> properties(Variant asked) {
        ClusterSpec cluster = asked.cluster();
        if (cluster.startedByWeir()) {
            throw wrong("--bootstrap-server is missing; name the brokers, as in localhost:9092");
        }
        SortedMap<String, String> all =
                new TreeMap<>(ExternalCluster.connect(cluster).clientProperties());
        all.putAll(ClientReferences.of(((GatewaySpec) asked.bridge()).producer(), cluster.client())
                .properties());
        ClientJars.check("bridge.gateway.producer", all);
        return all;
    }

    /** Returns true with a certificate, and false without. Throws if its files are not a certificate and its key. */
    private boolean certified() {
        if (chain == null && key == null) {
            return false;
        }
        if (chain == null || key == null) {
            throw wrong(chain == null ? "--tls-key needs --tls-cert, too" : "--tls-cert needs --tls-key, too");
        }
        for (Path file : List.of(chain, key)) {
            if (Files.isDirectory(file) || !Files.isReadable(file)) {
                throw wrong("--tls-" + (file.equals(chain) ? "cert" : "key") + ": '" + file + "' cannot be read");
            }
        }
        try {
            return HttpServer.tls(chain, key, true).isPresent();
        } catch (IOException e) {
            throw wrong("--tls-cert and --tls-key: " + e.getMessage());
        }
    }
}
