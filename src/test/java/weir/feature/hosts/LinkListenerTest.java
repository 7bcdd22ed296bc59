package weir.feature.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import weir.feature.hosts.LinkListener.Hello;
import weir.worker.link.LinkFrame;
import weir.worker.link.QueuedLink;

/** The port of a conductor, to which any peer may connect. */
@Timeout(30)
class LinkListenerTest {
    private static final String BUILD = "1.0";

    @TempDir
    private static Path folder;

    private static RunCertificates certificates;
    private static RunCertificates ofAnotherRun;

    private final BlockingQueue<QueuedLink> guests = new LinkedBlockingQueue<>();
    private final TurnedTimeout timeout = new TurnedTimeout();
    private LinkListener listener;

    /** A time limit that ends when the test says so, also for later peers. */
    private static final class TurnedTimeout implements LinkListener.IntroductionLimit {
        private final List<Runnable> drops = new ArrayList<>();
        private boolean over;

        @Override
        public synchronized Runnable over(Runnable drop) {
            if (over) {
                drop.run();
            } else {
                drops.add(drop);
            }
            return () -> calledOff(drop);
        }

        private synchronized void calledOff(Runnable drop) {
            drops.remove(drop);
        }

        synchronized void end() {
            over = true;
            drops.forEach(Runnable::run);
        }
    }

    @BeforeAll
    static void make() {
        ofAnotherRun = RunCertificates.make(made("other"));
        certificates = RunCertificates.make(made("ours"));
    }

    private static Path made(String name) {
        try {
            return Files.createDirectory(folder.resolve(name));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeEach
    void open() {
        listener = new LinkListener(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                certificates,
                BUILD,
                (hello, links) -> {
                    if (hello.name().equals("unwanted")) {
                        throw new LinkRefused("there is one of this name");
                    }
                    try {
                        QueuedLink link = links.link(broken -> {});
                        link.send(LinkFrame.of(LinkFrame.Kind.WELCOME, hello.name()));
                        guests.add(link);
                    } catch (IOException e) {
                        throw new LinkRefused("gone", e);
                    }
                },
                timeout);
    }

    @AfterEach
    void close() {
        listener.close();
        guests.forEach(QueuedLink::cut);
    }

    private static Hello hello(String build, String name) {
        return new Hello(Hello.PROTOCOL, build, "17", "machine", name, 1, 1, 1);
    }

    private QueuedLink dial(RunCertificates from, Hello hello) throws LinkRefused {
        return Agent.dial(listener.address(), RunCertificates.read(from.token()), hello, broken -> {});
    }

    private void othersGoOn() throws Exception {
        QueuedLink agent = dial(certificates, hello(BUILD, "a"));
        QueuedLink here = guests.take();
        agent.send(LinkFrame.of(LinkFrame.Kind.EVENT, "to the conductor"));
        assertThat(here.receive().text()).isEqualTo("to the conductor");
        here.send(LinkFrame.of(LinkFrame.Kind.EVENT, "and back"));
        assertThat(agent.receive().text()).isEqualTo("and back");
        agent.close();
    }

    @Test
    void peerWithTheTokenIsAccepted() throws Exception {
        assertThat(Files.getPosixFilePermissions(certificates.token())).hasSize(2);
        assertThat(folder.resolve("ours")).isDirectoryNotContaining(file -> !file.equals(certificates.token()));
        othersGoOn();
    }

    @Test
    void otherBuildOrUnknownNameIsRefusedWithTheReason() {
        assertThatThrownBy(() -> dial(certificates, hello("0.9", "a")))
                .isInstanceOf(LinkRefused.class)
                .hasMessageContaining("refused this worker: the conductor is Weir 1.0")
                .hasMessageContaining("this worker is Weir 0.9");
        assertThatThrownBy(() -> dial(certificates, hello(BUILD, "unwanted")))
                .hasMessageContaining("there is one of this name");
    }

    @Test
    void tokenOfAnotherRunIsRefused() throws Exception {
        assertThatThrownBy(() -> dial(ofAnotherRun, hello(BUILD, "a")))
                .isInstanceOf(LinkRefused.class)
                .hasMessageContaining("check that the token file is from this run");
        assertThat(guests).isEmpty();
        othersGoOn();
    }

    /** With the key of the workers, a peer must not be able to act as the conductor. */
    @Test
    void workerRefusesTheCertificateOfAnotherWorker() throws Exception {
        var context = RunCertificates.read(certificates.token());
        try (var impostor =
                context.getServerSocketFactory().createServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread thread = new Thread(() -> {
                try (SSLSocket socket = (SSLSocket) impostor.accept()) {
                    socket.startHandshake();
                } catch (IOException refused) {
                    return;
                }
            });
            thread.start();
            assertThatThrownBy(() -> Agent.dial(
                            (InetSocketAddress) impostor.getLocalSocketAddress(),
                            RunCertificates.read(certificates.token()),
                            hello(BUILD, "a"),
                            broken -> {}))
                    .isInstanceOf(LinkRefused.class)
                    .hasMessageContaining("do not trust each other");
            thread.join();
        }
    }

    /** Asserts that the peer was dropped and got only bytes of TLS. */
    private static void assertDropped(Socket socket) throws IOException {
        try {
            while (socket.getInputStream().read() >= 0) {
                assertThat(socket.isClosed()).isFalse();
            }
        } catch (IOException reset) {
            return;
        }
    }

    private Socket knock() throws IOException {
        return new Socket(listener.address().getAddress(), listener.address().getPort());
    }

    @Test
    void plainTextAndSilenceAreDropped() throws Exception {
        try (Socket plain = knock();
                Socket silent = knock()) {
            plain.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertDropped(plain);
            othersGoOn();
            assertThat(listener.unintroduced())
                    .as("the silent one, who has time left")
                    .isEqualTo(1);
            timeout.end();
            assertDropped(silent);
        }
        assertThat(listener.unintroduced()).isZero();
    }

    @Test
    void introductionLimitDropsAPeerUnlessCancelled() throws Exception {
        CountDownLatch dropped = new CountDownLatch(1);
        CountDownLatch calledOff = new CountDownLatch(1);
        long before = System.nanoTime();
        LinkListener.IntroductionLimit clock = LinkListener.IntroductionLimit.of(Duration.ofMillis(50));
        Runnable inTime = clock.over(calledOff::countDown);
        inTime.run();
        clock.over(dropped::countDown);
        assertThat(dropped.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(Duration.ofNanos(System.nanoTime() - before))
                .isBetween(Duration.ofMillis(50), Duration.ofSeconds(10));
        assertThat(calledOff.getCount()).isEqualTo(1);
    }

    @Test
    void anOlderTlsIsRefused() throws Exception {
        try (SSLSocket old = (SSLSocket) RunCertificates.read(certificates.token())
                .getSocketFactory()
                .createSocket(
                        listener.address().getAddress(), listener.address().getPort())) {
            old.setEnabledProtocols(new String[] {"TLSv1.2"});
            assertThatThrownBy(old::startHandshake).isInstanceOf(IOException.class);
        }
        othersGoOn();
    }

    @Test
    void silentPeersDoNotBlockOtherPeers() throws Exception {
        List<Socket> crowd = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            Socket socket = knock();
            // Half a handshake: the head of a record that never arrives.
            socket.getOutputStream().write(new byte[] {22, 3, 1, 2, 0, 1});
            crowd.add(socket);
        }
        assertThat(listener.unintroduced()).isLessThanOrEqualTo(64);
        othersGoOn();
        timeout.end();
        for (Socket socket : crowd) {
            assertDropped(socket);
            socket.close();
        }
        assertThat(listener.unintroduced()).isZero();
    }

    @Test
    void peerWithAnUnfinishedHelloIsDropped() throws Exception {
        try (SSLSocket peer = (SSLSocket) RunCertificates.read(certificates.token())
                .getSocketFactory()
                .createSocket(
                        listener.address().getAddress(), listener.address().getPort())) {
            OutputStream out = peer.getOutputStream();
            out.write(new byte[] {0, 0, 15, 0, (byte) ('h' + 128)});
            out.write(new byte[3_000]);
            assertThat(guests).isEmpty();
            othersGoOn();
            timeout.end();
            assertDropped(peer);
            assertThat(guests).isEmpty();
        }
    }

    @Test
    void malformedTokenFileIsReportedInOneLine() throws IOException {
        Path file = folder.resolve("wrong");
        for (String text : List.of("", "weir token 1\n", "weir token 1\nx\nAAAA\nend\n", "PK\u0003\u0004")) {
            Files.writeString(file, text);
            assertThatThrownBy(() -> RunCertificates.read(file))
                    .isInstanceOf(LinkRefused.class)
                    .hasMessageContaining("copy the token file that the conductor wrote for this run")
                    .hasMessageNotContaining("\n");
        }
    }
}
