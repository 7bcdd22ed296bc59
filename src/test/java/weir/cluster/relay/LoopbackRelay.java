package weir.cluster.relay;

import weir.host.Ports;

/** A relay in front of any port of this machine, for tests without a broker. */
public record LoopbackRelay(Relay relay, int port) implements AutoCloseable {
    public static LoopbackRelay before(int target) {
        int port = new Ports().getAsInt();
        return new LoopbackRelay(new Relay(port, target), port);
    }

    @Override
    public void close() {
        relay.close();
    }
}
