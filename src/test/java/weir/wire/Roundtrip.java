package weir.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.time.Duration;

/** A connection to a fake broker. Requests name the size of their answer, and answers have counting bytes. */
record Roundtrip(FakeBroker broker, Connection connection, Selector selector) implements AutoCloseable {
    static final short VERSION = 12;

    static Roundtrip with(FakeBroker broker, BrokerAccess access, Connection.Options options) throws IOException {
        Connection connection = Connection.open(broker.at(), access, options, Duration.ofSeconds(10));
        Selector selector = Selector.open();
        connection.register(selector, "");
        return new Roundtrip(broker, connection, selector);
    }

    static ByteBuffer request(int correlation, int answerBytes) {
        RequestHead head = new RequestHead("test");
        ByteBuffer request = ByteBuffer.allocateDirect(head.bytes(Api.FETCH, VERSION) + 4);
        head.put(request, Api.FETCH, VERSION, correlation, 4);
        return request.putInt(answerBytes).flip();
    }

    /** Correlation, no tags, and counting bytes. */
    static byte[] answer(FakeBroker.Asked asked) {
        byte[] bytes = new byte[5 + asked.body().getInt(0)];
        ByteBuffer.wrap(bytes).putInt(asked.correlation());
        for (int i = 5; i < bytes.length; i++) {
            bytes[i] = (byte) (i - 5 + asked.correlation());
        }
        return FakeBroker.framed(bytes);
    }

    /** Answers with a sum of the bytes of the request. */
    static void sum(FakeBroker.Asked asked, OutputStream out) throws IOException {
        int total = 0;
        while (asked.body().hasRemaining()) {
            total = 31 * total + asked.body().get();
        }
        ByteBuffer answer =
                ByteBuffer.allocate(9).putInt(asked.correlation()).put((byte) 0).putInt(total);
        out.write(FakeBroker.framed(answer.array()));
    }

    static FakeBroker.Conduct answers() {
        return FakeBroker.open((asked, out) -> out.write(answer(asked)));
    }

    static void assertBody(ResponseFrame frame, int size) throws IOException {
        ByteBuffer body = frame.body(Api.FETCH, VERSION);
        assertThat(body.remaining()).isEqualTo(size);
        for (int i = 0; i < size; i++) {
            if (body.get() != (byte) (i + frame.correlation())) {
                throw new AssertionError("byte " + i + " of " + size + " is another one");
            }
        }
    }

    ResponseFrame await() throws IOException {
        ResponseFrame frame = connection.next();
        while (frame == null) {
            selector.select(100);
            selector.selectedKeys().clear();
            connection.flush();
            frame = connection.next();
        }
        return frame;
    }

    @Override
    public void close() throws IOException {
        connection.close();
        selector.close();
        broker.close();
    }
}
