package weir.plan.syntax;

import java.util.Locale;

/** How constants are written in plans. */
public final class EnumNames {
    private EnumNames() {}

    public static String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
