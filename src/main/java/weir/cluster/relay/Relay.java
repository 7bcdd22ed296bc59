package weir.cluster.relay;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import weir.cluster.relay.RelayEffect.RelayDirection;
import weir.cluster.relay.RelayedConnection.RelayStream;
import weir.cluster.start.EmbeddedCluster;
import weir.cluster.start.Node;
import weir.io.Io;
import weir.plan.ClusterSpec;
import weir.time.DaemonThreads;
import weir.time.MachineClock;

/**
 * A TCP relay in front of a broker's listener that can delay, stall, limit, drop or cut traffic. One thread moves all
 * bytes and owns all state. A method that changes the relay returns after the change is in force.
 */
public final class Relay implements AutoCloseable {
    private static final int SCRATCH = 64 << 10;

    private final LongSupplier clock = MachineClock.STEADY;
    private final Selector selector;
    private final ServerSocketChannel door;
    private final InetSocketAddress target;
    private final IntUnaryOperator sources;
    private final List<RelayDirection> ways = new ArrayList<>();
    private final List<RelayedConnection> links = new ArrayList<>();
    private final List<RelayEffect> acts = new ArrayList<>();
    private final Queue<Runnable> asked = new ConcurrentLinkedQueue<>();
    private final ByteBuffer scratch = ByteBuffer.allocateDirect(SCRATCH);
    private final Thread thread = DaemonThreads.of("weir-relay", this::run);
    private boolean ended;
    private @Nullable Exception failure;

    static final int ANYBODY = -1;

    public enum Direction {
        REQUESTS,
        REPLIES,
        BOTH
    }

    Relay(int port, int target) {
        this(ClusterSpec.LOOPBACK, port, target, from -> 0);
    }

    /** @param sources maps a local port to the number of the connected source; called on the relay's thread */
    Relay(String address, int port, int target, IntUnaryOperator sources) {
        this.sources = sources;
        this.target = new InetSocketAddress(InetAddress.getLoopbackAddress(), target);
        try {
            selector = Selector.open();
            door = ServerSocketChannel.open();
            door.bind(new InetSocketAddress(address, port));
            door.configureBlocking(false);
            door.register(selector, SelectionKey.OP_ACCEPT);
        } catch (IOException e) {
            throw new UncheckedIOException("opening a relay at " + address + ":" + port, e);
        }
        thread.start();
    }

    public static Relay before(EmbeddedCluster cluster, int broker) {
        Node node = cluster.node(broker);
        return new Relay(node.relayPort(), node.port(Node.RELAYED));
    }

    /** Delays all bytes without lowering the throughput. */
    public RelayEffect delay(Direction direction, Duration by) {
        return delay(direction, by, Duration.ZERO, ANYBODY);
    }

    public RelayEffect stall(Direction direction) {
        return stall(direction, ANYBODY);
    }

    public RelayEffect limit(Direction direction, long bytesPerSecond) {
        return limit(direction, bytesPerSecond, ANYBODY);
    }

    /** Delays traffic with one source, each chunk randomly by up to {@code jitter} more. Chunks keep their order. */
    RelayEffect delay(Direction direction, Duration by, Duration jitter, int source) {
        return begin(RelayEffect.Kind.DELAY, direction, by.toNanos(), jitter.toNanos(), source);
    }

    RelayEffect stall(Direction direction, int source) {
        return begin(RelayEffect.Kind.STALL, direction, 0, 0, source);
    }

    RelayEffect limit(Direction direction, long bytesPerSecond, int source) {
        return begin(RelayEffect.Kind.LIMIT, direction, Math.max(1, bytesPerSecond), 0, source);
    }

    /** Drops replies of the server. At its end, the effect cuts connections that lost bytes. */
    public RelayEffect discardReplies() {
        return begin(RelayEffect.Kind.SWALLOW, Direction.REPLIES, 0, 0, ANYBODY);
    }

    /** Cuts all current connections and drops their bytes in flight. New connections are accepted. */
    public RelayEffect cut() {
        RelayEffect act = new RelayEffect(this, RelayEffect.Kind.CUT, Direction.BOTH, 0, 0, ANYBODY);
        runOnLoop(() -> {
            act.begins(clock.getAsLong(), links.size());
            for (RelayedConnection link : links) {
                link.streams().forEach(stream -> act.count(stream.held, 0));
                link.cut();
            }
            act.ends(clock.getAsLong());
            acts.add(act);
        });
        return act;
    }

    public List<RelayEffect> acts() {
        List<RelayEffect> copy = new ArrayList<>();
        runOnLoop(() -> copy.addAll(acts));
        return copy;
    }

    private RelayEffect begin(RelayEffect.Kind kind, Direction direction, long amount, long jitterNanos, int source) {
        RelayEffect act = new RelayEffect(this, kind, direction, amount, jitterNanos, source);
        runOnLoop(() -> {
            long open = links.stream()
                    .filter(link -> link.streams().stream().anyMatch(act::concerns))
                    .count();
            act.begins(clock.getAsLong(), (int) open);
            acts.add(act);
            ways.stream().filter(act::concerns).forEach(way -> way.begin(act));
        });
        return act;
    }

    void end(RelayEffect act) {
        runOnLoop(() -> {
            if (act.lasts()) {
                end(act, clock.getAsLong());
            }
        });
    }

    private void end(RelayEffect act, long nowNanos) {
        act.ends(nowNanos);
        ways.stream().filter(act::concerns).forEach(way -> way.end(act));
        for (RelayedConnection link : links) {
            for (RelayStream stream : link.streams()) {
                if (act.kind == RelayEffect.Kind.STALL && act.concerns(stream)) {
                    act.count(stream.held, nowNanos - act.startNanos());
                } else if (act.kind == RelayEffect.Kind.SWALLOW && stream.hasGap) {
                    link.cut();
                }
            }
        }
    }

    private RelayDirection way(Direction direction, int source) {
        for (RelayDirection way : ways) {
            if (way.direction == direction && way.source == source) {
                return way;
            }
        }
        RelayDirection way = new RelayDirection(direction, source);
        acts.stream().filter(act -> act.lasts() && act.concerns(way)).forEach(way::begin);
        ways.add(way);
        return way;
    }

    private void runOnLoop(Runnable what) {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        synchronized (this) {
            if (failure != null) {
                throw new IllegalStateException("the relay at " + target + " failed", failure);
            }
            if (ended) {
                // The relay's thread has ended, and no other thread touches its state.
                what.run();
                return;
            }
            asked.add(() -> {
                what.run();
                done.complete(true);
            });
        }
        selector.wakeup();
        done.join();
    }

    private void run() {
        Exception why = null;
        try {
            while (door.isOpen()) {
                long next = move();
                selector.select(this::ready, millisUntil(next));
            }
        } catch (IOException | RuntimeException e) {
            why = e;
        }
        synchronized (this) {
            failure = why;
            ended = true;
        }
        links.forEach(RelayedConnection::close);
        long now = clock.getAsLong();
        acts.stream().filter(RelayEffect::lasts).forEach(act -> end(act, now));
        shut();
        for (Runnable late = asked.poll(); late != null; late = asked.poll()) {
            late.run();
        }
    }

    private long move() {
        for (Runnable what = asked.poll(); what != null; what = asked.poll()) {
            what.run();
        }
        long now = clock.getAsLong();
        long next = RelayStream.NEVER;
        for (RelayedConnection link : links) {
            next = Math.min(next, link.move(now));
        }
        links.removeIf(link -> !link.open);
        return next;
    }

    /** Rounds up, because a selector counts in milliseconds and takes 0 as for ever. */
    private long millisUntil(long nanos) {
        return nanos == RelayStream.NEVER ? 0 : Math.max(1, (nanos - clock.getAsLong() + 999_999) / 1_000_000);
    }

    private void ready(SelectionKey key) {
        if (key.attachment() instanceof RelayedConnection link) {
            link.ready(key, scratch, clock.getAsLong());
            return;
        }
        try {
            SocketChannel client = door.accept();
            if (client != null) {
                int source = sources.applyAsInt(((InetSocketAddress) client.getRemoteAddress()).getPort());
                RelayDirection in = way(Direction.REQUESTS, source);
                RelayDirection out = way(Direction.REPLIES, source);
                links.add(new RelayedConnection(client, target, selector, in, out));
                in.connected();
                out.connected();
            }
        } catch (IOException e) {
            if (door.isOpen()) {
                throw new UncheckedIOException("accepting a connection for " + target, e);
            }
        }
    }

    @Override
    public void close() {
        shut();
        selector.wakeup();
        DaemonThreads.join(thread, 0);
    }

    private void shut() {
        Io.attempt("closing the relay before " + target, () -> {
            door.close();
            if (Thread.currentThread() == thread) {
                selector.close();
            }
        });
    }
}
