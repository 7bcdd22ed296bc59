package weir.plan.check;

import java.util.Locale;
import java.util.SortedMap;
import weir.plan.LoadSpec;
import weir.plan.Variant;
import weir.plan.property.WireProperties;
import weir.plan.syntax.ProblemSpot;

/** Checks that an engine can do what a load asks of it. */
record EngineChecks(ProblemSpot spot, String path, LoadSpec load, Variant variant) {
    private static final int MOST_IN_FLIGHT = 5;

    void check() {
        if (load.producers().engine() == LoadSpec.Engine.WIRE
                || load.consumers().engine() == LoadSpec.Engine.WIRE) {
            wire();
        }
        idempotence();
        new TransactionChecks(spot, path, load, variant).check();
    }

    private void wire() {
        if (load.producers().engine() == LoadSpec.Engine.WIRE) {
            properties(path + ".producer", load.producers().properties());
        }
        if (load.consumers().engine() == LoadSpec.Engine.WIRE) {
            properties(path + ".consumer", load.consumers().properties());
        }
        SortedMap<String, String> client = variant.cluster().client();
        properties("cluster.client", client);
        boolean sasl = client.getOrDefault("security.protocol", "")
                .toUpperCase(Locale.ROOT)
                .startsWith("SASL");
        if (sasl && !client.containsKey("sasl.mechanism")) {
            spot.wrong(
                    "cluster.client.security.protocol",
                    "without sasl.mechanism Kafka means GSSAPI, which the wire engine cannot do; write sasl.mechanism: "
                            + String.join(" or ", WireProperties.values("sasl.mechanism")));
        }
    }

    private void properties(String map, SortedMap<String, String> properties) {
        properties.forEach((name, value) -> {
            String refused = WireProperties.refuses(name, value);
            if (map.equals("cluster.client") && !WireProperties.known().containsKey(name) && spot.inClientFile(name)) {
                spot.remark("'" + name + "' of the file of client properties has no effect on the wire engine");
            } else if (!refused.isEmpty()) {
                spot.wrong(map + "." + name, refused);
            }
        });
    }

    /** Kafka's own client refuses the same, but only once it is started. */
    private void idempotence() {
        if (!property("enable.idempotence").equalsIgnoreCase("true")) {
            return;
        }
        String acks = property("acks");
        if (acks.equals("0") || acks.equals("1")) {
            spot.wrong(
                    path + ".producer.acks",
                    "'" + acks + "' and enable.idempotence: true exclude each other; write acks: all, or leave out"
                            + " enable.idempotence");
        }
        String inFlight = property("max.in.flight.requests.per.connection");
        if (inFlight.matches("[0-9]{1,9}") && Integer.parseInt(inFlight) > MOST_IN_FLIGHT) {
            spot.wrong(
                    path + ".producer.max.in.flight.requests.per.connection",
                    "'" + inFlight + "' is more than the " + MOST_IN_FLIGHT
                            + " for which brokers keep an idempotent producer's order; write at most that, or leave out"
                            + " enable.idempotence");
        }
        if (property("retries").equals("0")) {
            spot.wrong(
                    path + ".producer.retries",
                    "'0' and enable.idempotence: true exclude each other; leave out one of them");
        }
    }

    private String property(String name) {
        return load.producers().properties().getOrDefault(name, "").strip();
    }
}
