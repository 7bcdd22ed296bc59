package weir.bridge.delivery;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.function.ObjDoubleConsumer;

/** One process on the way of an event. */
public final class Rung implements AutoCloseable {
    private Rung() {}

    /**
     * Returns when it can be connected to, and reads from where it left off.
     *
     * @throws IOException when it cannot listen there
     */
    public static Rung start(RungSettings settings) throws IOException {
        throw new IOException("not built yet: " + settings);
    }

    public InetSocketAddress address() {
        throw new UnsupportedOperationException("not built yet");
    }

    /** Tells its figures, all of them totals since the start; once a second. */
    public void look(ObjDoubleConsumer<String> into) {
        throw new UnsupportedOperationException("not built yet");
    }

    /** Takes nothing more, and hands on what it holds for at most ten seconds. */
    @Override
    public void close() {}
}
