package weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

/** Clients that read when they are flushed, and a limit for all of them. */
class UnreadAnswersTest {
    private final ConnectionSetup.UnreadAnswers limit = new ConnectionSetup.UnreadAnswers(100);
    private final EmbeddedChannel first = new EmbeddedChannel(limit);
    private final EmbeddedChannel second = new EmbeddedChannel(limit);
    private final EmbeddedChannel third = new EmbeddedChannel(limit);

    private static void write(EmbeddedChannel client, int bytes) {
        var unused = client.write(Unpooled.wrappedBuffer(new byte[bytes]));
    }

    @Test
    void theClientThatHasNotReadForLongestIsDropped() {
        write(first, 40);
        write(second, 40);
        write(first, 10);
        write(third, 40);
        assertThat(first.isOpen()).isFalse();
        assertThat(second.isOpen()).isTrue();
        assertThat(third.isOpen()).isTrue();
        write(third, 20);
        assertThat(second.isOpen()).as("a hundred are allowed").isTrue();
    }

    @Test
    void whoeverReadsMakesRoomAndIsNotTheOldestAnyMore() {
        write(first, 40);
        write(second, 40);
        first.flush();
        write(first, 40);
        write(third, 40);
        assertThat(second.isOpen()).isFalse();
        assertThat(first.isOpen()).isTrue();
    }

    @Test
    void oneWhoseAnswerIsLargerThanAllThatMayWaitIsDroppedAndSpoilsNothing() {
        write(first, 101);
        assertThat(first.isOpen()).isFalse();
        write(second, 100);
        assertThat(second.isOpen()).isTrue();
    }

    @Test
    void onlyAClientWithSomethingUnreadMakesRoomForAnother() {
        write(first, 1);
        first.flush();
        assertThat(limit.dropLongest()).isFalse();
        write(second, 1);
        assertThat(limit.dropLongest()).isTrue();
        assertThat(second.isOpen()).isFalse();
        assertThat(first.isOpen()).isTrue();
    }
}
