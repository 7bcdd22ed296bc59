package weir.plan;

import java.util.Locale;

/** The spelling of enum constants in plans. */
public final class EnumNames {
    private EnumNames() {}

    public static String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Finds the constant of a word with dashes or spaces instead of underscores. */
    public static <E extends Enum<E>> E constant(String word, Class<E> family) {
        return Enum.valueOf(
                family, word.toUpperCase(Locale.ROOT).replace('-', '_').replace(' ', '_'));
    }
}
