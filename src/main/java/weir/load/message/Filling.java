package weir.load.message;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import weir.plan.ValueSpec.Content;

/** A way to fill the bytes of a generated value. */
interface Filling {
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

    final class Mix {
        static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

        private Mix() {}

        /** Returns SplitMix64's mix of a counter, so that no step depends on the previous one. */
        static long bits(long seed, int at) {
            long z = seed + at * 0x9E3779B97F4A7C15L;
            z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
            z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
            return z ^ (z >>> 31);
        }
    }

    /**
     * Capital letters, as {@code kafka-producer-perf-test} sends them.
     *
     * <p>A letter is the sum, modulo 26, of two letters that stand at random places in a pool: two loads and one multiplication
     * for eight letters. Two values resemble each other only where both their places lie equally far apart and overlap, which
     * is rarer than what a compressor finds in random letters anyway.
     */
    final class UppercaseLetters implements Filling {
        /** The number of places in the pool for each of the two: 32 KiB, which stay in the cache. */
        private static final int PLACES = 1 << 12;

        private static final int STRETCH = 64;

        private static final long SEED = 0x77656972;
        private static final long EACH = 0x0101010101010101L;
        private static final long[] POOL = new long[PLACES + STRETCH];

        static {
            Arrays.setAll(POOL, i -> numbers(Mix.bits(SEED, i)));
        }

        @Override
        public void fill(byte[] value, long seed) {
            int words = value.length / Long.BYTES;
            for (int from = 0; from < words; from += STRETCH) {
                int places = (int) Mix.bits(seed, from);
                int one = places & (PLACES - 1);
                int other = (places >>> 16) & (PLACES - 1);
                int length = Math.min(STRETCH, words - from);
                for (int i = 0; i < length; i++) {
                    Mix.LONGS.set(value, (from + i) * Long.BYTES, sum(POOL[one + i], POOL[other + i]));
                }
            }
            long rest = numbers(Mix.bits(~seed, words)) + 'A' * EACH;
            for (int i = words * Long.BYTES; i < value.length; i++) {
                value[i] = (byte) rest;
                rest >>>= 8;
            }
        }

        private static long sum(long one, long other) {
            long sum = one + other;
            // Adding 128 - 26 sets the highest bit of those bytes that have to come down by 26.
            long over = ((sum + (128 - 26) * EACH) >>> 7) & EACH;
            return sum - over * 26 + 'A' * EACH;
        }

        /** Eight numbers below 26, one from each byte: four products fit side by side. */
        private static long numbers(long bits) {
            long every = 0x00FF00FF00FF00FFL;
            long even = (((bits & every) * 26) >>> 8) & every;
            long odd = (((bits >>> 8) & every) * 26) & ~every;
            return even | odd;
        }
    }
}
