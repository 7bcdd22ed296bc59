package weir.worker;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import weir.plan.BridgeSpec;
import weir.plan.property.ResolvedSecrets;

/**
 * The task of a process that is a gateway, or a sink that only acknowledges. Its properties hold secrets, resolved: never to be written down.
 *
 * @param port on loopback
 * @param sink that it is one, for which nothing else matters
 * @param producer all properties, {@code bootstrap.servers} included
 * @param secrets what it never tells
 */
record GatewayAssignment(
        int port, boolean sink, SortedMap<String, String> producer, BridgeSpec.Answer answer, ResolvedSecrets secrets) {
    GatewayAssignment {
        producer = Collections.unmodifiableSortedMap(new TreeMap<>(producer));
    }

    static GatewayAssignment sink(int port) {
        return new GatewayAssignment(port, true, new TreeMap<>(), BridgeSpec.Answer.ACKED, ResolvedSecrets.NONE);
    }

    // The generated text would hold the secrets.
    @Override
    public String toString() {
        return "gateway at port " + port;
    }
}
