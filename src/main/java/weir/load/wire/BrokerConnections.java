package weir.load.wire;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.protocol.Errors;
import weir.load.engine.EngineCounters;
import weir.wire.BrokerRefusal;
import weir.wire.Connection;

/** One sender's connections: one to each broker that leads one of its partitions, reopened when it is lost. */
final class BrokerConnections implements AutoCloseable {
    private final PartitionLeaders leaders;
    private final ConnectionOpener dialer;
    private final ProducerSettings settings;
    private final PartitionQueues queues;
    private final Selector selector;
    private final Map<Integer, BrokerConnection> brokers = new HashMap<>();
    private final Mailbox mailbox;
    private final Runnable wakeUp;
    private PartitionLeaders.View view;

    BrokerConnections(
            PartitionLeaders leaders,
            ConnectionOpener dialer,
            ProducerSettings settings,
            PartitionQueues queues,
            Selector selector) {
        this.leaders = leaders;
        this.dialer = dialer;
        this.settings = settings;
        this.queues = queues;
        this.selector = selector;
        this.mailbox = new Mailbox(selector);
        this.wakeUp = selector::wakeup;
        this.view = leaders.view();
        leaders.listen(wakeUp);
        assign(Long.MIN_VALUE);
    }

    void follow(long nowNanos) throws IOException {
        mailbox.tell();
        for (BrokerConnection broker : brokers.values()) {
            if (broker.flying > 0 && nowNanos - broker.flight(0).sentNanos > settings.requestNanos()) {
                lost(broker, nowNanos);
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
        queues.follow(view.partitions());
        for (PartitionQueue queue : queues.all) {
            PartitionLeader leader = view.leader(queue.index);
            BrokerConnection before = queue.broker();
            if (leader.none()) {
                continue;
            }
            BrokerConnection broker =
                    brokers.computeIfAbsent(leader.broker(), id -> new BrokerConnection(id, leader.at(), settings));
            if (!broker.at.equals(leader.at())) {
                broker.at(leader.at());
                lost(broker, nowNanos);
            }
            if (broker != before) {
                if (before != null) {
                    before.queues.remove(queue);
                }
                broker.queues.add(queue);
                broker.queues.sort(Comparator.comparing(PartitionQueue::partition));
                queue.broker(broker);
            }
        }
    }

    void dialAll() {
        for (BrokerConnection broker : brokers.values()) {
            if (broker.idle() && !broker.queues.isEmpty()) {
                int attempt = broker.dial();
                dialer.dial(broker.at, broker.failures, mailbox, new ConnectionOpener.Caller() {
                    @Override
                    public void connected(Connection connection) {
                        take(broker, attempt, connection);
                    }

                    @Override
                    public void failed(IOException why) {
                        if (broker.dials(attempt)) {
                            unreached(broker, why);
                        }
                    }
                });
            }
        }
    }

    private void take(BrokerConnection broker, int attempt, Connection connection) {
        if (!broker.dials(attempt)) {
            connection.close();
            return;
        }
        try {
            broker.connected(connection, selector);
        } catch (IOException e) {
            connection.close();
            unreached(broker, e);
        }
    }

    private void unreached(BrokerConnection broker, IOException why) {
        if (why instanceof BrokerRefusal) {
            throw new UncheckedIOException(why);
        }
        broker.failed();
        outdated();
    }

    void outdated() {
        leaders.outdated(view);
    }

    Iterable<BrokerConnection> all() {
        return brokers.values();
    }

    void send(long nowNanos, EngineCounters<WireCount> counters) {
        for (BrokerConnection broker : brokers.values()) {
            if (broker.up()) {
                try {
                    broker.send(nowNanos, counters);
                } catch (IOException e) {
                    lost(broker, nowNanos);
                }
            }
        }
    }

    void settle(long nowNanos) {
        for (BrokerConnection broker : brokers.values()) {
            if (broker.up()) {
                try {
                    broker.connection().settle(Duration.ofNanos(settings.requestNanos()));
                } catch (IOException e) {
                    lost(broker, nowNanos);
                }
            }
        }
    }

    void lost(BrokerConnection broker, long nowNanos) {
        while (broker.flying > 0) {
            BrokerConnection.Flight flight = broker.flight(0);
            for (int i = 0; i < flight.buffers.size(); i++) {
                BatchBuffer buffer = flight.buffers.get(i);
                PartitionQueue queue = flight.queues.get(i);
                if (buffer.onItsWay) {
                    queue.returned(buffer, true);
                    buffer.backOff(nowNanos, settings, Errors.NETWORK_EXCEPTION.exception());
                }
            }
            broker.landed();
        }
        broker.hangUp();
        outdated();
    }

    @Override
    public void close() {
        leaders.forget(wakeUp);
        mailbox.end();
        brokers.values().forEach(BrokerConnection::hangUp);
        try {
            selector.close();
        } catch (IOException e) {
            throw new UncheckedIOException("closing a selector", e);
        }
    }
}
