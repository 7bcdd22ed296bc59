package weir.load.message;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Scanner;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import weir.feature.Features;
import weir.load.message.SerializedValues.ValueReader;
import weir.plan.KeySpec;
import weir.plan.LoadSpec;
import weir.plan.ValueSpec;
import weir.plan.ValueSpec.Content;
import weir.plan.ValueSpec.Portion;
import weir.plan.ValueSpec.Size;

/**
 * The sources of the values and keys of each producer.
 *
 * @param headers true if identities may need record headers, because some values are too short for an identity
 * @param readers the deserializers of readers
 */
public record Payloads(
        IntFunction<ValueSource> values,
        IntFunction<KeySource> keys,
        boolean headers,
        double meanBytes,
        Supplier<ValueReader> readers) {
    private Payloads(IntFunction<ValueSource> values, IntFunction<KeySource> keys, boolean headers, double meanBytes) {
        this(values, keys, headers, meanBytes, () -> ValueReader.NONE);
    }

    /** Creates the sources. Relative paths begin at {@code folder}. Each producer has its own seed. */
    public static Payloads of(LoadSpec load, Path folder, long seed) {
        ValueSpec value = load.messages().value();
        KeySpec key = load.messages().key();
        if (value.serialized()) {
            SerializedValues serialized = Features.serialized(value, load.topics());
            serialized.register();
            return new Payloads(
                    producer -> serialized.source(mixed(seed, 2 * producer + 1)),
                    producer -> key(key, mixed(seed, 2 * producer)),
                    true,
                    serialized.meanBytes(),
                    serialized::reader);
        }
        return of(value, key, load.producers().count(), folder, seed);
    }

    /**
     * Reads a file of values or a schema once, and checks that the values have the key's column.
     *
     * @throws IllegalArgumentException if the file has no values, or a value lacks the column
     * @throws java.io.UncheckedIOException if the file cannot be read
     */
    public static void check(ValueSpec value, KeySpec key, Path folder) {
        if (value instanceof ValueSpec.FromFile from) {
            FileValues file = FileValues.of(folder.resolve(from.file()), from.each());
            Buffers buffers = new Buffers();
            for (long i = 0; key instanceof KeySpec.Column column && i < file.pieces(); i++) {
                long number = i + 1;
                check(column, file.piece(i, buffers), () -> "value " + number + " of '" + from.file() + "'");
            }
        } else if (value instanceof ValueSpec.Generated made && key instanceof KeySpec.Column column) {
            check(column, value(made, 0, 0).next(0), () -> "each value");
        } else if (value.serialized()) {
            var unused = Features.serialized(value, List.of());
        }
    }

    private static void check(KeySpec.Column column, byte[] value, Supplier<String> which) {
        int columns = WrittenText.columns(value, 0, new Ascii());
        if (columns < column.column()) {
            throw new IllegalArgumentException("load.key.column: " + which.get() + " has " + columns
                    + (columns == 1 ? " column" : " columns") + ", but the key is column " + column.column());
        }
    }

    static Payloads of(ValueSpec value, KeySpec key, int producers, Path folder, long seed) {
        IntFunction<KeySource> keys = producer -> key(key, mixed(seed, 2 * producer));
        if (value instanceof ValueSpec.FromFile from) {
            FileValues file = FileValues.of(folder.resolve(from.file()), from.each());
            IntFunction<ValueSource> picked = producer -> {
                Buffers buffers = new Buffers();
                SplittableRandom random = new SplittableRandom(mixed(seed, 2 * producer + 1));
                return switch (from.pick()) {
                    case IN_ORDER -> sequence -> file.piece((sequence * producers + producer) % file.pieces(), buffers);
                    case RANDOM -> sequence -> file.piece(random.nextLong(file.pieces()), buffers);
                };
            };
            return new Payloads(picked, keys, true, file.meanBytes());
        }
        if (value instanceof ValueSpec.Generated made) {
            IntFunction<ValueSource> values = producer -> value(made, producer, mixed(seed, 2 * producer + 1));
            return made.content().ownSize()
                    ? new Payloads(values, keys, true, sampled(values))
                    : new Payloads(
                            values,
                            keys,
                            Sizes.least(made.size()) < Identity.SMALLEST_VALUE,
                            made.size().meanBytes());
        }
        throw new AssertionError(value);
    }

    public static Scanner delimited(Path file, String delimiter) throws IOException {
        return FileValues.scanner(file, FileValues.charset(file), delimiter);
    }

    private static ValueSource value(ValueSpec.Generated made, int producer, long seed) {
        if (made.content() instanceof Content.Sequence) {
            return new WrittenText((sequence, none, into) -> into.number(sequence));
        }
        if (made.content() instanceof Content.Planes) {
            return new WrittenText(new Planes(producer, seed));
        }
        return new GeneratedValues(made, seed);
    }

    private static KeySource key(KeySpec key, long seed) {
        if (key instanceof KeySpec.None) {
            return KeySource.KEYLESS;
        }
        if (key instanceof KeySpec.Sequence) {
            return new WrittenText((sequence, value, into) -> into.number(sequence));
        }
        SplittableRandom random = new SplittableRandom(seed);
        if (key instanceof KeySpec.Random) {
            return new WrittenText((sequence, value, into) -> into.hex(random.nextLong()));
        }
        if (key instanceof KeySpec.Skewed skewed) {
            Zipf zipf = new Zipf(skewed.distinct(), skewed.exponent());
            return new WrittenText((sequence, value, into) -> into.number(zipf.next(random)));
        }
        if (key instanceof KeySpec.Column column) {
            return new WrittenText((sequence, value, into) -> WrittenText.column(column.column(), value, into));
        }
        throw new AssertionError(key);
    }

    private static double sampled(IntFunction<ValueSource> values) {
        ValueSource source = values.apply(0);
        return IntStream.range(0, 10_000)
                .map(i -> source.next(i).length)
                .average()
                .orElseThrow();
    }

    private static long mixed(long seed, int which) {
        return ValueFiller.Mix.bits(seed, 8 * which);
    }

    private static final class GeneratedValues implements ValueSource {
        private final Sizes sizes;
        private final ValueFiller filling;
        private final SplittableRandom random;
        private final boolean holdsIdentity;
        private final Buffers buffers = new Buffers();

        GeneratedValues(ValueSpec.Generated made, long seed) {
            sizes = Sizes.of(made.size());
            filling = ValueFiller.of(made.content());
            holdsIdentity = Sizes.least(made.size()) >= Identity.SMALLEST_VALUE;
            random = new SplittableRandom(seed);
        }

        @Override
        public byte[] next(long sequence) {
            byte[] value = buffers.of(sizes.next(random));
            filling.fill(value, random.nextLong());
            return value;
        }

        @Override
        public boolean generated() {
            return true;
        }

        @Override
        public boolean interchangeable() {
            return holdsIdentity;
        }
    }

    interface Sizes {
        int next(SplittableRandom random);

        static Sizes of(Size size) {
            if (size instanceof Size.Fixed fixed) {
                int bytes = Math.toIntExact(fixed.size().bytes());
                return random -> bytes;
            }
            if (size instanceof Size.Between between) {
                int min = Math.toIntExact(between.min().bytes());
                int max = Math.toIntExact(between.max().bytes());
                return random -> min + random.nextInt(max - min + 1);
            }
            List<Portion> portions = ((Size.Mixed) size).portions();
            int last = portions.size() - 1;
            int[] bytes = new int[last + 1];
            double[] upTo = new double[last + 1];
            double sum = 0;
            for (int i = 0; i <= last; i++) {
                bytes[i] = Math.toIntExact(portions.get(i).size().bytes());
                sum += portions.get(i).share().share();
                upTo[i] = sum;
            }
            return random -> {
                double drawn = random.nextDouble();
                int i = 0;
                while (i < last && drawn >= upTo[i]) {
                    i++;
                }
                return bytes[i];
            };
        }

        static long least(Size size) {
            if (size instanceof Size.Fixed fixed) {
                return fixed.size().bytes();
            }
            if (size instanceof Size.Between between) {
                return between.min().bytes();
            }
            return ((Size.Mixed) size)
                    .portions().stream()
                            .mapToLong(portion -> portion.size().bytes())
                            .min()
                            .orElseThrow();
        }
    }

    interface ValueFiller {
        void fill(byte[] value, long seed);

        static ValueFiller of(Content content) {
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

            /** Returns SplitMix64's random bits for the position {@code at}, independent of other calls. */
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
         * <p>Each letter is the sum, modulo 26, of two letters of a pool at two random places. Eight letters cost two
         * loads and one multiplication. Two values have equal parts only if the distances of their places are equal and
         * the parts overlap. A compressor finds more repetitions in truly random letters.
         */
        final class UppercaseLetters implements ValueFiller {
            /** The number of places in the pool for each of the two letters: 32 KiB, which stay in the CPU's cache. */
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
                // Adding 128 - 26 sets the highest bit of each byte that is at least 26.
                long over = ((sum + (128 - 26) * EACH) >>> 7) & EACH;
                return sum - over * 26 + 'A' * EACH;
            }

            private static long numbers(long bits) {
                long every = 0x00FF00FF00FF00FFL;
                long even = (((bits & every) * 26) >>> 8) & every;
                long odd = (((bits >>> 8) & every) * 26) & ~every;
                return even | odd;
            }
        }
    }

    /**
     * Random ranks 1 to n, where rank k has a probability proportional to {@code 1/k^s}. The distribution is exact, and a
     * draw takes constant time for any n. The method is rejection-inversion by Hörmann and Derflinger,
     * "Rejection-inversion to generate variates from monotone discrete distributions" (1996).
     */
    static final class Zipf {
        private final long distinct;
        private final double exponent;
        private final double areaOfFirst;
        private final double areaOfAll;
        private final double squeeze;

        Zipf(long distinct, double exponent) {
            this.distinct = distinct;
            this.exponent = exponent;
            this.areaOfFirst = area(1.5) - 1;
            this.areaOfAll = area(distinct + 0.5);
            this.squeeze = 2 - inverse(area(2.5) - height(2));
        }

        long next(SplittableRandom random) {
            while (true) {
                double u = areaOfAll + random.nextDouble() * (areaOfFirst - areaOfAll);
                double x = inverse(u);
                long rank = Math.max(1, Math.min(distinct, Math.round(x)));
                if (rank - x <= squeeze || u >= area(rank + 0.5) - height((double) rank)) {
                    return rank;
                }
            }
        }

        private double height(double x) {
            return Math.exp(-exponent * Math.log(x));
        }

        private double area(double x) {
            double log = Math.log(x);
            double t = (1 - exponent) * log;
            return log * (Math.abs(t) < 1e-8 ? 1 + t / 2 : Math.expm1(t) / t);
        }

        private double inverse(double area) {
            double t = Math.max(-1, area * (1 - exponent));
            return Math.exp(area * (Math.abs(t) < 1e-8 ? 1 - t / 2 : Math.log1p(t) / t));
        }
    }
}
