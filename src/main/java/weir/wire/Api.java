package weir.wire;

import java.util.Locale;

/** The requests that Weir sends, and their versions. */
public enum Api {
    /** Topic names up to version 12, topic ids from version 13. */
    PRODUCE(0, 3, 13, 9),
    /** Topic names up to version 12, topic ids from version 13. */
    FETCH(1, 4, 18, 12),
    LIST_OFFSETS(2, 2, 7, 6),
    /** Leader epochs from version 7, topic ids from version 10. */
    METADATA(3, 7, 12, 9),
    SASL_HANDSHAKE(17, 1, 1, Short.MAX_VALUE),
    API_VERSIONS(18, 0, 3, 3),
    INIT_PRODUCER_ID(22, 0, 4, 2),
    SASL_AUTHENTICATE(36, 0, 2, 2);

    final short key;
    final short lowest;
    final short highest;
    private final short firstFlexible;

    Api(int key, int lowest, int highest, int firstFlexible) {
        this.key = (short) key;
        this.lowest = (short) lowest;
        this.highest = (short) highest;
        this.firstFlexible = (short) firstFlexible;
    }

    /** True if header and body have compact lengths and tagged fields. */
    public boolean flexible(short version) {
        return version >= firstFlexible;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
