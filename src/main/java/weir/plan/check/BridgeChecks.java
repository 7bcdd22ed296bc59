package weir.plan.check;

import java.util.Locale;
import weir.plan.BridgeSpec;
import weir.plan.HttpSpec;
import weir.plan.LoadSpec;
import weir.plan.ValueSpec;
import weir.plan.Variant;
import weir.plan.syntax.ProblemSpot;

/** Checks that a load by HTTP has servers to go to, and that they can take what it sends. */
record BridgeChecks(ProblemSpot spot, String path, LoadSpec load, Variant variant) {
    /** A gateway takes the identities of so many in one header. */
    private static final int MOST_HEADED = 400;

    private static final long BODY_BYTES = 4 << 20;
    private static final long MAX_REQUEST_BYTES = 1 << 20;

    void check() {
        if (load.producers().engine() == LoadSpec.Engine.HTTP) {
            sender();
        }
        if (variant.bridge() instanceof BridgeSpec.Gateway gateway) {
            gateway(gateway);
        }
    }

    private void sender() {
        HttpSpec asked = load.producers().http();
        int connections = asked.connections();
        if (connections < load.producers().count()) {
            spot.wrong(
                    path + ".connections",
                    "'" + connections + "' connections for " + load.producers().count()
                            + " producers; each needs one at least");
        }
        request(asked);
    }

    private void request(HttpSpec asked) {
        ValueSpec value = load.messages().value();
        if (asked.request() == HttpSpec.Request.LINES && asked.batch() > MOST_HEADED) {
            spot.wrong(
                    path + ".http.batch",
                    "must be at most " + MOST_HEADED + " with http.request: lines, found '" + asked.batch() + "'");
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
