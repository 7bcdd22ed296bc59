package weir.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.MessageSizeAccumulator;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.common.protocol.Readable;

/** One request whose answer is waited for. */
record PendingCall(Api api, short version, ApiMessage message) {
    /** A reader that makes an answer of its bytes. */
    interface Reading<T> {
        T read(Readable from, short version);
    }

    <T> T ask(Connection connection, ChannelWaiter waiter, Reading<T> reading) throws IOException {
        int correlation = connection.nextCorrelation();
        waiter.of("its answer to " + api);
        connection.send(bytes(connection.clientId(), correlation));
        ResponseFrame frame = connection.await(waiter);
        try {
            if (frame.correlation() != correlation) {
                throw new IOException("broker " + connection.at() + " answered request " + frame.correlation()
                        + " when asked " + correlation + " (" + api + ")");
            }
            return reading.read(new ByteBufferAccessor(frame.body(api, version)), version);
        } catch (RuntimeException e) {
            // The generated readers throw what they please about bytes that they cannot read.
            throw new IOException(
                    "broker " + connection.at() + " sent an answer to " + api + " version " + version
                            + " that cannot be read: " + e.getMessage(),
                    e);
        } finally {
            frame.release();
        }
    }

    private ByteBuffer bytes(String clientId, int correlation) {
        RequestHead head = new RequestHead(clientId);
        ObjectSerializationCache cache = new ObjectSerializationCache();
        MessageSizeAccumulator size = new MessageSizeAccumulator();
        message.addSize(size, cache, version);
        ByteBuffer bytes = ByteBuffer.allocate(head.bytes(api, version) + size.totalSize());
        head.put(bytes, api, version, correlation, size.totalSize());
        message.write(new ByteBufferAccessor(bytes), cache, version);
        return bytes.flip();
    }
}
