package weir.cluster.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import weir.cluster.relay.Relay.Direction;
import weir.host.Ports;
import weir.io.Io;
import weir.wire.FakeBroker;

@Timeout(20)
class RelayTest {
    private static final long TIMEOUT = 5_000_000_000L;

    private final Ports ports = new Ports();
    private final int port = ports.getAsInt();
    private final FakeBroker echo = FakeBroker.raw((in, out) -> in.transferTo(out));
    private final Relay relay = new Relay(port, echo.at().port());
    private final List<Socket> clients = new ArrayList<>();

    @AfterEach
    void end() throws IOException {
        for (Socket client : clients) {
            client.close();
        }
        relay.close();
        echo.close();
    }

    private Socket client() throws IOException {
        return bound(new HashSet<>(), port);
    }

    /** A connection that has already carried a message and its answer. */
    private Socket answered() throws IOException {
        Socket client = client();
        ask(client, 1);
        assertThat(answer(client)).isEqualTo(1);
        return client;
    }

    private static void ask(Socket client, long number) throws IOException {
        new DataOutputStream(client.getOutputStream()).writeLong(number);
    }

    private static long answer(Socket client) throws IOException {
        return new DataInputStream(client.getInputStream()).readLong();
    }

    @Test
    void idleRelayForwardsEveryByteInOrder() throws Exception {
        byte[] sent = new byte[20 << 20];
        new Random(1).nextBytes(sent);
        assertThat(echoed(client(), sent)).isEqualTo(sent);
        assertThat(relay.acts()).isEmpty();
    }

    private static Thread writer(Socket client, byte[] sent) {
        Thread writer = new Thread(() -> Io.attempt("writing", () -> {
            client.getOutputStream().write(sent);
            client.shutdownOutput();
        }));
        writer.start();
        return writer;
    }

    private static byte[] echoed(Socket client, byte[] sent) throws Exception {
        Thread writer = writer(client, sent);
        byte[] back = client.getInputStream().readAllBytes();
        writer.join();
        return back;
    }

    @Test
    void aDelayIsNeverShorterThanAskedAndIsRecorded() throws Exception {
        Socket client = client();
        try (RelayEffect delay = relay.delay(Direction.REQUESTS, Duration.ofMillis(30))) {
            long asked = System.nanoTime();
            ask(client, 7);
            assertThat(answer(client)).isEqualTo(7);
            long took = System.nanoTime() - asked;
            assertThat(delay.bytes()).isEqualTo(8);
            assertThat(delay.connections()).isEqualTo(1);
            assertThat(delay.meanDelay()).isBetween(Duration.ofMillis(30), Duration.ofNanos(took));
        }
        assertThat(relay.acts())
                .singleElement()
                .satisfies(act -> assertThat(act.endNanos()).isGreaterThan(act.startNanos()));
    }

    @Test
    void faultOfOneRelaySourceLeavesOtherSourcesUnchanged() throws Exception {
        int before = ports.getAsInt();
        Set<Integer> own = ConcurrentHashMap.newKeySet();
        try (Relay sorting = new Relay("127.0.0.1", before, echo.at().port(), from -> own.contains(from) ? 2 : 0)) {
            RelayEffect early = sorting.delay(Direction.REQUESTS, Duration.ofMillis(60), Duration.ZERO, 2);
            Socket first = bound(own, before);
            Socket other = bound(new HashSet<>(), before);
            RelayEffect late = sorting.delay(Direction.REPLIES, Duration.ofMillis(60), Duration.ZERO, 2);
            assertThat(millis(first)).isGreaterThanOrEqualTo(120);
            assertThat(millis(other)).isLessThan(60);
            assertThat(early.connections()).isEqualTo(1);
            assertThat(late.connections()).isEqualTo(1);
            early.close();
            late.close();
            assertThat(millis(first)).isLessThan(60);
        }
    }

    private Socket bound(Set<Integer> known, int to) throws IOException {
        Socket client = new Socket();
        client.setTcpNoDelay(true);
        client.setSoTimeout(Math.toIntExact(TIMEOUT / 1_000_000));
        client.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        known.add(client.getLocalPort());
        client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), to));
        clients.add(client);
        return client;
    }

    private static double millis(Socket client) throws IOException {
        long begin = System.nanoTime();
        ask(client, 7);
        assertThat(answer(client)).isEqualTo(7);
        return (System.nanoTime() - begin) / 1e6;
    }

    @Test
    void jitterKeepsTheOrder() throws Exception {
        int before = ports.getAsInt();
        try (Relay jittery = new Relay(before, echo.at().port())) {
            RelayEffect effect = jittery.delay(Direction.REQUESTS, Duration.ZERO, Duration.ofMillis(20), Relay.ANYBODY);
            Socket client = bound(new HashSet<>(), before);
            for (long number = 0; number < 50; number++) {
                ask(client, number);
                LockSupport.parkNanos(1_000_000);
            }
            for (long number = 0; number < 50; number++) {
                assertThat(answer(client)).isEqualTo(number);
            }
            assertThat(effect.meanDelay()).isBetween(Duration.ofMillis(4), Duration.ofMillis(40));
        }
    }

    @Test
    void delayDoesNotReduceThroughput() throws Exception {
        byte[] sent = new byte[20 << 20];
        new Random(2).nextBytes(sent);
        Socket client = client();
        long began = System.nanoTime();
        try (RelayEffect delay = relay.delay(Direction.BOTH, Duration.ofMillis(50))) {
            assertThat(echoed(client, sent)).isEqualTo(sent);
            // Each chunk is at most 64 KiB. If chunks waited one after the other, this would take half a minute.
            assertThat(delay.bytes()).isEqualTo(2L * sent.length);
            assertThat(System.nanoTime() - began).isLessThan(15_000_000_000L);
        }
    }

    @Test
    void endOfADelayKeepsTheOrder() throws Exception {
        Socket client = client();
        RelayEffect delay = relay.delay(Direction.REPLIES, Duration.ofMillis(100));
        ask(client, 1);
        ask(client, 2);
        // Time until the answers reach the relay.
        LockSupport.parkNanos(20_000_000);
        delay.close();
        ask(client, 3);
        assertThat(List.of(answer(client), answer(client), answer(client))).containsExactly(1L, 2L, 3L);
    }

    @Test
    void aStallHoldsEverythingUpUntilItEnds() throws Exception {
        Socket client = answered();
        RelayEffect stall = relay.stall(Direction.REQUESTS);
        ask(client, 2);
        assertThat(silent(client)).isTrue();
        stall.close();
        assertThat(answer(client)).isEqualTo(2);
        assertThat(stall.bytes()).isEqualTo(8);
        assertThat(stall.endNanos() - stall.startNanos()).isGreaterThan(100_000_000L);
    }

    @Test
    void theEndOfAConnectionDoesNotPassAStall() throws Exception {
        Socket client = answered();
        RelayEffect stall = relay.stall(Direction.REPLIES);
        client.shutdownOutput();
        assertThat(silent(client)).isTrue();
        stall.close();
        assertThat(client.getInputStream().read()).isEqualTo(-1);
    }

    private static boolean silent(Socket client) throws IOException {
        int timeout = client.getSoTimeout();
        client.setSoTimeout(100);
        try {
            return client.getInputStream().read() < -1;
        } catch (java.net.SocketTimeoutException nothing) {
            return true;
        } finally {
            client.setSoTimeout(timeout);
        }
    }

    @Test
    void stalledRelayBoundsItsMemory() throws Exception {
        Socket client = client();
        RelayEffect stall = relay.stall(Direction.REQUESTS);
        byte[] sent = new byte[40 << 20];
        Thread writer = writer(client, sent);
        writer.join(100);
        assertThat(writer.isAlive()).isTrue();
        stall.close();
        assertThat(client.getInputStream().readAllBytes()).hasSize(sent.length);
        assertThat(stall.bytes()).isBetween(1L << 20, 9L << 20);
    }

    @Test
    void aLimitIsKept() throws Exception {
        byte[] sent = new byte[100_000];
        Socket client = client();
        long began = System.nanoTime();
        try (RelayEffect limit = relay.limit(Direction.REQUESTS, 500_000)) {
            assertThat(echoed(client, sent)).hasSize(sent.length);
            // A fifth of a second, minus the last chunk.
            assertThat(System.nanoTime() - began).isGreaterThan(180_000_000L);
            assertThat(limit.bytes()).isEqualTo(sent.length);
        }
    }

    @Test
    void swallowedRepliesNeverComeAndTheirConnectionIsCutInTheEnd() throws Exception {
        Socket client = answered();
        RelayEffect swallow = relay.discardReplies();
        ask(client, 2);
        for (long deadline = System.nanoTime() + TIMEOUT; swallow.bytes() < 8 && System.nanoTime() < deadline; ) {
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(swallow.bytes()).isEqualTo(8);
        swallow.close();
        assertThat(ended(client)).isTrue();
        Socket another = client();
        ask(another, 3);
        assertThat(answer(another)).isEqualTo(3);
    }

    private static boolean ended(Socket client) throws IOException {
        try {
            return client.getInputStream().read() == -1;
        } catch (SocketException reset) {
            return true;
        }
    }

    @Test
    void aCutEndsEveryConnectionAndLetsNewOnesIn() throws Exception {
        Socket client = answered();
        RelayEffect cut = relay.cut();
        assertThat(ended(client)).isTrue();
        assertThat(cut.connections()).isEqualTo(1);
        Socket another = client();
        ask(another, 2);
        assertThat(answer(another)).isEqualTo(2);
    }

    @Test
    void unreachableTargetClosesTheConnectionAndRelayContinues() throws Exception {
        int nobody = ports.getAsInt();
        int front = ports.getAsInt();
        try (Relay before = new Relay(front, nobody)) {
            for (int i = 0; i < 3; i++) {
                try (Socket client = new Socket(InetAddress.getLoopbackAddress(), front)) {
                    assertThat(ended(client)).isTrue();
                }
            }
            assertThat(before.acts()).isEmpty();
        }
    }

    @Test
    void aClosedRelayLeavesNoThreadAndNoPort() throws Exception {
        Socket client = answered();
        RelayEffect lasting = relay.delay(Direction.BOTH, Duration.ofSeconds(5));
        relay.close();
        relay.close();
        assertThat(ended(client)).isTrue();
        assertThat(lasting.endNanos()).isGreaterThan(lasting.startNanos());
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().equals("weir-relay"));
        new Relay(port, echo.at().port()).close();
    }
}
