package weir.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Values as bytes, and checks that readers refuse damaged bytes. */
final class Written {
    private Written() {}

    interface Writing {
        void to(DataOutput out) throws IOException;
    }

    interface Reading<T> {
        T from(DataInput in) throws IOException;
    }

    static byte[] bytes(Writing value) {
        try {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            value.to(new DataOutputStream(out));
            return out.toByteArray();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    static <T> T read(byte[] bytes, Reading<T> reading) throws IOException {
        return reading.from(new DataInputStream(new ByteArrayInputStream(bytes)));
    }

    static <T> void assertCutBytesAreRefused(byte[] good, Reading<T> reading) {
        for (int length = 0; length < good.length; length++) {
            byte[] cut = Arrays.copyOf(good, length);
            assertThatThrownBy(() -> read(cut, reading)).isInstanceOf(IOException.class);
        }
    }

    /** Changes bytes among the first {@code within}. Each result must be a value or an IOException. */
    static <T> void assertChangedBytesDoNoHarm(
            byte[] good, SplittableRandom random, int times, int changes, int within, Reading<T> reading) {
        for (int i = 0; i < times; i++) {
            byte[] bytes = good.clone();
            for (int change = 0; change < changes; change++) {
                bytes[random.nextInt(Math.min(within, bytes.length))] = (byte) random.nextInt(256);
            }
            try {
                assertThat(read(bytes, reading)).isNotNull();
            } catch (IOException e) {
                assertThat(e).isNotNull();
            }
        }
    }
}
