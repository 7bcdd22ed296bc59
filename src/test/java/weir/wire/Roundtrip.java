package weir.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;

/** Requests to a fake broker that name the size of their answer, and answers with counting bytes. */
final class Roundtrip {
    static final short VERSION = 12;

    private Roundtrip() {}

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

    static ResponseFrame await(Connection connection, Selector selector) throws IOException {
        ResponseFrame frame = connection.next();
        while (frame == null) {
            selector.select(100);
            selector.selectedKeys().clear();
            connection.flush();
            frame = connection.next();
        }
        return frame;
    }
}
