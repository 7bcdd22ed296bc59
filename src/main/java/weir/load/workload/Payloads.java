package weir.load.workload;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Scanner;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import weir.load.message.Contents;
import weir.load.message.Identity;
import weir.load.message.KeySource;
import weir.load.message.ValueSource;
import weir.plan.KeySpec;
import weir.plan.LoadSpec;
import weir.plan.ValueSpec;
import weir.plan.ValueSpec.Content;

/** The keys and values that a plan asks for. */
public final class Payloads implements Contents {
    private final IntFunction<ValueSource> values;
    private final IntFunction<KeySource> keys;
    private final boolean headers;
    private final double meanBytes;

    private Payloads(IntFunction<ValueSource> values, IntFunction<KeySource> keys, boolean headers, double meanBytes) {
        this.values = values;
        this.keys = keys;
        this.headers = headers;
        this.meanBytes = meanBytes;
    }

    /** {@code folder} is where relative paths begin; producers draw from seeds of their own. */
    public static Payloads of(LoadSpec load, Path folder, long seed) {
        return of(
                load.messages().value(), load.messages().key(), load.producers().count(), folder, seed);
    }

    /**
     * Reads a file of values once, and looks whether values have the column of the keys.
     *
     * @throws IllegalArgumentException when it has none, or one without the column of the keys
     * @throws java.io.UncheckedIOException when it cannot be read
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
        }
    }

    private static void check(KeySpec.Column column, byte[] value, Supplier<String> which) {
        int columns = WrittenKeys.columns(value);
        if (columns < column.column()) {
            throw new IllegalArgumentException("load.key.column: " + which.get() + " has " + columns
                    + (columns == 1 ? " column" : " columns") + ", so there is no column " + column.column());
        }
    }

    static Payloads of(ValueSpec value, KeySpec key, int producers, Path folder, long seed) {
        IntFunction<KeySource> keys = producer -> key(key, mixed(seed, 2 * producer));
        if (value instanceof ValueSpec.FromFile from) {
            FileValues file = FileValues.of(folder.resolve(from.file()), from.each());
            IntFunction<ValueSource> picked = producer -> switch (from.pick()) {
                case IN_ORDER -> PickedValues.inOrder(file, producer, producers);
                case RANDOM -> PickedValues.drawn(file, mixed(seed, 2 * producer + 1));
            };
            return new Payloads(picked, keys, true, file.meanBytes());
        }
        if (value instanceof ValueSpec.Generated made) {
            IntFunction<ValueSource> values = producer -> value(made, producer, mixed(seed, 2 * producer + 1));
            boolean writes = made.content().ownSize();
            return writes
                    ? new Payloads(values, keys, true, sampled(values))
                    : new Payloads(
                            values, keys, Sizes.least(made.size()) < Identity.SMALLEST_VALUE, Sizes.mean(made.size()));
        }
        throw new AssertionError(value);
    }

    /** The pieces of a file between the matches of a regular expression. */
    public static Scanner delimited(Path file, String delimiter) throws IOException {
        return DelimitedValues.scanner(file, DelimitedValues.charset(file), delimiter);
    }

    private static ValueSource value(ValueSpec.Generated made, int producer, long seed) {
        if (made.content() instanceof Content.Sequence) {
            return new WrittenValues((sequence, into) -> into.number(sequence));
        }
        if (made.content() instanceof Content.Planes) {
            return new WrittenValues(new Planes(producer, seed));
        }
        boolean roomy = Sizes.least(made.size()) >= Identity.SMALLEST_VALUE;
        return new GeneratedValues(Sizes.of(made.size()), Filling.of(made.content()), seed, roomy);
    }

    private static KeySource key(KeySpec key, long seed) {
        if (key instanceof KeySpec.None) {
            return KeySource.KEYLESS;
        }
        if (key instanceof KeySpec.Sequence) {
            return WrittenKeys.sequence();
        }
        if (key instanceof KeySpec.Random) {
            return WrittenKeys.random(seed);
        }
        if (key instanceof KeySpec.Skewed skewed) {
            return WrittenKeys.skewed(new Zipf(skewed.distinct(), skewed.exponent()), seed);
        }
        if (key instanceof KeySpec.Column column) {
            return WrittenKeys.column(column.column());
        }
        throw new AssertionError(key);
    }

    /** Text has the length that it has. */
    private static double sampled(IntFunction<ValueSource> values) {
        ValueSource source = values.apply(0);
        List<Integer> lengths =
                IntStream.range(0, 10_000).mapToObj(i -> source.next(i).length).toList();
        return lengths.stream().mapToInt(Integer::intValue).average().orElseThrow();
    }

    private static long mixed(long seed, int which) {
        return Filling.Mix.bits(seed, 8 * which);
    }

    @Override
    public ValueSource values(int producer) {
        return values.apply(producer);
    }

    @Override
    public KeySource keys(int producer) {
        return keys.apply(producer);
    }

    @Override
    public boolean headers() {
        return headers;
    }

    @Override
    public double meanBytes() {
        return meanBytes;
    }
}
