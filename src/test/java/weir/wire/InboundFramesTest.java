package weir.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InboundFramesTest {
    private static final int ALLOWED = 178 << 20;

    @ParameterizedTest
    @ValueSource(ints = {Integer.MAX_VALUE, 1_900_000_000, ALLOWED + 1})
    void aDeclaredSizeBeyondWhatIsAllowedIsRefusedBeforeItIsAllocated(int declared) {
        Peer peer = new Peer(declared);
        InboundFrames frames = new InboundFrames(new Endpoint("liar", 9), peer, ALLOWED);
        long before = directBytes();
        assertThatThrownBy(frames::next)
                .isExactlyInstanceOf(IOException.class)
                .hasMessage("broker liar:9 announces an answer of " + declared + " bytes; allowed are 4 to " + ALLOWED
                        + ". Is it Kafka, and is security.protocol right?");
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

    /** Says how long its answer is, and nothing more. */
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
        public void farewell() {}
    }
}
