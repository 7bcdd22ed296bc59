package weir.cluster.relay;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import weir.cluster.Broker;
import weir.cluster.Impairment;
import weir.cluster.start.EmbeddedCluster;
import weir.cluster.start.Node;
import weir.cluster.start.StartOptions;
import weir.host.kernel.KernelFiles;
import weir.host.kernel.Sockets;
import weir.io.Io;
import weir.plan.DisturbanceSpec.Network;

/**
 * The relays of a cluster. The clients of the load, the brokers and the controllers connect through them. The relays
 * know which broker opened a connection.
 */
public final class Relays implements StartOptions.Relaying {
    private static final int NO_BROKER = 0;

    private final EmbeddedCluster cluster;
    private final List<PlacedRelay> all = new ArrayList<>();

    private record PlacedRelay(Node node, String listener, Relay relay) {}

    private Relays(EmbeddedCluster cluster) {
        this.cluster = cluster;
    }

    public static Relays before(EmbeddedCluster cluster) {
        Relays relays = new Relays(cluster);
        try {
            for (Node node : cluster.nodes()) {
                node.relayPorts()
                        .forEach((listener, port) -> relays.all.add(new PlacedRelay(
                                node,
                                listener,
                                new Relay(
                                        node.relayHost(listener),
                                        port,
                                        node.port(listener),
                                        from -> listener.equals(Node.RELAYED)
                                                ? NO_BROKER
                                                : relays.broker(from, port)))));
            }
            return relays;
        } catch (RuntimeException e) {
            relays.close();
            throw e;
        }
    }

    private int broker(int from, int to) {
        Map<Long, Integer> brokers = new HashMap<>();
        for (Broker broker : cluster.brokers()) {
            if (broker.here()) {
                brokers.put(broker.pid(), broker.id());
            }
        }
        return Io.attempt("reading the process that connected from port " + from, () -> {
            OptionalLong owner = Sockets.owner(KernelFiles.LIVE, from, to, brokers.keySet());
            return owner.isEmpty() ? NO_BROKER : brokers.getOrDefault(owner.getAsLong(), NO_BROKER);
        });
    }

    @Override
    public Impairment impair(Network asked) {
        List<RelayEffect> effects = new ArrayList<>();
        for (PlacedRelay placed : all) {
            boolean own = placed.node.broker() && placed.node.id() == asked.broker();
            if (placed.listener.equals(Node.RELAYED)) {
                if (own && asked.between() != Network.Between.BROKERS) {
                    begin(asked, placed.relay, true, Relay.ANYBODY, effects);
                }
            } else if (asked.between() != Network.Between.CLIENTS) {
                if (own) {
                    // A broker's connection to itself uses no network.
                    others(asked.broker()).forEach(other -> begin(asked, placed.relay, true, other, effects));
                } else {
                    begin(asked, placed.relay, false, asked.broker(), effects);
                }
            }
        }
        return () -> {
            for (int i = effects.size() - 1; i >= 0; i--) {
                effects.get(i).close();
            }
        };
    }

    private List<Integer> others(int broker) {
        List<Integer> others = new ArrayList<>(List.of(NO_BROKER));
        cluster.brokers().stream().map(Broker::id).filter(id -> id != broker).forEach(others::add);
        return others;
    }

    private static void begin(Network asked, Relay relay, boolean serves, int source, List<RelayEffect> effects) {
        Relay.Direction direction = switch (asked.way()) {
            case BOTH -> Relay.Direction.BOTH;
            case IN -> serves ? Relay.Direction.REQUESTS : Relay.Direction.REPLIES;
            case OUT -> serves ? Relay.Direction.REPLIES : Relay.Direction.REQUESTS;
        };
        if (!asked.delay().isZero() || !asked.jitter().isZero()) {
            effects.add(relay.delay(direction, asked.delay(), asked.jitter(), source));
        }
        if (asked.bytesPerSecond().bytes() > 0) {
            effects.add(relay.limit(direction, asked.bytesPerSecond().bytes(), source));
        }
        if (asked.cut()) {
            effects.add(relay.stall(direction, source));
        }
    }

    @Override
    public void close() {
        all.forEach(placed -> placed.relay.close());
    }
}
