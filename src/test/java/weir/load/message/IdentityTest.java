package weir.load.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class IdentityTest {
    private final byte[] value = new byte[40];

    @Test
    void anIdentityIsReadWhereItStands() {
        Identity.write(value, 7, 3, 1L << 40, -5);
        ByteBuffer buffer =
                ByteBuffer.allocate(60).position(10).put(value).flip().position(10);
        Arrival arrival = new Arrival();
        arrival.read(buffer);
        assertThat(arrival.from(7)).isTrue();
        assertThat(arrival.producer).isEqualTo(3);
        assertThat(arrival.sequence).isEqualTo(1L << 40);
        assertThat(arrival.dueNanos).isEqualTo(-5);
        assertThat(buffer.position()).isEqualTo(10);
    }

    @Test
    void anIdentityIsReadFromAHeader() {
        byte[] header = new byte[Identity.BYTES];
        Identity.write(header, 7, 3, 9, 11);
        Arrival arrival = new Arrival();
        arrival.read(header);
        assertThat(arrival.from(7)).isTrue();
        assertThat(arrival.sequence).isEqualTo(9);
    }

    @Test
    void identityWithAnyByteChangedIsNotOurs() {
        Arrival arrival = new Arrival();
        for (int at = 0; at < Identity.BYTES; at++) {
            for (int change : new int[] {1, 0x80, 0xFF}) {
                Identity.write(value, 7, 65_535, 9, 11);
                value[at] ^= (byte) change;
                arrival.read(ByteBuffer.wrap(value));
                assertThat(arrival.from(7)).as("byte " + at).isFalse();
            }
        }
    }

    @Test
    void headerOfNoValueOrAnotherLengthIsNotOurs() {
        Arrival arrival = new Arrival();
        for (int length : new int[] {0, Identity.BYTES - 1, Identity.BYTES + 1}) {
            arrival.read(new byte[length]);
            assertThat(arrival.from(0)).isFalse();
        }
        arrival.read((byte[]) null);
        assertThat(arrival.from(0)).isFalse();
    }

    @Test
    void whatIsTooShortOrOfAnotherRunIsNotOurs() {
        Arrival arrival = new Arrival();
        arrival.read(ByteBuffer.allocate(Identity.BYTES - 1));
        assertThat(arrival.from(0)).isFalse();
        Identity.write(value, 7, 3, 9, 11);
        arrival.read(ByteBuffer.wrap(value));
        assertThat(arrival.from(8)).isFalse();
    }
}
