package weir.wire;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import weir.time.MachineClock;
import weir.time.TimeLimit;

/** A wait for one channel until a deadline. */
final class ChannelWaiter implements AutoCloseable {
    private final Endpoint at;
    private final Selector selector;
    private final SelectionKey key;
    private TimeLimit deadline = MachineClock.within(Duration.ZERO);
    private String what = "the connection";

    ChannelWaiter(Endpoint at, SocketChannel channel) throws IOException {
        this.at = at;
        this.selector = Selector.open();
        this.key = channel.register(selector, 0);
    }

    void of(String next, TimeLimit until) {
        what = next;
        deadline = until;
    }

    void of(String next) {
        what = next;
    }

    /** Waits until the channel is ready for one of these operations; throws an exception at the deadline. */
    void await(int operations) throws IOException {
        key.interestOps(operations);
        while (true) {
            long millis = deadline.left().plusNanos(999_999).toMillis();
            if (Thread.currentThread().isInterrupted()) {
                throw new IOException("interrupted while waiting for " + what + " of broker " + at);
            }
            if (millis <= 0) {
                throw new SocketTimeoutException("broker " + at + " did not answer in time; waited for " + what);
            }
            selector.select(millis);
            selector.selectedKeys().clear();
            if ((key.readyOps() & operations) != 0) {
                return;
            }
        }
    }

    @Override
    public void close() throws IOException {
        selector.close();
    }
}
