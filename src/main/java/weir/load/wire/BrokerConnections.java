package weir.load.wire;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import weir.wire.BrokerRefusal;
import weir.wire.Connection;

/** One sender's connections: to each broker that leads one of its partitions, and again when it is lost. */
final class BrokerConnections implements AutoCloseable {
    private final PartitionLeaders leaders;
    private final ConnectionOpener dialer;
    private final ProducerSettings terms;
    private final PartitionQueues lanes;
    private final Selector selector;
    private final Map<Integer, BrokerConnection> lines = new HashMap<>();
    private final Queue<Dialled> dialled = new ConcurrentLinkedQueue<>();
    private final Runnable wakeUp;
    private PartitionLeaders.View view;
    private boolean closed;

    /** The outcome of an attempt to connect: a connection, or why there is none. */
    private record Dialled(
            BrokerConnection line,
            int attempt,
            @Nullable Connection connection,
            @Nullable IOException why) {}

    BrokerConnections(
            PartitionLeaders leaders,
            ConnectionOpener dialer,
            ProducerSettings terms,
            PartitionQueues lanes,
            Selector selector) {
        this.leaders = leaders;
        this.dialer = dialer;
        this.terms = terms;
        this.lanes = lanes;
        this.selector = selector;
        this.wakeUp = selector::wakeup;
        this.view = leaders.view();
        leaders.listen(wakeUp);
        assign(Long.MIN_VALUE);
    }

    /** Looks after the connections: takes over those that were made, follows leaders that moved, calls again who is lost. */
    void follow(long nowNanos) {
        for (Dialled next = dialled.poll(); next != null; next = dialled.poll()) {
            take(next);
        }
        for (BrokerConnection line : lines.values()) {
            if (line.flying() > 0 && nowNanos - line.flight(0).sentNanos > terms.requestNanos()) {
                lost(line, nowNanos);
            }
        }
        PartitionLeaders.View now = leaders.view();
        if (now.number() != view.number()) {
            view = now;
            assign(nowNanos);
        }
        dialAll();
    }

    private void assign(long nowNanos) {
        for (PartitionQueue lane : lanes.all()) {
            PartitionLeader leader = view.leader(lane.index());
            BrokerConnection before = lane.line();
            if (leader.none()) {
                continue;
            }
            BrokerConnection line =
                    lines.computeIfAbsent(leader.broker(), broker -> new BrokerConnection(broker, leader.at(), terms));
            if (!line.at().equals(leader.at())) {
                line.at(leader.at());
                lost(line, nowNanos);
            }
            if (line != before) {
                if (before != null) {
                    before.lanes().remove(lane);
                }
                line.lanes().add(lane);
                line.lanes().sort((one, other) -> Integer.compare(one.index(), other.index()));
                lane.line(line);
            }
        }
    }

    void dialAll() {
        for (BrokerConnection line : lines.values()) {
            if (line.idle() && !line.lanes().isEmpty()) {
                int attempt = line.dial();
                dialer.dial(line.at(), line.failures(), new ConnectionOpener.Caller() {
                    @Override
                    public void connected(Connection connection) {
                        handOver(new Dialled(line, attempt, connection, null));
                    }

                    @Override
                    public void failed(IOException why) {
                        handOver(new Dialled(line, attempt, null, why));
                    }
                });
            }
        }
    }

    private synchronized void handOver(Dialled made) {
        if (closed) {
            drop(made);
            return;
        }
        dialled.add(made);
        selector.wakeup();
    }

    private static void drop(Dialled made) {
        if (made.connection != null) {
            made.connection.close();
        }
    }

    private void take(Dialled made) {
        if (!made.line.dials(made.attempt)) {
            drop(made);
            return;
        }
        IOException why = made.why;
        if (made.connection != null) {
            try {
                made.line.connected(made.connection, selector);
                return;
            } catch (IOException e) {
                drop(made);
                why = e;
            }
        }
        if (why instanceof BrokerRefusal) {
            throw new UncheckedIOException(why);
        }
        made.line.failed();
        outdated();
    }

    /** Who leads is not who was thought to. */
    void outdated() {
        leaders.outdated(view);
    }

    Iterable<BrokerConnection> all() {
        return lines.values();
    }

    void send(long nowNanos, WireCounters tally) {
        for (BrokerConnection line : lines.values()) {
            if (line.up()) {
                try {
                    line.send(nowNanos, tally);
                } catch (IOException e) {
                    lost(line, nowNanos);
                }
            }
        }
    }

    /** Returns when the brokers are done with all that was sent to them. Who hangs up has taken what it has taken. */
    void settle(long nowNanos) {
        for (BrokerConnection line : lines.values()) {
            if (line.up()) {
                try {
                    line.connection().settle(Duration.ofNanos(terms.requestNanos()));
                } catch (IOException e) {
                    lost(line, nowNanos);
                }
            }
        }
    }

    /** Handles the loss of a connection: what was on its way there may be written or not. */
    void lost(BrokerConnection line, long nowNanos) {
        while (line.flying() > 0) {
            BrokerConnection.Flight flight = line.flight(0);
            for (int i = 0; i < flight.slots.size(); i++) {
                BatchBuffer slot = flight.slots.get(i);
                PartitionQueue lane = flight.lanes.get(i);
                if (slot.onItsWay) {
                    lane.returned(slot, true);
                    slot.backOff(nowNanos, terms, Errors.NETWORK_EXCEPTION.exception());
                }
            }
            line.landed();
        }
        line.hangUp();
        outdated();
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        leaders.forget(wakeUp);
        for (Dialled next = dialled.poll(); next != null; next = dialled.poll()) {
            drop(next);
        }
        lines.values().forEach(BrokerConnection::hangUp);
        try {
            selector.close();
        } catch (IOException e) {
            throw new UncheckedIOException("closing a selector", e);
        }
    }
}
