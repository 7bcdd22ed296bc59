package weir.load.message;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * The identity in each message of Weir. It has 24 bytes: the run's tag, a 16-bit checksum, the producer, its sequence
 * number and the due time. A generated value with enough bytes begins with the identity; other messages have it in a
 * header. Without the checksum, a damaged identity would count as that of another message.
 */
public final class Identity {
    public static final int BYTES = 24;
    public static final String HEADER = "weir";

    public static final int SMALLEST_VALUE = 32;

    /** The bytes of the identity's header in a record: the lengths, the name and the identity. */
    public static final int HEADER_BYTES = 2 + HEADER.getBytes(StandardCharsets.US_ASCII).length + BYTES;

    /** The first negative sequence number. Negative numbers mean that the number of the message is stored elsewhere. */
    public static final long UNNAMED = -1;

    static final int PRODUCER = 0xFFFF;
    /** A factor that changes all bits of a number: 2^64 divided by the golden ratio, rounded to an odd number. */
    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private Identity() {}

    public static void write(byte[] into, int runTag, int producer, long sequence, long dueNanos) {
        INTS.set(into, 0, runTag);
        INTS.set(into, 4, checked(runTag, producer, sequence, dueNanos));
        LONGS.set(into, 8, sequence);
        LONGS.set(into, 16, dueNanos);
    }

    /** Returns the second four bytes: the checksum, and the producer, whose number is below 65,536. */
    public static int checked(int runTag, int producer, long sequence, long dueNanos) {
        int number = producer & PRODUCER;
        long mixed = (((long) runTag << 32 | number) * MIX + sequence) * MIX + dueNanos;
        mixed = (mixed ^ (mixed >>> 29)) * MIX;
        return ((int) (mixed >>> 32) & ~PRODUCER) | number;
    }

    public static int runTag(byte[] identity) {
        return (int) INTS.get(identity, 0);
    }

    public static int producer(byte[] identity) {
        return (int) INTS.get(identity, 4) & PRODUCER;
    }

    public static long sequence(byte[] identity) {
        return (long) LONGS.get(identity, 8);
    }

    public static long dueNanos(byte[] identity) {
        return (long) LONGS.get(identity, 16);
    }
}
