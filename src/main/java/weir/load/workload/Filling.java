package weir.load.workload;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import weir.plan.ValueSpec.Content;

/** A way to fill the bytes of a generated value. */
interface Filling {
    /** Fills a value; another seed makes other bytes. */
    void fill(byte[] value, long seed);

    static Filling of(Content content) {
        if (content instanceof Content.Random) {
            return (value, seed) -> random(value, value.length, seed);
        }
        if (content instanceof Content.Letters) {
            return new UppercaseLetters();
        }
        if (content instanceof Content.Same) {
            UppercaseLetters letters = new UppercaseLetters();
            return (value, seed) -> letters.fill(value, 0);
        }
        if (content instanceof Content.PartlyRandom partly) {
            double share = partly.random().share();
            return (value, seed) -> {
                int random = (int) Math.round(share * value.length);
                random(value, random, seed);
                Arrays.fill(value, random, value.length, (byte) '.');
            };
        }
        throw new AssertionError(content);
    }

    private static void random(byte[] value, int length, long seed) {
        int i = 0;
        for (; i + Long.BYTES <= length; i += Long.BYTES) {
            Mix.LONGS.set(value, i, Mix.bits(seed, i));
        }
        long rest = Mix.bits(seed, i);
        for (; i < length; i++) {
            value[i] = (byte) rest;
            rest >>>= 8;
        }
    }

    /** Eight bytes at a time. */
    final class Mix {
        static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

        private Mix() {}

        /** The mixing function of SplitMix64 over a counter, so that no step waits for the one before. */
        static long bits(long seed, int at) {
            long z = seed + at * 0x9E3779B97F4A7C15L;
            z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
            z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
            return z ^ (z >>> 31);
        }
    }
}
