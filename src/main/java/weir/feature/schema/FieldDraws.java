package weir.feature.schema;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import weir.feature.schema.SchemaSpec.FieldHint;
import weir.plan.NearestWord;
import weir.plan.property.Redact;

/**
 * Random data for one source, composed from the fields of a schema by their paths. The different values of a field with
 * {@code distinct} are the same for all sources.
 */
final class FieldDraws {
    static final Range INT = Range.of(Integer.MIN_VALUE, Integer.MAX_VALUE);
    static final Range LONG = Range.of(-(1L << 62), 1L << 62);
    static final Range DECIMAL = Range.of(-1_000_000_000_000_000L, 1_000_000_000_000_000L);
    static final Range LENGTHS = Range.of(0, 1 << 20);
    private static final Range USUAL = Range.of(0, 1_000_000);
    private static final Range TEXT = Range.of(5, 20);
    private static final Range ELEMENTS = Range.of(0, 4);

    /** The data of a type that always contains itself. */
    static final Drawn NEVER = () -> {
        throw new AssertionError("a type contains itself");
    };

    /** The most values of one type within each other. */
    private static final int DEEPEST = 3;

    private static final String DISTINCT = "distinct";
    private static final String BETWEEN = "between";
    private static final String LENGTH = "length";

    private static final int LETTERS = 26;
    private static final int MOST_NODES = 10_000;
    private static final String NUMBER = "(-?[0-9]{1,18}(?:\\.[0-9]{1,18})?)";
    private static final Pattern RANGE = Pattern.compile(NUMBER + "(?:\\.\\." + NUMBER + ")?");

    private final Map<String, FieldHint> hints;
    private final Map<String, Set<String>> fitting = new TreeMap<>();
    private final Map<String, Integer> depths = new HashMap<>();
    private final SplittableRandom random;
    private int nodes;

    /** Random data of one type. */
    interface Drawn {
        @Nullable Object next();
    }

    /** A part of a schema from which Weir can make no data. The message follows the name of the file. */
    static final class Unsupported extends RuntimeException {
        private static final long serialVersionUID = 1;

        Unsupported(String message) {
            super(message);
        }

        /** The first line of a library's message, which may be long and quote the file. */
        static String line(@Nullable String message) {
            String line = String.valueOf(message).lines().findFirst().orElse("");
            return Redact.text(line.length() > 200 ? line.substring(0, 200) + "\u2026" : line);
        }
    }

    /** A range of numbers, both limits included. */
    record Range(BigDecimal low, BigDecimal high) {
        static Range of(long low, long high) {
            return new Range(BigDecimal.valueOf(low), BigDecimal.valueOf(high));
        }

        boolean contains(Range other) {
            return low.compareTo(other.low) <= 0 && other.high.compareTo(high) <= 0;
        }

        /** The range within this one that is closest to the usual range. */
        Range closest(Range usual) {
            BigDecimal from = usual.low.max(low).min(high);
            return new Range(from, usual.high.max(from).min(high));
        }

        @Override
        public String toString() {
            return low.toPlainString() + ".." + high.toPlainString();
        }
    }

    FieldDraws(SortedMap<String, FieldHint> hints, long seed) {
        this.hints = hints;
        this.random = new SplittableRandom(seed);
    }

    private void count() {
        if (++nodes > MOST_NODES) {
            throw new Unsupported(
                    "has more than " + MOST_NODES + " fields, with those of inner types; write a smaller" + " schema");
        }
    }

    private FieldHint hint(String path, String... fits) {
        count();
        fitting.computeIfAbsent(path, none -> new TreeSet<>()).addAll(Set.of(fits));
        return hints.getOrDefault(path, FieldHint.NONE);
    }

    /** Fails for a hint without a field, or for a hint that fits no type of its field. */
    void checkPaths() {
        hints.forEach((path, hint) -> {
            Set<String> fits = fitting.get(path);
            if (fits == null) {
                throw new IllegalArgumentException("load.value.fields: '" + path
                        + "' is no number, string, bytes, array or map of the schema"
                        + NearestWord.hint(path, fitting.keySet()));
            }
            hint.written().keySet().stream()
                    .filter(key -> !fits.contains(key))
                    .findFirst()
                    .ifPresent(key -> {
                        throw wrong(
                                path,
                                key,
                                "does not fit the type of the field; "
                                        + (fits.isEmpty() ? "remove it" : "write " + String.join(" or ", fits)));
                    });
        });
    }

    private static IllegalArgumentException wrong(String path, String key, String why) {
        return new IllegalArgumentException("load.value.fields." + path + "." + key + ": " + why);
    }

    /** The range in the file, or the usual range within the range of the type. */
    private static Range range(String path, String key, String written, Range type, Range usual) {
        if (written.isEmpty()) {
            return type.closest(usual);
        }
        Matcher m = RANGE.matcher(written);
        if (!m.matches() || (key.equals(LENGTH) && written.replace("..", "").contains("."))) {
            throw wrong(path, key, "'" + written + "' is not a range; write it like 1..500");
        }
        Range range = new Range(new BigDecimal(m.group(1)), new BigDecimal(m.group(m.group(2) == null ? 1 : 2)));
        if (range.low.compareTo(range.high) > 0) {
            throw wrong(path, key, "must not have an end below its start, found '" + written + "'");
        }
        if (!type.contains(range)) {
            throw wrong(path, key, "must be within " + type + ", found '" + written + "'");
        }
        return range;
    }

    private static void atMost(String path, long distinct, BigInteger most) {
        if (BigInteger.valueOf(distinct).compareTo(most) > 0) {
            throw wrong(
                    path,
                    DISTINCT,
                    "must be at most " + most + ", because the field has no more different values" + ", found '"
                            + distinct + "'");
        }
    }

    static String below(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    Drawn whole(String path, Range type, LongFunction<Object> make) {
        FieldHint hint = hint(path, BETWEEN, DISTINCT);
        Range range = range(path, BETWEEN, hint.between(), type, USUAL);
        try {
            long low = range.low.longValueExact();
            long count = Math.addExact(Math.subtractExact(range.high.longValueExact(), low), 1);
            atMost(path, hint.distinct(), BigInteger.valueOf(count));
            long different = hint.distinct() == 0 ? count : hint.distinct();
            long step = count / different;
            return () -> make.apply(low + step * random.nextLong(different));
        } catch (ArithmeticException e) {
            throw wrong(path, BETWEEN, "must be a range of whole numbers, found '" + hint.between() + "'");
        }
    }

    Drawn decimal(String path, Range type, DoubleFunction<Object> make) {
        FieldHint hint = hint(path, BETWEEN, DISTINCT);
        Range range = range(path, BETWEEN, hint.between(), type, USUAL);
        double low = range.low.doubleValue();
        double width = range.high.doubleValue() - low;
        if (hint.distinct() == 0) {
            return () -> make.apply(low + width * random.nextDouble());
        }
        atMost(path, hint.distinct(), width > 0 ? BigInteger.ONE.shiftLeft(23) : BigInteger.ONE);
        double step = width / Math.max(1, hint.distinct() - 1);
        return () -> make.apply(low + step * random.nextLong(hint.distinct()));
    }

    /** Draws texts of the letters a to z. Distinct texts begin with their number, with letters as digits. */
    Drawn letters(String path, Range type, Function<byte[], Object> make) {
        FieldHint hint = hint(path, LENGTH, DISTINCT);
        Range range = range(path, LENGTH, hint.length(), type, TEXT);
        int low = range.low.intValue();
        int lengths = range.high.intValue() - low + 1;
        if (hint.distinct() == 0) {
            return () -> make.apply(letters(low + random.nextInt(lengths), 0, 0, random));
        }
        atMost(path, hint.distinct(), BigInteger.valueOf(LETTERS).pow(Math.min(low, LETTERS)));
        int digits = Long.toString(hint.distinct() - 1, LETTERS).length();
        return () -> {
            long number = random.nextLong(hint.distinct());
            SplittableRandom own = new SplittableRandom(number);
            int length = low + own.nextInt(lengths);
            return make.apply(letters(length, Math.min(length, digits), number, own));
        };
    }

    private static byte[] letters(int length, int digits, long number, SplittableRandom random) {
        byte[] text = new byte[length];
        long rest = number;
        for (int i = digits - 1; i >= 0; i--) {
            text[i] = (byte) ('a' + rest % LETTERS);
            rest /= LETTERS;
        }
        long bits = 0;
        for (int i = digits; i < length; i++) {
            bits = (i - digits) % Long.BYTES == 0 ? random.nextLong() : bits >>> Byte.SIZE;
            text[i] = (byte) ('a' + (((bits & 0xFF) * LETTERS) >>> Byte.SIZE));
        }
        return text;
    }

    /** Returns eight random letters. */
    static byte[] word(SplittableRandom random) {
        return letters(8, 0, 0, random);
    }

    Drawn bytes(String path, Function<byte[], Object> make) {
        IntSupplier length = length(path, LENGTHS, TEXT);
        return () -> {
            byte[] bytes = new byte[length.getAsInt()];
            random.nextBytes(bytes);
            return make.apply(bytes);
        };
    }

    private IntSupplier length(String path, Range type, Range usual) {
        FieldHint hint = hint(path, LENGTH);
        Range range = range(path, LENGTH, hint.length(), type, usual);
        int low = range.low.intValue();
        int lengths = range.high.intValue() - low + 1;
        return () -> low + random.nextInt(lengths);
    }

    /** Draws the elements of an array or a map. Elements that contain their array end with an empty array. */
    Drawn list(String path, Range type, Drawn element, Function<List<@Nullable Object>, Object> make) {
        IntSupplier length = length(path, type, ELEMENTS);
        if (element == NEVER) {
            return type.low.signum() > 0 ? NEVER : () -> make.apply(List.of());
        }
        return () -> {
            int size = length.getAsInt();
            List<@Nullable Object> elements = new ArrayList<>(size);
            for (int i = 0; i < size; i++) {
                elements.add(element.next());
            }
            return make.apply(elements);
        };
    }

    /** Draws one of some values equally often. */
    Drawn value(String path, List<?> values) {
        if (values.isEmpty()) {
            throw new Unsupported("has an enumeration without values at '" + path + "'; write its values");
        }
        return other(path, from -> values.get(from.nextInt(values.size())));
    }

    /** Draws a value that no hint describes. */
    Drawn other(String path, Function<SplittableRandom, @Nullable Object> make) {
        var unused = hint(path);
        return () -> make.apply(random);
    }

    Drawn branch(List<Drawn> branches) {
        List<Drawn> ending = branches.stream().filter(drawn -> drawn != NEVER).toList();
        return ending.isEmpty()
                ? NEVER
                : () -> ending.get(random.nextInt(ending.size())).next();
    }

    /** Draws a value of each part. */
    static Drawn all(List<Drawn> parts, Function<List<@Nullable Object>, Object> make) {
        if (parts.contains(NEVER)) {
            return NEVER;
        }
        return () -> {
            List<@Nullable Object> values = new ArrayList<>(parts.size());
            for (Drawn part : parts) {
                values.add(part.next());
            }
            return make.apply(values);
        };
    }

    /** Composes the data of a type that may contain itself. */
    Drawn within(String type, Supplier<Drawn> data) {
        count();
        int depth = depths.merge(type, 1, Integer::sum);
        Drawn drawn = depth > DEEPEST ? NEVER : data.get();
        depths.put(type, depth - 1);
        return drawn;
    }
}
