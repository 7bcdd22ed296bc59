package weir.wire;

/**
 * The end of some bytes that does not change while their beginning does: tells the CRC-32C of both together from that of the
 * beginning, without reading the end again. Appending n bytes is a linear map on the bits of a CRC; its columns are kept.
 */
final class TailCrc {
    private static final int POLYNOMIAL = 0x82F63B78;

    private final int[] behind = new int[Integer.SIZE];
    private int crc;

    /** The end has so many bytes, and by itself this CRC. */
    void is(int tailCrc, long bytes) {
        crc = tailCrc;
        int[] power = oneBit();
        for (int i = 0; i < 3; i++) {
            power = times(power, power);
        }
        for (int i = 0; i < Integer.SIZE; i++) {
            behind[i] = 1 << i;
        }
        for (long left = bytes; left > 0; left >>= 1) {
            if ((left & 1) != 0) {
                System.arraycopy(times(power, behind), 0, behind, 0, Integer.SIZE);
            }
            power = times(power, power);
        }
    }

    /** The CRC of the whole, when its beginning has this one. */
    int crcBehind(int headCrc) {
        return crc ^ times(behind, headCrc);
    }

    /** The effect of one zero bit appended behind a CRC whose lowest bit is the oldest. */
    private static int[] oneBit() {
        int[] columns = new int[Integer.SIZE];
        columns[0] = POLYNOMIAL;
        for (int i = 1; i < Integer.SIZE; i++) {
            columns[i] = 1 << (i - 1);
        }
        return columns;
    }

    private static int[] times(int[] one, int[] other) {
        int[] product = new int[Integer.SIZE];
        for (int i = 0; i < Integer.SIZE; i++) {
            product[i] = times(one, other[i]);
        }
        return product;
    }

    private static int times(int[] columns, int bits) {
        int sum = 0;
        for (int left = bits; left != 0; left &= left - 1) {
            sum ^= columns[Integer.numberOfTrailingZeros(left)];
        }
        return sum;
    }
}
