package weir.feature.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import weir.feature.hosts.LinkListener.Hello;
import weir.worker.link.LinkFrame;

class HelloTest {
    /** {@code make claims} uses ten times as many. These already show a fault of one in 2,000 in 99 of 100 cases. */
    private static final int DAMAGED = Integer.getInteger("hostile", 10_000);

    private static final Hello OURS = new Hello(Hello.PROTOCOL, "1.0", "17.0.1", "machine", "a", 2, 1 << 30, 17);

    private static byte[] bytes(LinkFrame frame) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        frame.write(new DataOutputStream(bytes));
        return bytes.toByteArray();
    }

    private static Hello read(byte[] bytes) throws IOException, LinkRefused {
        return Hello.read(LinkFrame.read(new DataInputStream(new ByteArrayInputStream(bytes)), Hello.LONGEST), "1.0");
    }

    @Test
    void writtenMessageIsReadUnchanged() throws Exception {
        assertThat(read(bytes(OURS.frame()))).isEqualTo(OURS);
    }

    @Test
    void anotherBuildIsRefusedInOneLineWithBothBuilds() throws Exception {
        byte[] other = bytes(new Hello(Hello.PROTOCOL, "0.9", "17", "machine", "a", 2, 1, 17).frame());
        assertThatThrownBy(() -> read(other))
                .isInstanceOf(LinkRefused.class)
                .hasMessageContaining("Weir 1.0")
                .hasMessageContaining("Weir 0.9")
                .hasMessageNotContaining("\n");
        // Only the number and the build of another protocol are known.
        LinkFrame newer = LinkFrame.of(LinkFrame.Kind.HELLO, out -> {
            out.writeInt(99);
            out.writeUTF("7.0");
        });
        assertThatThrownBy(() -> read(bytes(newer)))
                .isInstanceOf(LinkRefused.class)
                .hasMessageContaining("Weir 7.0");
    }

    @Test
    void hostNameMustBeAFileName() {
        assertThat(Hello.named("kafka-1.example.org")).isTrue();
        assertThat(Hello.named("../a")).isFalse();
        assertThat(Hello.named("a\u001b[2J")).isFalse();
        assertThat(Hello.named("")).isFalse();
    }

    @Test
    void damagedHelloIsReadOrRefused() throws Exception {
        byte[] whole = bytes(OURS.frame());
        Random random = new Random(7);
        for (int i = 0; i < DAMAGED; i++) {
            byte[] damaged = whole.clone();
            for (int at = random.nextInt(4); at >= 0; at--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            }
            Throwable thrown = catchThrowable(() -> read(damaged));
            if (thrown != null && !(thrown instanceof IOException)) {
                assertThat(thrown).isExactlyInstanceOf(LinkRefused.class);
                assertThat(thrown.getMessage()).matches("[ -~]*");
            }
        }
    }

    @Test
    void oversizedFrameIsRefusedBeforeReading() {
        byte[] head = {0, 0, 16, 0, (byte) ('h' + 128)};
        assertThatThrownBy(() -> read(head))
                .isExactlyInstanceOf(IOException.class)
                .hasMessageContaining("4096 bytes");
    }
}
