package weir.load.message;

import java.util.HexFormat;

/** The event of a message. Its id is the message's identity in hexadecimal digits. Other attributes are constant. */
public final class LoadEvent {
    public static final String SOURCE = "/weir";
    public static final String TYPE = "weir.event";

    public static final int ID_LENGTH = 2 * Identity.BYTES;

    private static final HexFormat HEX = HexFormat.of();

    private LoadEvent() {}

    public static void writeId(byte[] identity, byte[] into) {
        for (int i = 0; i < Identity.BYTES; i++) {
            into[2 * i] = (byte) HEX.toHighHexDigit(identity[i]);
            into[2 * i + 1] = (byte) HEX.toLowHexDigit(identity[i]);
        }
    }

    public static boolean readId(byte[] id, int letters, byte[] into) {
        if (letters != ID_LENGTH) {
            return false;
        }
        for (int i = 0; i < Identity.BYTES; i++) {
            int high = digit(id[2 * i]);
            int low = digit(id[2 * i + 1]);
            if (high < 0 || low < 0) {
                return false;
            }
            into[i] = (byte) (high << 4 | low);
        }
        return true;
    }

    private static int digit(byte letter) {
        boolean capital = letter >= 'A' && letter <= 'F';
        return HexFormat.isHexDigit(letter) && !capital ? HexFormat.fromHexDigit(letter) : -1;
    }
}
