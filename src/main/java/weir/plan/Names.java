package weir.plan;

import java.util.Locale;

/** How constants are written in plans. */
final class Names {
    private Names() {}

    static String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
