package weir.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static weir.wire.Roundtrip.answer;
import static weir.wire.Roundtrip.answers;
import static weir.wire.Roundtrip.assertBody;
import static weir.wire.Roundtrip.request;

import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(20)
class ConnectionTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final Connection.Options OPTIONS = new Connection.Options("test", -1, -1, 1 << 20);
    private static final int ALLOWED = 178 << 20;

    private static Connection open(FakeBroker broker) throws IOException {
        return Connection.open(broker.at(), BrokerAccess.plaintext(), OPTIONS, LIMIT);
    }

    private static Roundtrip talk(FakeBroker broker) throws IOException {
        return Roundtrip.with(broker, BrokerAccess.plaintext(), OPTIONS);
    }

    @Test
    void anAnswerInSingleBytesIsWholeInTheEnd() throws Exception {
        FakeBroker.Conduct drop = FakeBroker.open((asked, out) -> {
            for (byte next : answer(asked)) {
                out.write(next);
                out.flush();
            }
        });
        try (Roundtrip talk = talk(new FakeBroker(drop))) {
            talk.connection().send(request(7, 300));
            ResponseFrame frame = talk.await();
            assertThat(frame.correlation()).isEqualTo(7);
            assertBody(frame, 300);
        }
    }

    @Test
    void pipelinedAnswersAreSeparatedAndKeptUntilReleased() throws Exception {
        List<byte[]> waiting = new ArrayList<>();
        FakeBroker.Conduct threeAtOnce = FakeBroker.open((asked, out) -> {
            waiting.add(answer(asked));
            if (waiting.size() == 3) {
                ByteBuffer all = ByteBuffer.allocate(100_000);
                waiting.forEach(all::put);
                out.write(all.array(), 0, all.position());
            }
        });
        try (Roundtrip talk = talk(new FakeBroker(threeAtOnce))) {
            talk.connection().send(request(1, 10), request(2, 0), request(3, 70_000));
            ResponseFrame first = talk.await();
            ResponseFrame second = talk.await();
            ResponseFrame third = talk.await();
            assertBody(third, 70_000);
            assertBody(second, 0);
            assertBody(first, 10);
        }
    }

    @Test
    void framesOfAnySizeSurviveWhileOthersAreRead() throws Exception {
        try (Roundtrip talk = talk(new FakeBroker(answers()))) {
            Random random = new Random(1);
            ResponseFrame held = null;
            int heldSize = 0;
            for (int i = 0; i < 200; i++) {
                int size = random.nextInt(random.nextBoolean() ? 200 : 200_000);
                talk.connection().send(request(i, size));
                ResponseFrame frame = talk.await();
                assertThat(frame.correlation()).isEqualTo(i);
                if (held != null) {
                    assertBody(held, heldSize);
                    held.release();
                }
                held = frame;
                heldSize = size;
            }
        }
    }

    @Test
    void connectionReadsNoMoreUntilFramesAreReleased() throws Exception {
        Semaphore answered = new Semaphore(0);
        FakeBroker.Conduct counted = FakeBroker.open((asked, out) -> {
            out.write(answer(asked));
            answered.release();
        });
        try (Roundtrip talk = talk(new FakeBroker(counted))) {
            List<ResponseFrame> held = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                talk.connection().send(request(i, 100_000));
                held.add(talk.await());
            }
            talk.connection().send(request(2, 100_000));
            answered.acquire(3);
            for (int i = 0; i < 20; i++) {
                talk.selector().select(10);
                assertThat(talk.connection().next()).isNull();
            }
            assertBody(held.get(0), 100_000);
            held.get(0).release();
            assertBody(talk.await(), 100_000);
            assertBody(held.get(1), 100_000);
        }
    }

    @Test
    void partialWriteIsCompletedLater() throws Exception {
        // More than the buffers of both ends, and than a reader reads meanwhile.
        int bytes = 32_000_000;
        FakeBroker summing = new FakeBroker(FakeBroker.open(Roundtrip::sum));
        Connection.Options options = new Connection.Options("test", 300_000, -1, 1 << 20);
        try (Roundtrip talk = Roundtrip.with(summing, BrokerAccess.plaintext(), options)) {
            RequestHead head = new RequestHead("test");
            ByteBuffer first = ByteBuffer.allocateDirect(100);
            head.put(first, Api.FETCH, (short) 12, 5, bytes);
            ByteBuffer body = ByteBuffer.allocateDirect(bytes);
            int total = 0;
            for (int i = 0; i < bytes; i++) {
                body.put((byte) (i * 7));
                total = 31 * total + (byte) (i * 7);
            }
            first.flip();
            long all = (long) first.remaining() + bytes;
            long before = talk.connection().written();
            assertThat(talk.connection().send(first, body.flip())).isFalse();
            assertThat(talk.connection().written()).isLessThan(before + all);
            ResponseFrame frame = talk.await();
            assertThat(frame.body(Api.FETCH, (short) 12).getInt()).isEqualTo(total);
            assertThat(talk.connection().flush()).isTrue();
            assertThat(talk.connection().written()).isEqualTo(before + all);
            assertThat(talk.connection().taken()).isEqualTo(before + all);
        }
    }

    @Test
    void aLengthBeyondWhatIsAllowedIsNotBelieved() throws Exception {
        for (int length : new int[] {-1, 0, 3, (1 << 20) + 1, Integer.MAX_VALUE}) {
            FakeBroker.Conduct boast = FakeBroker.open((asked, out) ->
                    out.write(ByteBuffer.allocate(4).putInt(length).array()));
            try (Roundtrip talk = talk(new FakeBroker(boast))) {
                talk.connection().send(request(1, 0));
                assertThatThrownBy(talk::await)
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining(
                                "broker " + talk.broker().at() + " announced an answer of " + length + " bytes");
            }
        }
    }

    @Test
    void anEndInTheMiddleOfAnAnswerNamesTheBroker() throws Exception {
        FakeBroker.Conduct dying = FakeBroker.open((asked, out) -> {
            out.write(new byte[] {0, 0, 0, 50, 1, 2, 3});
            out.close();
        });
        try (Roundtrip talk = talk(new FakeBroker(dying))) {
            talk.connection().send(request(1, 0));
            assertThatThrownBy(talk::await)
                    .hasMessage("broker " + talk.broker().at() + " closed the connection in the middle of an answer");
        }
    }

    @Test
    void anAnswerToAnotherQuestionIsRefused() throws Exception {
        FakeBroker.Conduct confused = (asked, out) ->
                out.write(new FakeBroker.Asked(asked.api(), asked.version(), asked.correlation() + 1, asked.body())
                        .answer(FakeBroker.versions()));
        try (FakeBroker broker = new FakeBroker(confused)) {
            assertThatThrownBy(() -> open(broker)).hasMessageContaining("answered request 1 instead");
        }
    }

    @Test
    void olderBrokerVersionsAreReadInTheOldestForm() throws Exception {
        FakeBroker.Conduct older = (asked, out) -> {
            ApiVersionsResponseData versions = FakeBroker.versions(Api.PRODUCE, (short) 8);
            versions.setErrorCode(asked.version() > 0 ? Errors.UNSUPPORTED_VERSION.code() : 0);
            out.write(new FakeBroker.Asked(asked.api(), (short) 0, asked.correlation(), asked.body()).answer(versions));
        };
        try (FakeBroker broker = new FakeBroker(older);
                Connection connection = open(broker)) {
            assertThat(connection.version(Api.PRODUCE)).isEqualTo((short) 8);
            assertThat(connection.version(Api.FETCH)).isEqualTo((short) 18);
        }
    }

    @Test
    void aBrokerWithoutACommonVersionIsRefusedByName() throws Exception {
        FakeBroker.Conduct future = (asked, out) -> {
            ApiVersionsResponseData versions = FakeBroker.versions();
            versions.apiKeys().find(Api.PRODUCE.key).setMinVersion((short) 14).setMaxVersion((short) 20);
            out.write(asked.answer(versions));
        };
        try (FakeBroker broker = new FakeBroker(future);
                Connection connection = open(broker)) {
            assertThatThrownBy(() -> connection.version(Api.PRODUCE))
                    .isInstanceOf(BrokerRefusal.class)
                    .hasMessage("broker " + broker.at() + " does not support produce in a version from 3 to 13");
        }
    }

    @Test
    void silentBrokerTimesOutOnConnect() throws Exception {
        try (FakeBroker broker = new FakeBroker((asked, out) -> {})) {
            assertThatThrownBy(() ->
                            Connection.open(broker.at(), BrokerAccess.plaintext(), OPTIONS, Duration.ofMillis(200)))
                    .hasMessageContaining("broker " + broker.at() + " did not answer in time")
                    .hasMessageContaining("api versions");
        }
    }

    @Test
    void malformedVersionsResponseIsRefused() throws Exception {
        FakeBroker.Conduct babble = (asked, out) -> {
            byte[] noise = new byte[60];
            new Random(3).nextBytes(noise);
            ByteBuffer.wrap(noise).putInt(asked.correlation());
            out.write(FakeBroker.framed(noise));
        };
        try (FakeBroker broker = new FakeBroker(babble)) {
            assertThatThrownBy(() -> open(broker))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot be read");
        }
    }

    @Test
    void refusedConnectionReportsTheAddress() throws Exception {
        // A bound socket that does not listen, so that no other process can get this port.
        try (Socket held = new Socket()) {
            held.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            Endpoint at = new Endpoint("localhost", held.getLocalPort());
            assertThatThrownBy(() -> Connection.open(at, BrokerAccess.plaintext(), OPTIONS, LIMIT))
                    .hasMessage("connecting to broker " + at + " (PLAINTEXT): Connection refused");
        }
    }

    @Test
    void requestHeadHasItsDeclaredLength() {
        for (Api api : Api.values()) {
            for (short version = api.lowest; version <= api.highest; version++) {
                RequestHead head = new RequestHead("émile");
                ByteBuffer bytes = ByteBuffer.allocate(100);
                head.put(bytes, api, version, 12_345, 10);
                assertThat(bytes.position()).isEqualTo(head.bytes(api, version));
                assertThat(bytes.getInt(0)).isEqualTo(bytes.position() - 4 + 10);
                assertThat(bytes.getInt(RequestHead.CORRELATION_AT)).isEqualTo(12_345);
                short header = ApiKeys.forId(api.key).requestHeaderVersion(version);
                assertThat(api.flexible(version)).isEqualTo(header >= 2);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MAX_VALUE, 1_900_000_000, ALLOWED + 1})
    void aDeclaredSizeBeyondWhatIsAllowedIsRefusedBeforeItIsAllocated(int declared) {
        Peer peer = new Peer(declared);
        InboundFrames frames = new InboundFrames(new Endpoint("liar", 9), peer, ALLOWED);
        long before = directBytes();
        assertThatThrownBy(frames::next)
                .isExactlyInstanceOf(IOException.class)
                .hasMessage("broker liar:9 announced an answer of " + declared + " bytes, but an answer has 4 to "
                        + ALLOWED + "; check that this is Kafka, and security.protocol");
        // Other tests run meanwhile; none takes nearly as much.
        assertThat(directBytes() - before).isLessThan(ALLOWED / 2);
        assertThat(peer.offered).isLessThan(1 << 20);
    }

    private static long directBytes() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }

    /** Declares the length of its answer, and sends nothing more. */
    private static final class Peer implements Transport {
        private final int declared;
        private int offered;
        private boolean said;

        Peer(int declared) {
            this.declared = declared;
        }

        @Override
        public int read(ByteBuffer into) {
            offered = into.capacity();
            if (!said) {
                said = true;
                into.putInt(declared);
                return Integer.BYTES;
            }
            return 0;
        }

        @Override
        public int leastRoom() {
            return 1 << 10;
        }

        @Override
        public void write(ByteBuffer[] parts, int from, int count) {}

        @Override
        public boolean flush() {
            return true;
        }

        @Override
        public void sendClose() {}
    }
}
