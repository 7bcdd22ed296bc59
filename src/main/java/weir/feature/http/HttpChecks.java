package weir.feature.http;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import weir.plan.DisturbanceSpec;
import weir.plan.LoadSpec;
import weir.plan.ValueSpec;
import weir.plan.Variant;
import weir.plan.check.Checks;
import weir.plan.check.EngineChecks;
import weir.plan.syntax.ProblemSpot;

/** The checks of a gateway's limits for requests and records, and of a receiver that accepts events from every host. */
public record HttpChecks(ProblemSpot spot, Variant variant) {
    private static final Pattern URL =
            Pattern.compile("https?://([^/?#\\s@:]+|\\[[^]]+])(?::([0-9]{1,5}))?(/[^?#\\s]*)?");
    private static final Set<String> EVERYWHERE = Set.of("0.0.0.0", "[::]");

    /** Maximum number of record identities in one request header to a gateway. */
    private static final int MOST_HEADED = 400;

    private static final long BODY_BYTES = 4 << 20;

    void check() {
        LoadSpec load = variant.load();
        if (load.producers().engine() == LoadSpec.Engine.OTHER) {
            sender(load);
        }
        if (variant.bridge() instanceof GatewaySpec gateway) {
            gateway(load, gateway);
        }
        boolean reads = load.workload() != LoadSpec.Workload.PRODUCE && load.workload() != LoadSpec.Workload.WRITE;
        if (load.consumers().engine() == LoadSpec.Engine.OTHER && reads && spot.sound("bridge")) {
            receiver(load.part(ReceiverSpec.class));
        }
        variant.during().forEach((name, disturbance) -> {
            if (disturbance instanceof DisturbanceSpec.Outage outage) {
                outage("during." + name, outage.server());
            }
        });
    }

    private void outage(String path, DisturbanceSpec.Server server) {
        int gateways = variant.bridge().instances();
        if (server.role().equals("gateway") && server.number() > gateways) {
            spot.wrong(
                    path,
                    "gateway " + server.number() + " does not exist; "
                            + (gateways == 0 ? "write bridge: { gateway: {} }" : "write 1 to " + gateways));
        }
    }

    private void sender(LoadSpec load) {
        HttpSpec asked = load.part(HttpSpec.class);
        int connections = asked.connections();
        if (connections < load.producers().count()) {
            spot.wrong(
                    "load.connections",
                    "must be at least " + load.producers().count() + ", one for each producer, found '" + connections
                            + "'");
        }
        request(load, asked);
    }

    private void request(LoadSpec load, HttpSpec asked) {
        ValueSpec value = load.messages().value();
        if (asked.request() == HttpSpec.Request.LINES && asked.batch() > MOST_HEADED) {
            spot.wrong(
                    "load.http.batch",
                    "must be at most " + MOST_HEADED + " with http.request: lines, found '" + asked.batch() + "'");
        }
        double bytes = asked.batch() * value.meanBytes() * (asked.request() == HttpSpec.Request.REST_V2 ? 4 / 3.0 : 1);
        if (bytes > BODY_BYTES && variant.bridge() instanceof GatewaySpec) {
            spot.wrong(
                    "load.http.batch",
                    String.format(
                            Locale.ROOT,
                            "%d records are about %.1f MiB, but a gateway accepts at most 4 MiB; write a smaller batch",
                            asked.batch(),
                            bytes / (1 << 20)));
        }
    }

    private void gateway(LoadSpec load, GatewaySpec gateway) {
        if (!gateway.config().toString().isEmpty() && gateway.balancer().size() != 1) {
            spot.wrong("bridge.config", "needs exactly one balancer; write balancer: haproxy or nginx");
        }
        long bytes = EngineChecks.number(gateway.producer(), "max.request.size", Checks.MAX_REQUEST_BYTES);
        if (load.messages().value().meanBytes() > bytes) {
            spot.wrong(
                    "load.value.size",
                    "must be at most max.request.size of the gateway (" + bytes
                            + " bytes), or Kafka rejects every record; write less");
        }
    }

    private void receiver(ReceiverSpec receiver) {
        if (!receiver.listen().isEmpty()
                && !loopback(host(receiver.listen()))
                && receiver.token().isEmpty()
                && receiver.certificate().toString().isEmpty()) {
            spot.wrong(
                    "load.listen",
                    "'" + receiver.listen() + "' would accept events from every host; write 127.0.0.1, or receiver:"
                            + " { token: ${env:NAME} }, or a certificate and a key");
        }
    }

    public static boolean url(String text) {
        return URL.matcher(text).matches();
    }

    public static boolean leads(String url, String listen) {
        Matcher m = URL.matcher(url);
        if (listen.isEmpty() || !m.matches()) {
            return false;
        }
        String port = m.group(2) != null ? m.group(2) : url.startsWith("https") ? "443" : "80";
        String host = m.group(1).toLowerCase(Locale.ROOT);
        String own = host(listen);
        boolean here = loopback(host) && (loopback(own) || EVERYWHERE.contains(own));
        return Integer.parseInt(port) == Integer.parseInt(listen.substring(listen.lastIndexOf(':') + 1))
                && (here || host.equals(own));
    }

    private static String host(String listen) {
        return listen.substring(0, listen.lastIndexOf(':')).toLowerCase(Locale.ROOT);
    }

    private static boolean loopback(String host) {
        return host.equals("localhost") || host.equals("[::1]") || host.matches("127(\\.[0-9]{1,3}){3}");
    }
}
