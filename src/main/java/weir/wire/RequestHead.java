package weir.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The header of every request: length, api, version, correlation id and client id. The length counts all bytes after
 * the length field.
 */
public final class RequestHead {
    public static final int CORRELATION_AT = 8;

    private static final int LENGTH_BYTES = 4;
    private static final int FIXED_BYTES = 4 + 2 + 2 + 4 + 2;
    private static final int LONGEST_ID = 1_024;

    private final byte[] clientId;

    public RequestHead(String clientId) {
        this.clientId = clientId.getBytes(StandardCharsets.UTF_8);
        if (this.clientId.length > LONGEST_ID) {
            throw new IllegalArgumentException(
                    "client.id has " + this.clientId.length + " bytes; at most " + LONGEST_ID + " are allowed");
        }
    }

    public int bytes(Api api, short version) {
        return FIXED_BYTES + clientId.length + (api.flexible(version) ? 1 : 0);
    }

    /**
     * Writes the head of a request, before the body.
     *
     * @param bodyBytes the size of the body; if it is unknown, pass 0 and call {@link #length} later
     */
    public void put(ByteBuffer into, Api api, short version, int correlation, int bodyBytes) {
        into.putInt(bytes(api, version) - LENGTH_BYTES + bodyBytes);
        into.putShort(api.key);
        into.putShort(version);
        into.putInt(correlation);
        into.putShort((short) clientId.length);
        into.put(clientId);
        // The client id keeps its old form, even in flexible versions.
        putNoTags(into, api.flexible(version));
    }

    /** Sets the length field of a request at {@code at}, whose {@code bytes} include the field itself. */
    public static void length(ByteBuffer request, int at, int bytes) {
        request.putInt(at, bytes - LENGTH_BYTES);
    }

    public static void putCount(ByteBuffer into, boolean flexible, int count) {
        if (flexible) {
            putUnsigned(into, count + 1);
        } else {
            into.putInt(count);
        }
    }

    /** Writes the length of a string; -1 for null. */
    public static void putLength(ByteBuffer into, boolean flexible, int length) {
        if (flexible) {
            putUnsigned(into, length + 1);
        } else {
            into.putShort((short) length);
        }
    }

    static void putNoTags(ByteBuffer into, boolean flexible) {
        if (flexible) {
            into.put((byte) 0);
        }
    }

    static void putUnsigned(ByteBuffer into, int value) {
        int rest = value;
        while (rest >>> 7 != 0) {
            into.put((byte) (rest | 0x80));
            rest >>>= 7;
        }
        into.put((byte) rest);
    }
}
