package weir.load.message;

import java.util.Arrays;

/** Text written as bytes, without creating strings. */
final class Ascii {
    private static final long[] POWERS = {1, 10, 100, 1_000, 10_000, 100_000, 1_000_000};

    private byte[] bytes = new byte[64];
    int length;

    void copyTo(byte[] into) {
        System.arraycopy(bytes, 0, into, 0, length);
    }

    Ascii text(byte[] text) {
        room(text.length);
        System.arraycopy(text, 0, bytes, length, text.length);
        length += text.length;
        return this;
    }

    Ascii character(char c) {
        room(1);
        bytes[length++] = (byte) c;
        return this;
    }

    Ascii number(long number) {
        if (number < 0) {
            character('-');
        }
        return digits(Math.abs(number), 1);
    }

    /** Appends a number with up to six decimals. */
    Ascii decimal(double number, int decimals) {
        long power = POWERS[decimals];
        long scaled = Math.round(Math.abs(number) * power);
        if (number < 0 && scaled != 0) {
            character('-');
        }
        digits(scaled / power, 1);
        character('.');
        return digits(scaled % power, decimals);
    }

    Ascii hex(long bits) {
        room(16);
        for (int shift = 60; shift >= 0; shift -= 4) {
            int digit = (int) (bits >>> shift) & 15;
            bytes[length++] = (byte) (digit < 10 ? '0' + digit : 'a' + digit - 10);
        }
        return this;
    }

    private Ascii digits(long number, int atLeast) {
        int count = atLeast;
        for (long rest = number, n = 1; rest > 9; n++) {
            rest /= 10;
            count = (int) Math.max(count, n + 1);
        }
        room(count);
        long rest = number;
        for (int i = length + count - 1; i >= length; i--) {
            bytes[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        length += count;
        return this;
    }

    private void room(int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
        }
    }
}
