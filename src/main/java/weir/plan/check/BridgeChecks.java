package weir.plan.check;

import java.util.Locale;
import weir.plan.BridgeSpec;
import weir.plan.EnumNames;
import weir.plan.HttpSpec;
import weir.plan.KeySpec;
import weir.plan.LoadSpec;
import weir.plan.TransactionSpec;
import weir.plan.ValueSpec;
import weir.plan.Variant;
import weir.plan.syntax.ProblemSpot;

/** Checks that a load by HTTP has servers to go to, and that they can take what it sends. */
record BridgeChecks(ProblemSpot spot, String path, LoadSpec load, Variant variant) {
    private static final int MOST_INSTANCES = 32;
    private static final int MOST_CONNECTIONS = 10_000;
    /** A gateway takes the identities of so many in one header. */
    private static final int MOST_HEADED = 400;

    private static final int MOST_RECORDS = 10_000;
    private static final long BODY_BYTES = 4 << 20;
    private static final long MAX_REQUEST_BYTES = 1 << 20;

    void check() {
        boolean http = load.producers().engine() == LoadSpec.Engine.HTTP;
        if (http) {
            sender();
        } else if (variant.bridge() instanceof BridgeSpec.Gateway || variant.bridge() instanceof BridgeSpec.Url) {
            spot.wrong(
                    "bridge",
                    "nothing is sent through it by the engine "
                            + EnumNames.of(load.producers().engine())
                            + "; write load: { engine: { send: http, receive: client } }, or bridge: null");
        }
        if (load.target() == LoadSpec.Target.NULL && http && !(variant.bridge() instanceof BridgeSpec.None)) {
            spot.wrong(
                    "bridge",
                    "target null takes the place of what stands in the bridge, too; write bridge: null in this variant");
        }
        if (variant.bridge() instanceof BridgeSpec.Gateway gateway) {
            gateway(gateway);
        }
        if (variant.bridge() instanceof BridgeSpec.Url url && !url.url().matches("https?://[^/?#\\s@]+(/[^?#\\s]*)?")) {
            spot.wrong("bridge.url", "'" + url.url() + "' is no address of a server; write http://HOST:PORT");
        }
    }

    private void sender() {
        boolean none = variant.bridge() instanceof BridgeSpec.None && spot.sound("bridge");
        if (none && load.target() == LoadSpec.Target.CLUSTER) {
            spot.wrong(
                    path + ".engine",
                    "the engine http needs a server to send to; write bridge: { gateway: {} }, { path: … } or { url: …"
                            + " }");
        }
        if (load.workload() == LoadSpec.Workload.WRITE || load.workload() == LoadSpec.Workload.STREAM) {
            spot.wrong(
                    path + ".workload",
                    "the engine http carries single records, and an operation of " + EnumNames.of(load.workload())
                            + " is more; use engine: client");
        }
        if (!(load.transaction() instanceof TransactionSpec.None)) {
            spot.wrong(path + ".transaction", "the engine http has no transactions; use engine: client");
        }
        if (!load.producers().properties().isEmpty()) {
            String name = load.producers().properties().firstKey();
            spot.wrong(
                    path + ".producer." + name,
                    variant.bridge() instanceof BridgeSpec.Delivery
                            ? "the sender speaks HTTP; write it below bridge.producer, where a channel writes to Kafka"
                            : "the producers are in the gateways; write it below bridge.gateway.producer");
        }
        HttpSpec asked = load.producers().http();
        int connections = asked.connections();
        if (connections < load.producers().count() || connections > MOST_CONNECTIONS) {
            spot.wrong(
                    path + ".connections",
                    "'" + connections + "' connections for " + load.producers().count()
                            + " producers; each needs one at least, and " + MOST_CONNECTIONS + " are the most");
        }
        if (!asked.token().isEmpty() && !asked.token().matches("\\$\\{(env|file|secret):[^}]+}")) {
            spot.wrong(path + ".http.token", "a token is a secret; write ${env:NAME} or ${file:PATH}");
        }
        if (asked.timeout().isZero()) {
            spot.wrong(path + ".http.timeout", "'0s' is no time; write at least 1ms");
        }
        request(asked);
    }

    private void request(HttpSpec asked) {
        ValueSpec value = load.messages().value();
        boolean text = value instanceof ValueSpec.FromFile f
                ? f.each() instanceof ValueSpec.Each.Line
                : value instanceof ValueSpec.Generated g && g.content().ownSize();
        if (asked.request() == HttpSpec.Request.LINES) {
            if (!text) {
                spot.wrong(
                        path + ".http.request",
                        "'lines' are values without line ends, as planes, a sequence or the lines of a file are; write"
                                + " raw or rest-v2");
            }
            if (!(load.messages().key() instanceof KeySpec.None)) {
                spot.wrong(
                        path + ".http.request",
                        "'lines' have no keys of their own; write rest-v2, or leave out the key");
            }
        }
        if (asked.request() == HttpSpec.Request.RAW && asked.batch() > 1) {
            spot.wrong(
                    path + ".http.batch",
                    "a raw request is one record; write request: lines or rest-v2, or leave it out");
        }
        int most = asked.request() == HttpSpec.Request.LINES ? MOST_HEADED : MOST_RECORDS;
        if (asked.batch() > most || asked.batch() < 1) {
            spot.wrong(
                    path + ".http.batch", "'" + asked.batch() + "' records; a request of this kind has 1 to " + most);
        }
        double bytes = asked.batch() * value.meanBytes() * (asked.request() == HttpSpec.Request.REST_V2 ? 4 / 3.0 : 1);
        if (bytes > BODY_BYTES && variant.bridge() instanceof BridgeSpec.Gateway) {
            spot.wrong(
                    path + ".http.batch",
                    String.format(
                            Locale.ROOT,
                            "%d records are about %.1f MiB, and a gateway takes bodies of 4 MiB; write fewer",
                            asked.batch(),
                            bytes / (1 << 20)));
        }
    }

    private void gateway(BridgeSpec.Gateway gateway) {
        if (!gateway.config().toString().isEmpty() && gateway.balancers().size() != 1) {
            spot.wrong("bridge.config", "a file of your own is for one balancer; write balancer: haproxy or nginx");
        }
        boolean nginx = !gateway.balancers().isEmpty() && gateway.balancers().get(0) == BridgeSpec.Balancer.NGINX;
        if (load.producers().http().version() == HttpSpec.Version.HTTP_2
                && nginx
                && gateway.config().toString().isEmpty()) {
            spot.wrong(
                    path + ".http.version",
                    "'2' is not what our nginx takes; write 1.1, balancer: haproxy, or bridge.config: a file of your own");
        }
        if (gateway.instances() > MOST_INSTANCES) {
            spot.wrong(
                    "bridge.gateway.instances",
                    "'" + gateway.instances() + "' processes; the most are " + MOST_INSTANCES);
        }
        String most = gateway.producer().getOrDefault("max.request.size", "").strip();
        long bytes = most.matches("[0-9]{1,9}") ? Long.parseLong(most) : MAX_REQUEST_BYTES;
        if (load.messages().value().meanBytes() > bytes) {
            spot.wrong(
                    path + ".value.size",
                    "is above the " + bytes
                            + " bytes of the gateway's max.request.size, so no record would be written");
        }
    }
}
