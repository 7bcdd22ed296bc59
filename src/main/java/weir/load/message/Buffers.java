package weir.load.message;

import java.util.Arrays;

/** A cache of byte arrays: at most one array for each length, and at most 8 MiB. */
final class Buffers {
    private static final int MOST_BYTES = 8 << 20;
    private static final byte[] NONE = new byte[0];

    private byte[][] byLength = new byte[256][];
    private int kept;

    Buffers() {
        Arrays.fill(byLength, NONE);
    }

    byte[] of(int length) {
        if (length < byLength.length && byLength[length].length == length) {
            return byLength[length];
        }
        byte[] fresh = new byte[length];
        if (kept + length <= MOST_BYTES && length < MOST_BYTES) {
            if (length >= byLength.length) {
                int before = byLength.length;
                byLength = Arrays.copyOf(byLength, Math.max(length + 1, 2 * before));
                Arrays.fill(byLength, before, byLength.length, NONE);
            }
            byLength[length] = fresh;
            kept += length;
        }
        return fresh;
    }
}
