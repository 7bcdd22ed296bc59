package weir.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class TailCrcTest {
    private final SplittableRandom random = new SplittableRandom(1);

    private static int crc(byte[]... pieces) {
        CRC32C crc = new CRC32C();
        for (byte[] piece : pieces) {
            crc.update(piece);
        }
        return (int) crc.getValue();
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    @Test
    void theCrcOfBothIsFoundFromThatOfTheBeginningAlone() {
        CompressedBatch.TailCrc unchanged = new CompressedBatch.TailCrc();
        for (int length : new int[] {0, 1, 2, 3, 31, 32, 1_000, 65_536, 1_000_003}) {
            byte[] tail = bytes(length);
            unchanged.is(crc(tail), length);
            for (int head = 0; head < 50; head += 7) {
                byte[] before = bytes(head);
                assertThat(unchanged.crcBehind(crc(before)))
                        .as("%d bytes before %d", head, length)
                        .isEqualTo(crc(before, tail));
            }
        }
    }
}
