package weir.load.wire;

import java.io.IOException;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import weir.wire.Connection;
import weir.wire.Endpoint;

/** A connection of one sender or reader to one leader of its partitions. The owner's thread calls it. */
abstract class LeaderConnection<P extends LedPartition> {
    final int id;
    Endpoint at;
    final List<P> partitions = new ArrayList<>();
    int failures;
    private @Nullable Connection connection;
    private boolean dialling;
    private int attempt;

    LeaderConnection(int id, Endpoint at) {
        this.id = id;
        this.at = at;
    }

    abstract void begin(Connection opened) throws IOException;

    abstract boolean overdue(long nowNanos);

    abstract void forget(long nowNanos);

    boolean up() {
        return connection != null;
    }

    Connection connection() {
        Connection up = connection;
        if (up == null) {
            throw new IllegalStateException("no connection to broker " + at);
        }
        return up;
    }

    boolean wantsConnection() {
        return connection == null && !dialling && !partitions.isEmpty();
    }

    int dial() {
        dialling = true;
        return ++attempt;
    }

    boolean dials(int which) {
        return dialling && which == attempt;
    }

    void failed() {
        dialling = false;
        failures++;
    }

    void connected(Connection opened, Selector selector) throws IOException {
        dialling = false;
        connection = opened;
        begin(opened);
        opened.register(selector, this);
    }

    void disconnect() {
        Connection down = connection;
        connection = null;
        dialling = false;
        if (down != null) {
            failures++;
            down.close();
        }
    }
}
