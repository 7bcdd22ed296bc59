package weir.load.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LoadEventTest {
    @Test
    void anIdIsTheIdentityInLowerCaseHexadecimalDigits() {
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < 100; i++) {
            byte[] identity = new byte[Identity.BYTES];
            Identity.write(identity, random.nextInt(), random.nextInt(1 << 16), random.nextLong(), random.nextLong());
            byte[] id = new byte[LoadEvent.ID_LENGTH];
            LoadEvent.writeId(identity, id);
            assertThat(new String(id, StandardCharsets.US_ASCII))
                    .isEqualTo(HexFormat.of().formatHex(identity));
            byte[] read = new byte[Identity.BYTES];
            assertThat(LoadEvent.readId(id, id.length, read)).isTrue();
            assertThat(read).isEqualTo(identity);
        }
    }

    @Test
    void anythingElseIsNoIdOfOurs() {
        String id = "0123456789abcdef".repeat(3);
        for (String other : new String[] {"", id.substring(1), id + "0", id.replace('f', 'g'), id.replace('a', 'A')}) {
            byte[] bytes = other.getBytes(StandardCharsets.US_ASCII);
            assertThat(LoadEvent.readId(bytes, bytes.length, new byte[Identity.BYTES]))
                    .isFalse();
        }
    }
}
