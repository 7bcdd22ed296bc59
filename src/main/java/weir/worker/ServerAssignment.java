package weir.worker;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import weir.plan.BridgeSpec;
import weir.plan.property.ResolvedSecrets;

/** The task of a server process. Its properties hold resolved secrets: never write them down. */
public sealed interface ServerAssignment {
    default String host() {
        return ServerSite.LOOPBACK;
    }

    int port();

    default ResolvedSecrets secrets() {
        return ResolvedSecrets.NONE;
    }

    /**
     * A gateway.
     *
     * @param producer all properties, {@code bootstrap.servers} included
     * @param vouched true if a balancer before it may use any host name for it
     */
    record Gateway(
            String host,
            int port,
            SortedMap<String, String> producer,
            BridgeSpec.Answer answer,
            boolean vouched,
            ResolvedSecrets secrets)
            implements ServerAssignment {
        public Gateway {
            producer = Collections.unmodifiableSortedMap(new TreeMap<>(producer));
        }

        // The generated text would hold the secrets.
        @Override
        public String toString() {
            return "gateway at " + host + ":" + port;
        }
    }

    record Sink(int port) implements ServerAssignment {}

    /**
     * A process on the path of an event, which reports its own figures.
     *
     * @param source of its readings
     * @param originNanos second 0 of them
     */
    record Rung(RungSettings settings, String source, long originNanos, ResolvedSecrets secrets)
            implements ServerAssignment {
        @Override
        public int port() {
            return settings.port();
        }

        // The generated text would hold the secrets.
        @Override
        public String toString() {
            return settings.toString();
        }
    }
}
