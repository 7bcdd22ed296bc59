package weir.load.wire;

import java.io.IOException;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import weir.io.Io;
import weir.wire.BrokerRefusal;
import weir.wire.Connection;
import weir.wire.Endpoint;

/**
 * The connections of one sender or reader to the leaders of its partitions, one connection for each leader. All
 * connections share a selector and a mailbox. A lost connection is opened again.
 */
final class LeaderConnections<P extends LedPartition, C extends LeaderConnection<P>> implements AutoCloseable {
    final Selector selector;
    final Mailbox mailbox;
    final List<C> all = new ArrayList<>();
    private final PartitionLeaders leaders;
    private final ConnectionOpener dialer;
    private final BiFunction<Integer, Endpoint, C> make;
    private final Runnable wakeUp;
    private PartitionLeaders.@Nullable View seen;
    private int assigned;

    LeaderConnections(PartitionLeaders leaders, ConnectionOpener dialer, BiFunction<Integer, Endpoint, C> make) {
        this.leaders = leaders;
        this.dialer = dialer;
        this.make = make;
        try {
            this.selector = Selector.open();
        } catch (IOException e) {
            throw new IllegalStateException("opening a selector", e);
        }
        this.mailbox = new Mailbox(selector);
        this.wakeUp = selector::wakeup;
        leaders.listen(wakeUp);
    }

    /** Handles messages, ends connections without an answer in time, and connects to these partitions' leaders. */
    void follow(List<P> partitions, long nowNanos) throws IOException {
        mailbox.deliver();
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).overdue(nowNanos)) {
                lost(all.get(i), nowNanos);
            }
        }
        dial(partitions, nowNanos);
    }

    void dial(List<P> partitions, long nowNanos) {
        PartitionLeaders.View view = leaders.view();
        PartitionLeaders.View before = seen;
        if (before == null || view.number() != before.number() || partitions.size() != assigned) {
            seen = view;
            assigned = partitions.size();
            partitions.forEach(partition -> assign(partition, view.leader(partition.index), nowNanos));
        }
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).wantsConnection()) {
                dial(all.get(i));
            }
        }
    }

    private void assign(P partition, PartitionLeader leader, long nowNanos) {
        partition.leaderEpoch = leader.epoch();
        if (leader.none()) {
            return;
        }
        C next = to(leader);
        if (!next.at.equals(leader.at())) {
            next.at = leader.at();
            lost(next, nowNanos);
        }
        LeaderConnection<?> before = partition.leader;
        if (next != before) {
            if (before != null) {
                before.partitions.remove(partition);
            }
            next.partitions.add(partition);
            next.partitions.sort(Comparator.<P>comparingInt(one -> one.partition.topic())
                    .thenComparingInt(one -> one.partition.number()));
            partition.leader = next;
        }
    }

    private C to(PartitionLeader leader) {
        for (C known : all) {
            if (known.id == leader.broker()) {
                return known;
            }
        }
        C added = make.apply(leader.broker(), leader.at());
        all.add(added);
        return added;
    }

    private void dial(C broker) {
        int attempt = broker.dial();
        dialer.dial(broker.at, broker.failures, mailbox, new ConnectionOpener.Caller() {
            @Override
            public void connected(Connection connection) {
                if (!broker.dials(attempt)) {
                    connection.close();
                    return;
                }
                try {
                    broker.connected(connection, selector);
                } catch (IOException e) {
                    broker.disconnect();
                    outdated();
                }
            }

            @Override
            public void failed(IOException why) throws IOException {
                if (!broker.dials(attempt)) {
                    return;
                }
                if (why instanceof BrokerRefusal) {
                    throw why;
                }
                broker.failed();
                outdated();
            }
        });
    }

    /** Handles a fault of an open connection. The load ends if the broker refuses the protocol. */
    void broken(C broker, IOException why, long nowNanos) throws IOException {
        if (why instanceof BrokerRefusal) {
            throw why;
        }
        lost(broker, nowNanos);
    }

    void lost(C broker, long nowNanos) {
        broker.forget(nowNanos);
        broker.disconnect();
        outdated();
    }

    void outdated() {
        PartitionLeaders.View old = seen;
        if (old != null) {
            leaders.outdated(old);
        }
    }

    @Override
    public void close() {
        leaders.forget(wakeUp);
        mailbox.end();
        all.forEach(LeaderConnection::disconnect);
        Io.attempt("closing a selector", selector::close);
    }
}
