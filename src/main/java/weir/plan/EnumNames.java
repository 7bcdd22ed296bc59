package weir.plan;

import java.util.Locale;

/** How constants are written in plans. */
public final class EnumNames {
    private EnumNames() {}

    public static String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The constant that is written like this, with dashes or spaces for its underscores. */
    public static <E extends Enum<E>> E constant(String word, Class<E> family) {
        return Enum.valueOf(
                family, word.toUpperCase(Locale.ROOT).replace('-', '_').replace(' ', '_'));
    }
}
